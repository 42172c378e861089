import { defineTool, type AnswerCheck, type Tool } from "@troupe/core";
import { layoutDeck, lintLayout, themeNamed } from "@troupe/deck";
import type { Citation } from "@troupe/stream";
import { z } from "zod";

import { checkPresentation } from "../check/check-slides.ts";
import { passageKey, sourcesOf, statementsOf } from "../check/slide-statements.ts";
import { specOf, type Presentation } from "../state/presentation.ts";
import type { StoreOf } from "../state/presentation-store.ts";
import { presentationId } from "./arguments.ts";
import { describeProblems } from "./describe-problems.ts";

/** What the layout check found. */
export const layoutOutput = z.object({
  slides: z.number().describe("Slides in the file"),
  problems: z.array(z.object({ rule: z.string(), slide: z.number().exactOptional(), message: z.string() })),
});

/** Tools that change nothing. Ordered, so that they see what calls before them in a round have changed. */
export function readTools(storeOf: StoreOf, check: AnswerCheck): readonly Tool[] {
  return [listSlides(storeOf), listStatements(storeOf, check), checkLayout(storeOf)];
}

function listSlides(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_list_slides",
    annotations: { title: "List slides", readOnly: true, destructive: false, openWorld: false },
    output: { data: z.object({ slides: z.number() }) },
    description: "Lists the slides of a presentation with number, kind and title.",
    input: z.strictObject({ presentation_id: presentationId }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const { slides, title } = presentation;
      const lines = slides.map(
        ({ slide }, i) => `${i + 1}. ${slide.kind}${slide.title === undefined ? "" : `: ${slide.title}`}`,
      );
      const text =
        lines.length === 0 ? "No slides yet. Add one with powerpoint_add_slide." : lines.join("\n");
      return {
        text: `"${title}"\n${text}`,
        summary: `${slides.length} slides`,
        data: { slides: lines.length },
      };
    },
  });
}

const statementsOutput = z.object({
  statements: z.array(
    z.object({
      slide: z.number().describe("Number of the slide, counted from 1"),
      place: z.string().describe("Where it is on the slide, such as title or point 2"),
      text: z.string(),
      passages: z.array(z.number()).describe("Places in passages, counted from 0"),
    }),
  ),
  passages: z.array(z.object({ document: z.string(), text: z.string() })),
});

/** For a reviewer that sees what rules cannot: negations, comparisons, swapped subjects. */
function listStatements(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_list_statements",
    annotations: { title: "List statements", readOnly: true, destructive: false, openWorld: false },
    output: { data: statementsOutput },
    description:
      "Lists the statements of the slides that cite passages and hold by the rules, with these passages, for a review.",
    input: z.strictObject({ presentation_id: presentationId }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const data = await citedStatements(presentation, check);
      const text = `${data.statements.length} statements cite ${data.passages.length} passages.`;
      return { text, summary: text, data };
    },
  });
}

/** Statements with a source and without a finding, and the passages they cite, each once. */
async function citedStatements(
  presentation: Presentation,
  check: AnswerCheck,
): Promise<z.infer<typeof statementsOutput>> {
  const { unverified } = await checkPresentation(presentation, check);
  const numbers = new Map<string, number>();
  const passages: { document: string; text: string }[] = [];
  const numberOf = (citation: Citation): number => {
    const key = passageKey(citation);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    passages.push({ document: citation.document, text: citation.passage ?? citation.quote });
    numbers.set(key, passages.length - 1);
    return passages.length - 1;
  };
  const statements = presentation.slides.flatMap(({ slide }, index) => {
    const { citations } = sourcesOf(slide);
    return statementsOf(slide).flatMap(({ place, text, kind, sources }) => {
      const isFound = unverified.some((one) => one.slide === index + 1 && one.statement.place === place);
      const cited = sources.length > 0 ? sources : citations;
      if (cited.length === 0 || kind === "quote" || isFound) return [];
      return [{ slide: index + 1, place, text, passages: [...new Set(cited.map(numberOf))] }];
    });
  });
  return { statements, passages };
}

function checkLayout(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_check_layout",
    annotations: { title: "Check the layout", readOnly: true, destructive: false, openWorld: false },
    output: { data: layoutOutput },
    description:
      "Lays the slides out as they will be saved and reports what would look wrong, and which slides had to continue on a second one because of too many words.",
    input: z.strictObject({ presentation_id: presentationId }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const spec = specOf(presentation);
      const layout = layoutDeck(spec);
      const problems = lintLayout(layout, themeNamed(spec.theme));
      return {
        text: [
          `${layout.slides.length} slides in the file.`,
          ...otherThanOne(presentation, layout.slides),
          describeProblems(problems),
        ].join("\n"),
        summary: problems.length === 0 ? "Layout is fine" : `${problems.length} layout problems`,
        data: { slides: layout.slides.length, problems: problems.map((problem) => ({ ...problem })) },
      };
    },
  });
}

/** Slides of the spec that take more than one in the file, or none. */
export function otherThanOne(
  presentation: Presentation,
  laid: readonly { readonly from?: number; readonly title: string }[],
): readonly string[] {
  const offset = presentation.slides.some(({ slide }) => slide.kind === "title") ? 0 : 1;
  return presentation.slides.flatMap(({ slide }, i) => {
    const parts = laid.filter((one) => one.from === i + offset).length;
    if (parts === 0) return [`Slide ${i + 1} (${slide.kind}) has nothing to show and is left out.`];
    return parts === 1 || slide.kind === "sources"
      ? []
      : [
          `Slide ${i + 1} (${slide.kind}) holds more than one slide can show and continues on ${parts} slides.`,
        ];
  });
}
