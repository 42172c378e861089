import { chartSpecSchema, defineTool, resultTableSchema, type AnswerCheck, type Tool } from "@troupe/core";
import { fitSlide, layoutDeck, lintLayout, themeNamed, type DeckLayout, type SlideSpec } from "@troupe/deck";
import type { ChartSpec, Citation, ResultTable } from "@troupe/stream";
import { z } from "zod";

import { checkPresentation } from "../check/check-slides.ts";
import { passageKey, sourcesOf, statementsOf, tablesOf, type Statement } from "../check/slide-statements.ts";
import {
  coverOf,
  hasGeneratedCover,
  numberOf,
  slideCount,
  specOf,
  type Presentation,
} from "../state/presentation.ts";
import type { StoreOf } from "../state/presentation-store.ts";
import { presentationId, slideAt, slideNumber } from "./arguments.ts";
import { describeProblems } from "./describe-problems.ts";
import { slideAsGiven } from "./slide-argument.ts";

/** What the layout check found. */
export const layoutOutput = z.object({
  slides: z.number().describe("Slides in the file"),
  problems: z.array(z.object({ rule: z.string(), slide: z.number().exactOptional(), message: z.string() })),
});

/** The slides as they were given, after the generated title slide if there is one. */
export const outlineOutput = z.array(
  z.object({ slide: z.number(), kind: z.string(), title: z.string().exactOptional() }),
);

/** Tools that change nothing. Ordered, so that they see what calls before them in a round have changed. */
export function readTools(storeOf: StoreOf, check: AnswerCheck): readonly Tool[] {
  return [listSlides(storeOf), getSlide(storeOf), listStatements(storeOf, check)];
}

function listSlides(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_list_slides",
    annotations: { title: "List slides", readOnly: true, destructive: false, openWorld: false },
    output: {
      data: layoutOutput.extend({ presentation_id: z.string(), outline: outlineOutput }),
    },
    description:
      "Lists the slides with number, kind and title, how many the file will have, and what does not fit or would look wrong.",
    input: z.strictObject({ presentation_id: presentationId }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const { id, slides, title } = presentation;
      const outline = outlineOf(presentation);
      if (slides.length === 0)
        return {
          text: `"${title}"\nNo slides yet. Add one with powerpoint_add_slide.`,
          summary: "No slides",
          given: "0 slides",
          data: { presentation_id: id, slides: 0, outline: [], problems: [] },
        };
      const spec = specOf(presentation);
      const layout = layoutDeck(spec);
      const problems = lintLayout(layout, themeNamed(spec.theme));
      const lines = outline.map((one) => {
        const inFile = numberInFile(layout, one.slide);
        const moved = inFile === one.slide ? "" : ` (slide ${inFile} of the file)`;
        return `${one.slide}. ${one.kind}${one.title === undefined ? "" : `: ${one.title}`}${moved}`;
      });
      return {
        text: [`"${title}"`, ...lines, ...inTheFile(presentation, layout), describeProblems(problems)].join(
          "\n",
        ),
        summary: `${outline.length} slides`,
        given: `${outline.length} slides, ${layout.slides.length} in the file, ${problems.length} layout problems`,
        data: {
          presentation_id: id,
          slides: layout.slides.length,
          outline,
          problems: problems.map((problem) => ({ ...problem })),
        },
      };
    },
  });
}

export function outlineOf(presentation: Presentation): z.input<typeof outlineOutput> {
  const given = presentation.slides.map(({ slide }) => slide);
  const all = hasGeneratedCover(presentation) ? [coverOf(presentation), ...given] : given;
  return all.map(({ kind, title }, i) => ({
    slide: i + 1,
    kind,
    ...(title === undefined ? {} : { title }),
  }));
}

/** The number of a slide in the file, where earlier slides may take several. */
export function numberInFile({ slides }: Pick<DeckLayout, "slides">, number: number): number {
  const at = slides.findIndex(({ from }) => from === number - 1);
  return at === -1 ? number : at + 1;
}

