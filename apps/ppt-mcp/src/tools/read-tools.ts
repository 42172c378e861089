import { chartTable, defineTool, type AnswerCheck, type Tool } from "@troupe/core";
import { layoutDeck, lintLayout, themeNamed, type SlideSpec } from "@troupe/deck";
import type { ChartSpec, Citation } from "@troupe/stream";
import { z } from "zod";

import { checkPresentation } from "../check/check-slides.ts";
import { chartsOf, passageKey, sourcesOf, statementsOf, type Statement } from "../check/slide-statements.ts";
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
        given: `${slides.length} slides`,
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
      charts: z.array(z.number()).describe("Places in charts, counted from 0"),
    }),
  ),
  passages: z.array(z.object({ document: z.string(), text: z.string() })),
  charts: z.array(
    z.object({
      title: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    }),
  ),
});

/** Rows of a chart, and characters of one of its texts, that a review sees. */
const MAX_ROWS = 100;
const MAX_TEXT = 200;

/** For a reviewer that sees what rules cannot: negations, comparisons, swapped subjects. */
function listStatements(storeOf: StoreOf, check: AnswerCheck): Tool {
  return defineTool({
    name: "powerpoint_list_statements",
    annotations: { title: "List statements", readOnly: true, destructive: false, openWorld: false },
    output: { data: statementsOutput },
    description:
      "Lists the statements of the slides that rest on passages or charts and hold by the rules, with these, for a review.",
    input: z.strictObject({ presentation_id: presentationId }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const data = await citedStatements(presentation, check);
      const text = `${data.statements.length} statements rest on ${data.passages.length} passages and ${data.charts.length} charts.`;
      return { text, summary: text, given: text, data };
    },
  });
}

/** Statements with a source or chart and without a finding, and the passages and charts they rest on, each once. */
async function citedStatements(
  presentation: Presentation,
  check: AnswerCheck,
): Promise<z.infer<typeof statementsOutput>> {
  const { unverified } = await checkPresentation(presentation, check);
  const passages: { document: string; text: string }[] = [];
  const passagePlace = placesIn(passages);
  const passageNumber = (citation: Citation): number =>
    passagePlace(passageKey(citation), {
      document: citation.document,
      text: citation.passage ?? citation.quote,
    });
  const charts: z.infer<typeof statementsOutput>["charts"] = [];
  const chartPlace = placesIn(charts);
  const chartNumber = (spec: ChartSpec): number => {
    const chart = boundedChart(spec);
    return chartPlace(JSON.stringify(chart), chart);
  };
  const statements = presentation.slides.flatMap(({ slide }, index) =>
    statementsOf(slide).flatMap((statement) => {
      const { place, text, kind } = statement;
      const isFound = unverified.some((one) => one.slide === index + 1 && one.statement.place === place);
      const rests = evidenceFor(statement, slide);
      if (rests.citations.length + rests.charts.length === 0 || kind === "quote" || isFound) return [];
      return [
        {
          slide: index + 1,
          place,
          text,
          passages: [...new Set(rests.citations.map(passageNumber))],
          charts: [...new Set(rests.charts.map(chartNumber))],
        },
      ];
    }),
  );
  return { statements, passages, charts };
}

/** Adds an item to a list unless its key is known, and gives its place. */
function placesIn<T>(list: T[]): (key: string, item: T) => number {
  const places = new Map<string, number>();
  return (key, item) => {
    const place = places.get(key) ?? list.push(item) - 1;
    places.set(key, place);
    return place;
  };
}

/** The evidence of one statement: its sources and charts. Beside a chart, sources of other statements do not count. */
function evidenceFor(
  { place, sources }: Statement,
  slide: SlideSpec,
): { readonly citations: readonly Citation[]; readonly charts: readonly ChartSpec[] } {
  const charts = chartsOf(slide);
  if (sources.length > 0)
    return { citations: sources, charts: place.startsWith("statement in more") ? [] : charts };
  return { citations: charts.length > 0 ? [] : sourcesOf(slide).citations, charts };
}

function boundedChart(chart: ChartSpec): z.infer<typeof statementsOutput>["charts"][number] {
  const { title = "", columns, rows } = chartTable(chart);
  const cut = <T>(cell: T): T | string => (typeof cell === "string" ? cell.slice(0, MAX_TEXT) : cell);
  return {
    title: title.slice(0, MAX_TEXT),
    columns: columns.map((name) => name.slice(0, MAX_TEXT)),
    rows: rows.slice(0, MAX_ROWS).map((row) => row.map(cut)),
  };
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
        given: `${layout.slides.length} slides in the file, ${problems.length} layout problems`,
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
