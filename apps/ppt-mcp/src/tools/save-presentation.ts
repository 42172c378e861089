import { setImmediate } from "node:timers/promises";

import {
  defineTool,
  InputError,
  resultTableSchema,
  ToolError,
  type AnswerCheck,
  type ArtifactStore,
  type Tool,
} from "@troupe/core";
import { BREAKING, cleanLine, lintDeck, PPTX_MEDIA_TYPE, writeDeck, type DeckLayout } from "@troupe/deck";
import { z } from "zod";

import {
  checkPresentation,
  checkSlide,
  summarizesLaterSlides,
  type PresentationCheck,
  type UnverifiedStatement,
} from "../check/check-slides.ts";
import { statementsOf } from "../check/slide-statements.ts";
import {
  CORRECT,
  describeUnsourced,
  describeUnverified,
  problemOf,
  withNotFoundNote,
} from "../check/describe-unverified.ts";
import { indexOf, numberOf, specOf, type Presentation } from "../state/presentation.ts";
import type { StoreOf } from "../state/presentation-store.ts";
import { presentationId } from "./arguments.ts";
import { describeProblems } from "./describe-problems.ts";
import { inTheFile, layoutOutput, numberInFile, outlineOf, outlineOutput } from "./read-tools.ts";

const savedOutput = layoutOutput.extend({
  presentation_id: z.string().describe("To change the presentation later"),
  file_name: z.string(),
  outline: outlineOutput,
  unverified: z
    .array(z.object({ slide: z.number(), place: z.string(), statement: z.string(), problem: z.string() }))
    .describe(
      "Statements that the sources of their slide do not have; all statements with figures where nothing was compared",
    ),
  compared: z.boolean().describe("False where no slide has sources and `known` is absent"),
});

/** Most texts and most tables that statements without sources are compared with. */
const MAX_KNOWN = 2_000;

export function savePresentation(deps: {
  readonly storeOf: StoreOf;
  readonly artifacts: ArtifactStore;
  readonly check: AnswerCheck;
}): Tool {
  return defineTool({
    name: "powerpoint_save_presentation",
    annotations: { title: "Save the presentation", readOnly: false, destructive: false, openWorld: false },
    output: { data: savedOutput },
    ordered: true,
    description:
      "Writes the presentation as a .pptx file and checks layout and statements. Call this last. Saving again replaces the file.",
    input: z.strictObject({
      presentation_id: presentationId,
      file_name: z
        .string()
        .max(300)
        .optional()
        .describe("Such as ai-strategy.pptx; after the title when absent"),
      sources_slide: z
        .boolean()
        .exactOptional()
        .describe("Whether a list of the sources is added at the end; as it was created when absent"),
      reviewed: z
        .array(
          z.strictObject({
            slide: z.number().int(),
            place: z.string().max(100),
            kind: z.enum(["contradicted", "not-there"]),
            words: z.string().max(2_000).describe("The words of the source that say otherwise"),
          }),
        )
        .max(200)
        .exactOptional()
        .describe("What a review of powerpoint_list_statements found: reported as not found in the sources"),
      known: z
        .strictObject({
          given: z.array(z.string()).max(MAX_KNOWN).describe("The request, and passages that were found"),
          tables: z.array(resultTableSchema).max(MAX_KNOWN),
        })
        .exactOptional()
        .describe("What figures and dates are compared with where no slide has sources"),
    }),
    idempotent: true,
    async execute({ presentation_id, file_name, sources_slide, reviewed = [], known }, context) {
      const { userId: owner = "", signal, log, progress } = context;
      const store = deps.storeOf(context);
      const stored = await store.read(presentation_id);
      const presentation =
        sources_slide === undefined || sources_slide === (stored.sourcesSlide ?? true)
          ? stored
          : await store.update(presentation_id, (one) => ({ ...one, sourcesSlide: sources_slide }));
      if (presentation.slides.length === 0) {
        throw new InputError(
          "input.invalid",
          "The presentation has no slides, so there is nothing to save. Add some with powerpoint_add_slide first.",
        );
      }
      const compared = await checkPresentation(presentation, deps.check, known);
      const checked = withReviewed(compared, presentation, reviewed);
      const { bytes, layout } = await writeDeck(specOf(withNotes(presentation, checked)), {
        clock: { now: () => presentation.updated },
      });
      progress?.({ message: "Checking the file", done: 1, total: 3 });
      const problems = await lintDeck(bytes);
      if (problems.some(({ rule }) => BREAKING.has(rule))) {
        throw new ToolError(
          "tool.failed",
          `The file would not open, so it was not saved. ${describeProblems(problems)}`,
        );
      }
      signal.throwIfAborted();
      progress?.({ message: "Storing the file", done: 2, total: 3 });
      const name = pptxName(file_name ?? presentation.title);
      const artifact = await deps.artifacts.put(bytes, { name, mediaType: PPTX_MEDIA_TYPE, owner });
      // The file is there: that a later change will not say it lacks it is no reason to call the saving failed.
      await store
        .markSaved(presentation_id)
        .catch((error: unknown) => log.warn("that a presentation was saved could not be noted", { error }));
      const count = layout.slides.length;
      return {
        text: [
          `Saved "${name}" with ${count} slides.`,
          ...inTheFile(presentation, layout).slice(1),
          describeProblems(problems),
          ...describeCheck(checked, layout),
          ...describeDoubtful(await doubtful(presentation, checked, deps.check), layout),
        ].join("\n"),
        summary: `Saved "${name}", ${count} slides`,
        // Without the name of the file, which the model chose.
        given: `Saved ${count} slides, with ${problems.length} layout problems.`,
        revisions: [{ of: presentation.id, artifact }],
        data: {
          presentation_id: presentation.id,
          file_name: name,
          outline: outlineOf(presentation),
          slides: count,
          problems: problems.map((problem) => ({ ...problem })),
          unverified: checked.unverified.map((one) => ({
            slide: numberInFile(layout, one.slide),
            place: one.statement.place,
            statement: one.statement.text,
            problem: problemOf(one),
          })),
          compared: checked.isCompared,
        },
      };
    },
  });
}