function getSlide(storeOf: StoreOf): Tool {
  return defineTool({
    name: "powerpoint_get_slide",
    annotations: { title: "Read a slide", readOnly: true, destructive: false, openWorld: false },
    output: {
      citations: true,
      charts: true,
      tables: true,
      data: z.object({ presentation_id: z.string() }),
    },
    description:
      "Returns a slide as it was given, for powerpoint_replace_slide. Its sources stand in square brackets by their ids.",
    input: z.strictObject({ presentation_id: presentationId, slide_number: slideNumber }),
    idempotent: true,
    ordered: true,
    async execute({ presentation_id, slide_number }, context) {
      const presentation = await storeOf(context).read(presentation_id);
      const slide =
        slide_number === 1 && hasGeneratedCover(presentation)
          ? coverOf(presentation)
          : slideAt(presentation, slide_number).slide;
      const citations = namedBy<Citation>("source", passageKey);
      const charts = namedBy<ChartSpec>("chart", JSON.stringify);
      const tables = namedBy<ResultTable>("result", JSON.stringify);
      const given = slideAsGiven(slide, {
        cite: (citation) => `[${citations.nameOf(citation)}]`,
        chart: (chart) => `[${charts.nameOf(chart)}]`,
        result: (origin) => {
          const chart = chartSpecSchema.safeParse(origin);
          if (chart.success) return `[${charts.nameOf(chart.data)}]`;
          const table = resultTableSchema.safeParse(origin);
          return table.success ? `[${tables.nameOf(table.data)}]` : "";
        },
      });
      return {
        text: JSON.stringify(given),
        summary: `Slide ${slide_number} (${slide.kind})`,
        given: `Slide ${slide_number} of ${slideCount(presentation)}`,
        citations: citations.all(),
        charts: charts.all(),
        tables: tables.all(),
        data: { presentation_id: presentation.id },
      };
    },
  });
}

/** Gives things ids of their own in one result, each thing one id. */
function namedBy<T extends { readonly id: string }>(
  name: string,
  keyOf: (one: T) => string,
): { readonly nameOf: (one: T) => string; readonly all: () => readonly T[] } {
  const named = new Map<string, T>();
  return {
    nameOf(one) {
      const key = keyOf(one);
      const id = named.get(key)?.id ?? `${name}-${named.size + 1}`;
      named.set(key, { ...one, id });
      return id;
    },
    all: () => [...named.values()],
  };
}

const statementsOutput = z.object({
  statements: z.array(
    z.object({
      slide: z.number().describe("Number of the slide"),
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
  const chartNumber = (table: ResultTable): number => {
    const chart = bounded(table);
    return chartPlace(JSON.stringify(chart), chart);
  };
  const statements = presentation.slides.flatMap(({ slide }, index) =>
    statementsOf(slide).flatMap((statement) => {
      const { place, text, kind } = statement;
      const number = numberOf(presentation, index);
      const isFound = unverified.some((one) => one.slide === number && one.statement.place === place);
      const rests = evidenceFor(statement, slide);
      if (rests.citations.length + rests.charts.length === 0 || kind === "quote" || isFound) return [];
      return [
        {
          slide: number,
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
): { readonly citations: readonly Citation[]; readonly charts: readonly ResultTable[] } {
  const charts = tablesOf(slide);
  if (sources.length > 0)
    return { citations: sources, charts: place.startsWith("statement in more") ? [] : charts };
  return { citations: charts.length > 0 ? [] : sourcesOf(slide).citations, charts };
}

function bounded({
  title = "",
  columns,
  rows,
}: ResultTable): z.infer<typeof statementsOutput>["charts"][number] {
  const cut = <T>(cell: T): T | string => (typeof cell === "string" ? cell.slice(0, MAX_TEXT) : cell);
  return {
    title: title.slice(0, MAX_TEXT),
    columns: columns.map((name) => name.slice(0, MAX_TEXT)),
    rows: rows.slice(0, MAX_ROWS).map((row) => row.map(cut)),
  };
}

/** How many slides the file has, and which of the presentation take more than one, or none. */
export function inTheFile(
  presentation: Presentation,
  { slides: laid, added }: Pick<DeckLayout, "slides" | "added">,
): readonly string[] {
  const parts = [
    ...(hasGeneratedCover(presentation) ? ["a title slide"] : []),
    ...(added.length === 0 ? [] : ["a list of sources at the end"]),
  ];
  const more = parts.length === 0 ? "" : `, with ${parts.join(" and ")} added`;
  return [
    `${laid.length} slides in the file${more}.`,
    ...presentation.slides.flatMap(({ slide }, i) => {
      const number = numberOf(presentation, i);
      const count = laid.filter((one) => one.from === number - 1).length;
      if (count === 0) return [`Slide ${number} (${slide.kind}) has nothing to show and is left out.`];
      if (count === 1 || slide.kind === "sources") return [];
      const { text } = fitSlide(slide, { theme: presentation.theme });
      return [`Slide ${number} (${slide.kind}) takes ${count} slides. ${text}`];
    }),
  ];
}
