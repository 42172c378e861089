import { InputError } from "@troupe/core";
import { z } from "zod";

import type { Presentation } from "../state/presentation.ts";

/** What most tools take first. */
const WITHOUT_ID = "call powerpoint_create_presentation first and pass the presentation_id it returns";
export const presentationId = z.string(WITHOUT_ID).refine((id) => id !== "" && id.length <= 100, WITHOUT_ID);

export const slideNumber = z.number().int().min(1).max(1000).describe("From 1");

/** Throws an `InputError` that says which numbers there are. */
export function slideAt(presentation: Presentation, number: number): Presentation["slides"][number] {
  const found = presentation.slides[number - 1];
  if (found !== undefined) return found;
  const { length } = presentation.slides;
  throw new InputError(
    "input.not-found",
    length === 0
      ? `There is no slide ${number}: the presentation has no slides yet. Add one with powerpoint_add_slide.`
      : `There is no slide ${number}; the presentation has slides 1 to ${length}. powerpoint_list_slides shows them.`,
  );
}
