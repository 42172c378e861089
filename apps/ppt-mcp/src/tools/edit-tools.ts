import { describeIssues, defineTool, InputError, type AnswerCheck, type Tool } from "@troupe/core";
import { LIMITS, pointSchema, slideFields, slideSchema, sourceSchema, type SlideSpec } from "@troupe/deck";
import { z } from "zod";

import { checkSlide, summarizesLaterSlides } from "../check/check-slides.ts";
import { describeUnverified } from "../check/describe-unverified.ts";
import { withMoved, withoutSlide, withSlide, type Presentation } from "../state/presentation.ts";
import type { PresentationStore, StoreOf } from "../state/presentation-store.ts";
import { presentationId, slideAt, slideNumber } from "./arguments.ts";
import { slideArgument, typedSlide } from "./slide-argument.ts";

const PLACEHOLDERS = ["title", "subtitle", "author", "date", "quote", "by", "contact", "notes"] as const;

const editedOutput = z.object({
  slides: z.number().describe("Slides after the change"),
  unsaved: z.boolean().describe("A file was saved before, and does not have this change"),
});

/** Tools that change the slides of a presentation. */
export function editTools(storeOf: StoreOf, check: AnswerCheck): readonly Tool[] {
  return [
    addSlide(storeOf, check),
    addText(storeOf, check),
    populatePlaceholder(storeOf, check),
    deleteSlide(storeOf),
    moveSlide(storeOf),
  ];
}

function addSlide(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_add_slide",
    annotations: { title: "Add a slide", readOnly: false, destructive: false, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description:
      "Adds one typed slide: title, agenda, section, bullets, two-columns, chart, table, quote, sources or closing. " +
      "Say what it holds; layout, source marks [n], source lines and the list of sources are made for you. " +
      "What the slide states is compared with its sources and charts; the answer names what they do not have.",
    input: z.strictObject({
      presentation_id: presentationId,
      slide: slideArgument,
      position: z
        .number()
        .int()
        .min(1)
        .max(LIMITS.slides)
        .optional()
        .describe("Place in the deck, counted from 1. At the end when absent."),
    }),
    async execute({ presentation_id, slide: argument, position }, context) {
      const slide = typedSlide(argument);
      let number = 0;
      const after = await storeOf(context).update(presentation_id, (before) => {
        if (before.slides.length >= LIMITS.slides) {
          throw new InputError(
            "input.too-large",
            `The presentation has ${LIMITS.slides} slides, and that is the most it can have. Remove some with powerpoint_delete_slide, or save it and start another.`,
          );
        }
        const added = withSlide(before.slides, slide, position);
        number = added.number;
        return { ...before, slides: added.slides };
      });
      const added = `Added slide ${number} (${slide.kind}${slide.title === undefined ? "" : `: ${slide.title}`}).${unsaved(after)}`;
      const notFound = summarizesLaterSlides(slide) ? "" : unverified(after, number, check);
      return {
        text: `${added}${notFound}`,
        summary: added,
        given: `Added slide ${number}. ${countOf(after)}`,
        data: edited(after),
      };
    },
  });
}

function addText(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_add_text",
    annotations: { title: "Add text to a slide", readOnly: false, destructive: false, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description:
      "Adds one statement to a slide that is there: a point on bullets, two-columns or closing, a takeaway beside a chart, an item of the agenda.",
    input: z.strictObject({
      presentation_id: presentationId,
      slide_number: slideNumber,
      text: z.string().trim().min(1).max(LIMITS.bulletChars),
      column: z.enum(["left", "right"]).optional().describe("For two-columns; left when absent."),
      sources: z
        .array(sourceSchema)
        .max(LIMITS.sources)
        .optional()
        .describe("Citations the statement rests on."),
    }),
    async execute({ presentation_id, slide_number, text, column, sources }, context) {
      const point = pointSchema.parse({ text, ...(sources === undefined ? {} : { sources }) });
      const after = await changeSlide(storeOf(context), presentation_id, slide_number, (slide) =>
        withPoint(slide, point, column ?? "left"),
      );
      return {
        text: `Added the text to slide ${slide_number}.${unsaved(after)}${unverified(after, slide_number, check)}`,
        given: `Added the text to slide ${slide_number}.`,
        data: edited(after),
      };
    },
  });
}

