import { InputError } from "@troupe/core";
import { z } from "zod";

import type { Presentation } from "../state/presentation.ts";

/** What most tools take first. */
const WITHOUT_ID = "call powerpoint_create_presentation first and pass the presentation_id it returns";
export const presentationId = z
  .string(WITHOUT_ID)
  .min(1, WITHOUT_ID)
  .max(100)
  .describe("From powerpoint_create_presentation.");

export const slideNumber = z
  .number()
  .int()
  .min(1)
  .max(1000)
  .describe("Counted from 1, as powerpoint_list_slides shows it.");

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
