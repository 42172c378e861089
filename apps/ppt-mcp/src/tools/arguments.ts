import { InputError } from "@troupe/core";
import { z } from "zod";

import { indexOf, numberOf, slideCount, type Presentation } from "../state/presentation.ts";

/** What most tools take first. */
const WITHOUT_ID = "call powerpoint_create_presentation first and pass the presentation_id it returns";
export const presentationId = z.string(WITHOUT_ID).refine((id) => id !== "" && id.length <= 100, WITHOUT_ID);

export const slideNumber = z
  .number()
  .int()
  .min(1)
  .max(1000)
  .describe("As powerpoint_list_slides shows it; the title slide is 1");

/** Throws an `InputError` that says which numbers there are. */
export function slideAt(presentation: Presentation, number: number): Presentation["slides"][number] {
  const found = presentation.slides[indexOf(presentation, number)];
  if (found !== undefined) return found;
  if (number === 1 && numberOf(presentation, 0) > 1)
    throw new InputError(
      "input.invalid",
      "Slide 1 is the title slide, which is made of the fields of the presentation and stays first. To change it, replace it with a slide of kind title.",
    );
  throw new InputError(
    "input.not-found",
    presentation.slides.length === 0
      ? `There is no slide ${number}: the presentation has no slides yet. Add one with powerpoint_add_slide.`
      : `There is no slide ${number}; the presentation has slides 1 to ${slideCount(presentation)}. powerpoint_list_slides shows them.`,
  );
}
