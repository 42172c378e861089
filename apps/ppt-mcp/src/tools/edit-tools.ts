import { isDeepStrictEqual } from "node:util";

import { defineTool, InputError, type AnswerCheck, type Tool } from "@troupe/core";
import { fitSlide, LIMITS, type SlideSpec } from "@troupe/deck";
import { z } from "zod";

import { checkSlide, summarizesLaterSlides } from "../check/check-slides.ts";
import { CORRECT, describeUnverified } from "../check/describe-unverified.ts";
import {
  indexOf,
  hasGeneratedCover,
  numberOf,
  slideCount,
  withMoved,
  withoutSlide,
  withSlide,
  type Presentation,
} from "../state/presentation.ts";
import type { StoreOf } from "../state/presentation-store.ts";
import { presentationId, slideAt, slideNumber } from "./arguments.ts";
import { readSlide, slideArgument, typedSlide } from "./slide-argument.ts";

const editedOutput = z.object({
  presentation_id: z.string(),
  slides: z.number().describe("Slides after the change"),
  unsaved: z.boolean().describe("A file was saved before, and does not have this change"),
});

/** Tools that change the slides of a presentation. */
export function editTools(storeOf: StoreOf, check: AnswerCheck): readonly Tool[] {
  return [addSlide(storeOf, check), replaceSlide(storeOf, check), deleteSlide(storeOf), moveSlide(storeOf)];
}

function addSlide(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_add_slide",
    annotations: { title: "Add a slide", readOnly: false, destructive: false, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description:
      "Adds a slide. Say what it holds; layout, source marks and source lines are made for you. " +
      "The answer says what does not fit and how much room there is, and which statements its sources and charts do not have.",
    input: z.strictObject({
      presentation_id: presentationId,
      slide: slideArgument,
      position: z
        .number()
        .int()
        .min(1)
        .max(LIMITS.slides)
        .optional()
        .describe("Number it gets, the title slide is 1; at the end when absent"),
    }),
    async execute({ presentation_id, slide: argument, position }, context) {
      const slide = typedSlide(argument);
      let number = 0;
      let isRepeated = false;
      const after = await storeOf(context).update(presentation_id, (before) => {
        const same = before.slides.findIndex((other) => isDeepStrictEqual(other.slide, slide));
        isRepeated = same !== -1;
        if (isRepeated) {
          number = numberOf(before, same);
          return before;
        }
        if (before.slides.length >= LIMITS.slides) {
          throw new InputError(
            "input.too-large",
            `The presentation has ${LIMITS.slides} slides, and that is the most it can have. Remove some with powerpoint_delete_slide, or save it and start another.`,
          );
        }
        const added = withSlide(before.slides, slide, position);
        number = numberOf(added, added.index);
        return { ...before, slides: added.slides };
      });
      if (isRepeated) return repeated(after, number);
      return changed(`Added slide ${number}`, { after, slide, number, check });
    },
  });
}

/** A model that means another slide learns that it wrote the same one again. */
function repeated(after: Presentation, number: number) {
  const text = `Slide ${number} is the same as this; nothing was added. The presentation has ${slideCount(after)} slides. Add a slide with other content, or save with powerpoint_save_presentation.`;
  return {
    text,
    summary: `Slide ${number} is the same; nothing was added`,
    given: text,
    data: edited(after),
  };
}

function replaceSlide(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_replace_slide",
    annotations: { title: "Replace a slide", readOnly: false, destructive: true, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description:
      "Puts another slide in the place of one. Give the whole slide; powerpoint_get_slide returns what is there.",
    input: z.strictObject({
      presentation_id: presentationId,
      slide_number: slideNumber,
      // Its schema is that of powerpoint_add_slide, which every request carries already.
      slide: z.looseObject({}).describe("As in powerpoint_add_slide"),
    }),
    idempotent: true,
    async execute({ presentation_id, slide_number, slide: given }, context) {
      const slide = readSlide(given);
      const after = await storeOf(context).update(presentation_id, (before) => {
        if (slide_number === 1 && hasGeneratedCover(before) && slide.kind === "title")
          return { ...before, slides: withSlide(before.slides, slide).slides };
        const placed = slideAt(before, slide_number);
        const slides = before.slides.map((other) => (other === placed ? { ...other, slide } : other));
        return { ...before, slides };
      });
      return changed(`Replaced slide ${slide_number}`, { after, slide, number: slide_number, check });
    },
  });
}

interface Changed {
  readonly after: Presentation;
  readonly slide: SlideSpec;
  readonly number: number;
  readonly check: AnswerCheck;
}

/** Problems are reported at once, while the model still has the slide in mind. */
function changed(done: string, { after, slide, number, check }: Changed) {
  const title = slide.title === undefined ? "" : `: ${slide.title}`;
  const summary = `${done} (${slide.kind}${title}).${unsaved(after)}`;
  const fit = fitSlide(slide, { theme: after.theme });
  const open = summarizesLaterSlides(slide) ? [] : describeUnverified(checkSlide(after, number, check));
  return {
    text: [
      summary,
      ...(fit.fits ? [] : [`It does not fit: ${fit.text}`]),
      ...(open.length === 0 ? [] : ["Not found in the sources:", ...open, CORRECT]),
    ].join("\n"),
    summary,
    given: `${done}. The presentation has ${slideCount(after)} slides.`,
    data: edited(after),
  };
}

function deleteSlide(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_delete_slide",
    annotations: { title: "Delete a slide", readOnly: false, destructive: true, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description: "Removes a slide; those after it move up.",
    input: z.strictObject({ presentation_id: presentationId, slide_number: slideNumber }),
    async execute({ presentation_id, slide_number }, context) {
      const after = await storeOf(context).update(presentation_id, (before) => {
        slideAt(before, slide_number);
        return { ...before, slides: withoutSlide(before.slides, indexOf(before, slide_number)) };
      });
      return {
        text: `Removed slide ${slide_number}. Slides now: ${slideCount(after)}.${unsaved(after)}`,
        data: edited(after),
      };
    },
  });
}

function moveSlide(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_move_slide",
    annotations: { title: "Move a slide", readOnly: false, destructive: false, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description: "Moves a slide to another place.",
    input: z.strictObject({ presentation_id: presentationId, slide_number: slideNumber, to: slideNumber }),
    async execute({ presentation_id, slide_number, to }, context) {
      const after = await storeOf(context).update(presentation_id, (before) => {
        slideAt(before, slide_number);
        slideAt(before, to);
        const slides = withMoved(before.slides, indexOf(before, slide_number), indexOf(before, to));
        return { ...before, slides };
      });
      return { text: `Moved slide ${slide_number} to ${to}.${unsaved(after)}`, data: edited(after) };
    },
  });
}

function edited(after: Presentation): z.input<typeof editedOutput> {
  return { presentation_id: after.id, slides: slideCount(after), unsaved: after.saved };
}

/** A file that was saved before this change does not have it, and nobody sees that until it is opened. */
function unsaved(after: Presentation): string {
  return after.saved
    ? " The saved file does not have this yet: call powerpoint_save_presentation again when you are done."
    : "";
}