type Reviewed = readonly {
  readonly slide: number;
  readonly place: string;
  readonly kind: "contradicted" | "not-there";
  readonly words: string;
}[];

/** Adds what a review found; a statement has one finding at most. */
function withReviewed(
  checked: PresentationCheck,
  presentation: Presentation,
  reviewed: Reviewed,
): PresentationCheck {
  const found = reviewed.flatMap(({ slide, place, kind, words }): readonly UnverifiedStatement[] => {
    const spec = presentation.slides[indexOf(presentation, slide)]?.slide;
    const statement = spec && statementsOf(spec).find((one) => one.place === place);
    const isKnown = checked.unverified.some((one) => one.slide === slide && one.statement.place === place);
    return statement === undefined || isKnown ? [] : [{ slide, statement, finding: { kind, detail: words } }];
  });
  const unverified = [...checked.unverified, ...found].toSorted((a, b) => a.slide - b.slide);
  return { ...checked, unverified };
}

function describeCheck({ unverified, isCompared }: PresentationCheck, layout: DeckLayout): readonly string[] {
  const inFile = (number: number): number => numberInFile(layout, number);
  if (!isCompared)
    return ["Statements without sources were not checked.", ...describeUnsourced(unverified, inFile)];
  if (unverified.length === 0) return [];
  return [
    "Not found in the sources, as the notes of these slides say:",
    ...describeUnverified(unverified, inFile),
    `${CORRECT} Then save again. In your answer, name those that remain, each with its slide and its words.`,
  ];
}

/** What was named when a slide was added, holds for a person who is shown the file, and is still there. */
async function doubtful(
  presentation: Presentation,
  { unverified, isCompared }: PresentationCheck,
  check: AnswerCheck,
): Promise<readonly UnverifiedStatement[]> {
  if (!isCompared) return [];
  const found: UnverifiedStatement[] = [];
  for (const [index, { slide }] of presentation.slides.entries()) {
    if (!summarizesLaterSlides(slide))
      found.push(...checkSlide(presentation, numberOf(presentation, index), check));
    await setImmediate();
  }
  const isNamed = ({ slide, statement: { place } }: UnverifiedStatement): boolean =>
    unverified.some((one) => one.slide === slide && one.statement.place === place);
  return found.filter((one) => !isNamed(one));
}

function describeDoubtful(found: readonly UnverifiedStatement[], layout: DeckLayout): readonly string[] {
  if (found.length === 0) return [];
  return [
    "Not in the sources as they are, but perhaps computed from them:",
    ...describeUnverified(found, (number) => numberInFile(layout, number)),
  ];
}

function withNotes(presentation: Presentation, { unverified, isCompared }: PresentationCheck): Presentation {
  if (!isCompared) return presentation;
  const slides = presentation.slides.map(({ place, slide }, i) => ({
    place,
    slide: withNotFoundNote(
      slide,
      unverified.filter((one) => one.slide === numberOf(presentation, i)),
    ),
  }));
  return { ...presentation, slides };
}

/** A plain file name that ends in `.pptx`: no folders, nothing a file system or a header would trip over. */
export function pptxName(wanted: string): string {
  const last = cleanLine(wanted).split(/[/\\]/).at(-1) ?? "";
  const stem = last
    .replace(/\.pptx?$/i, "")
    .replace(/[<>:"|?*%\p{C}]/gu, "")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(0, 100);
  return `${stem === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? "presentation" : stem}.pptx`;
}