function withPoint(
  slide: SlideSpec,
  point: z.output<typeof pointSchema>,
  column: "left" | "right",
): SlideSpec {
  switch (slide.kind) {
    case "bullets":
      return { ...slide, points: [...slide.points, point] };
    case "closing":
      return { ...slide, points: [...(slide.points ?? []), point] };
    case "two-columns":
      return { ...slide, [column]: { ...slide[column], points: [...slide[column].points, point] } };
    case "chart":
      return { ...slide, takeaways: [...(slide.takeaways ?? []), point] };
    case "agenda":
      return { ...slide, items: [...slide.items, point.text] };
    default:
      throw new InputError(
        "input.unsupported",
        `A slide of kind "${slide.kind}" has no list to add text to. Use powerpoint_populate_placeholder for its fields, or add another slide.`,
      );
  }
}

function populatePlaceholder(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_populate_placeholder",
    annotations: { title: "Set a field of a slide", readOnly: false, destructive: true, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description:
      "Sets one text field of a slide that is there, replacing what it held: its title, subtitle, quote, notes and so on.",
    input: z.strictObject({
      presentation_id: presentationId,
      slide_number: slideNumber,
      placeholder: z.enum(PLACEHOLDERS),
      text: z.string().max(LIMITS.notesChars),
    }),
    idempotent: true,
    async execute({ presentation_id, slide_number, placeholder, text }, context) {
      const after = await changeSlide(storeOf(context), presentation_id, slide_number, (slide) => {
        const fields = slideFields(slide.kind);
        if (!fields.includes(placeholder)) {
          const there = PLACEHOLDERS.filter((name) => fields.includes(name)).join(", ");
          throw new InputError(
            "input.unsupported",
            `A slide of kind "${slide.kind}" has no ${placeholder}. It has: ${there}.`,
          );
        }
        return { ...slide, [placeholder]: text };
      });
      return {
        text: `Set the ${placeholder} of slide ${slide_number}.${unsaved(after)}${unverified(after, slide_number, check)}`,
        given: `Set the ${placeholder} of slide ${slide_number}.`,
        data: edited(after),
      };
    },
  });
}

function deleteSlide(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_delete_slide",
    annotations: { title: "Delete a slide", readOnly: false, destructive: true, openWorld: false },
    output: { data: editedOutput },
    ordered: true,
    description: "Removes one slide; those after it move up.",
    input: z.strictObject({ presentation_id: presentationId, slide_number: slideNumber }),
    async execute({ presentation_id, slide_number }, context) {
      const after = await storeOf(context).update(presentation_id, (before) => {
        slideAt(before, slide_number);
        return { ...before, slides: withoutSlide(before.slides, slide_number) };
      });
      return {
        text: `Removed slide ${slide_number}; ${after.slides.length} are left.${unsaved(after)}`,
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
    description: "Moves one slide to another place.",
    input: z.strictObject({ presentation_id: presentationId, slide_number: slideNumber, to: slideNumber }),
    async execute({ presentation_id, slide_number, to }, context) {
      const after = await storeOf(context).update(presentation_id, (before) => {
        slideAt(before, slide_number);
        slideAt(before, to);
        return { ...before, slides: withMoved(before.slides, slide_number, to) };
      });
      return { text: `Moved slide ${slide_number} to ${to}.${unsaved(after)}`, data: edited(after) };
    },
  });
}

const countOf = ({ slides }: Presentation): string => `The presentation has ${slides.length} slides.`;

function edited({ slides, saved }: Presentation): z.input<typeof editedOutput> {
  return { slides: slides.length, unsaved: saved };
}

/** A file that was saved before this change does not have it, and nobody sees that until it is opened. */
function unsaved(after: Presentation): string {
  return after.saved
    ? " The saved file does not have this yet: call powerpoint_save_presentation again when you are done."
    : "";
}

/** What the sources of a slide do not have, with what to do; empty where everything is there. */
function unverified(after: Presentation, number: number, check: AnswerCheck): string {
  const lines = describeUnverified(checkSlide(after, number, check));
  return lines.length === 0 ? "" : ["\nNot found in the sources:", ...lines].join("\n");
}

/** Changes one slide; what comes out must be a slide again. */
async function changeSlide(
  store: PresentationStore,
  id: string,
  number: number,
  change: (slide: SlideSpec) => SlideSpec,
): Promise<Presentation> {
  return store.update(id, (before): Presentation => {
    const placed = slideAt(before, number);
    const parsed = slideSchema.safeParse(change(placed.slide));
    if (!parsed.success) {
      const issues = describeIssues(parsed.error, "slide");
      throw new InputError("input.invalid", `Slide ${number} was not changed:\n- ${issues.join("\n- ")}`, {
        issues,
      });
    }
    const slides = before.slides.map((other) =>
      other === placed ? { ...other, slide: parsed.data } : other,
    );
    return { ...before, slides };
  });
}
