import { chartEvidence, chartSpecSchema, chartTable, resultTableSchema } from "@troupe/core";
import type { Point, SlideSpec } from "@troupe/deck";
import type { ChartSpec, Citation, ResultTable } from "@troupe/stream";

import { isWritten } from "../tools/slide-argument.ts";

/** Something a slide states, as it is compared with sources. */
export interface Statement {
  /** Where it is on the slide: `title`, `point 2`, `row 3`. */
  readonly place: string;
  /** Which text of the slide it is; absent for what its body states. */
  readonly field?: "title" | "subtitle" | "quote" | "by" | "notes";
  readonly kind: "text" | "row" | "quote";
  /** Cells of a row are separated by ` | `. */
  readonly text: string;
  /** Its own sources; those of the slide where it has none. */
  readonly sources: readonly Citation[];
  /** Names are not compared: in a headline every word is capitalised, and notes speak to the presenter. */
  readonly ignoresNames?: boolean;
  /** Nor are counts: `5 of 12 dates have passed` in notes is counted over several slides. */
  readonly ignoresCounts?: boolean;
}

/** The sources of a slide, each passage once, and its charts as tables. */
export interface SlideSources {
  readonly citations: readonly Citation[];
  readonly tables: readonly ResultTable[];
}

/** Everything on a slide that may make a claim. Authors and contacts do not, nor do headings of columns without figures. */
export function statementsOf(slide: SlideSpec): readonly Statement[] {
  const sources = slide.sources ?? [];
  const text = (place: string, value: string | undefined): readonly Statement[] =>
    value === undefined || value.trim() === "" ? [] : [{ place, kind: "text", text: value, sources }];
  const withFigures = (place: string, value: string | undefined): readonly Statement[] =>
    /\d/.test(value ?? "") ? text(place, value) : [];
  const points = (place: string, list: readonly Point[] = []): readonly Statement[] =>
    list.map((point, i) => ({
      place: `${place} ${i + 1}`,
      kind: "text",
      text: "figure" in point ? `${point.figure}: ${point.text}` : point.text,
      sources: ("sources" in point ? point.sources : undefined) ?? sources,
    }));
  const title = slide.title?.replace(PART_NUMBER, "");
  const common = [
    ...text("title", title).map((one): Statement => ({
      ...one,
      field: "title",
      ignoresNames: isHeadline(one.text),
    })),
    ...("subtitle" in slide ? withFigures("subtitle", slide.subtitle) : []).map((one): Statement => ({
      ...one,
      field: "subtitle",
    })),
  ];
  const noted = [
    ...points("statement in more", slide.more),
    ...(slide.notes ?? "").split("\n").flatMap((line): readonly Statement[] =>
      text("notes", line).map((one) => ({
        ...one,
        field: "notes",
        ignoresNames: true,
        ignoresCounts: true,
      })),
    ),
  ];
  return [...common, ...bodyOf(slide, { points, text, withFigures }), ...noted];
}

const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d| %)/g;

/** Whether a statement has a figure other than years and names such as `Q1`; in notes also other than counts. */
export function hasFigures({ text, ignoresCounts = false }: Statement): boolean {
  const figures = text.replaceAll(YEAR, " ").match(/(?<![\p{L}\p{N}])\d[\d.,]*(?:\s?%)?/gu) ?? [];
  return figures.some((figure) => !ignoresCounts || !/^\d{1,2}[.,]?$/.test(figure));
}

interface Readers {
  readonly points: (place: string, list?: readonly Point[]) => readonly Statement[];
  readonly text: (place: string, value: string | undefined) => readonly Statement[];
  readonly withFigures: (place: string, value: string | undefined) => readonly Statement[];
}

function bodyOf(slide: SlideSpec, { points, text, withFigures }: Readers): readonly Statement[] {
  const { sources = [] } = slide;
  switch (slide.kind) {
    case "agenda":
      return slide.items.flatMap((item, i) =>
        text(`item ${i + 1}`, item).map((one): Statement => ({ ...one, ignoresNames: isHeadline(item) })),
      );
    case "bullets":
    case "closing":
      return points("point", slide.points);
    case "two-columns":
      return (["left", "right"] as const).flatMap((side) => [
        ...withFigures(`${side} heading`, slide[side].heading),
        ...points(`${side} point`, slide[side].points),
      ]);
    case "chart":
      return [
        ...(isWritten(slide.chart) ? chartRows(slide.chart, sources) : []),
        ...points("takeaway", slide.takeaways),
      ];
    case "table":
      return [
        ...slide.columns.flatMap((column, i) =>
          columnHasFigures(column)
            ? text(`heading of column ${i + 1}`, column).map((one): Statement => ({
                ...one,
                ignoresNames: true,
                ignoresCounts: true,
              }))
            : [],
        ),
        ...slide.rows.map((row, i): Statement => ({
          place: `row ${i + 1}`,
          kind: "row",
          text: row.map((cell) => String(cell ?? "").replaceAll("|", "/")).join(" | "),
          sources,
        })),
      ];
    case "quote":
      return [
        { place: "quote", kind: "quote", text: slide.quote, sources, field: "quote" },
        ...text("by", slide.by).map((one): Statement => ({ ...one, field: "by" })),
      ];
    default:
      return [];
  }
}

/** Rows of a chart as those of a table. Its unit is that of the whole chart, and often stands outside the passage. */
function chartRows(chart: ChartSpec, sources: readonly Citation[]): readonly Statement[] {
  const { series, rows, x } = chart;
  return rows.map((row, i): Statement => {
    const figures = series.map(({ field }) => String(row[field] ?? ""));
    const label = String((x && row[x.field]) ?? "").replaceAll("|", "/");
    return { place: `row ${i + 1}`, kind: "row", text: [label, ...figures].join(" | "), sources };
  });
}

/** `1,000`, `'000`: the scale of a column. */
const COLUMN_SCALE = /(?<!\d)(?:1[.,' ]?)?['’]?0{3}(?:[.,' ]?0{3}){0,3}(?!\d)/g;

function columnHasFigures(text: string): boolean {
  const rest = text.replaceAll(COLUMN_SCALE, " ");
  return hasFigures({ place: "", kind: "text", text: rest, sources: [], ignoresCounts: true });
}

/** `(2/3)` of a slide that continues another. */
const PART_NUMBER = /\s*\(\d{1,3}\/\d{1,3}\)\s*$/;

/** Whether words are capitalised as in a headline, so that capitals tell no names: `Key Risks and Mitigations`. */
function isHeadline(title: string): boolean {
  const words = (title.match(/\p{L}[\p{L}'’-]*/gu) ?? []).slice(1);
  const capitalised = words.filter((word) => /^\p{Lu}/u.test(word));
  const small = words.filter((word) => !capitalised.includes(word));
  if (capitalised.length !== small.length) return capitalised.length > small.length;
  return small.every((word) => word.length < 4);
}

/** What a slide brings to compare its statements with. A chart in `data` without rows brings nothing. */
export function sourcesOf(slide: SlideSpec): SlideSources {
  const points: readonly Point[] = [
    ...("points" in slide ? (slide.points ?? []) : []),
    ...("left" in slide ? [...slide.left.points, ...slide.right.points] : []),
    ...("takeaways" in slide ? (slide.takeaways ?? []) : []),
    ...(slide.more ?? []),
  ];
  const cited = [
    ...(slide.sources ?? []),
    ...points.flatMap((point) => ("sources" in point ? (point.sources ?? []) : [])),
  ];
  return {
    citations: [...new Map(cited.map((citation) => [passageKey(citation), citation])).values()],
    tables: [
      ...chartsOf(slide).flatMap((chart) => [chartEvidence(chart), ...yearTotals(chart)]),
      ...resultsOf(slide),
    ],
  };
}

/** Its own chart, unless a model wrote the figures, and those in `data` that have rows. */
function chartsOf(slide: SlideSpec): readonly ChartSpec[] {
  return [
    ...(slide.kind === "chart" && !isWritten(slide.chart) ? [slide.chart] : []),
    ...(slide.data ?? []).flatMap((origin) => {
      const chart = chartSpecSchema.safeParse(origin);
      return chart.success ? [chart.data] : [];
    }),
  ];
}

/** The query results in `data`. */
function resultsOf(slide: SlideSpec): readonly ResultTable[] {
  return (slide.data ?? []).flatMap((origin) => {
    const table = resultTableSchema.safeParse(origin);
    return table.success ? [table.data] : [];
  });
}

/** Charts and query results that the statements of a slide rest on, as a reader sees them. */
export const tablesOf = (slide: SlideSpec): readonly ResultTable[] => [
  ...chartsOf(slide).map(chartTable),
  ...resultsOf(slide),
];

/** What the rows of each year add up to, where a chart is by quarter or month: statements are often by year. */
function yearTotals(chart: ChartSpec): readonly ResultTable[] {
  const table = chartEvidence(chart);
  if (chart.x === undefined || chart.kind === "scatter") return [];
  const years = Map.groupBy(table.rows, ([x]) => /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(String(x))?.[0]);
  if (years.has(undefined) || years.size < 2 || years.size === table.rows.length) return [];
  const rows = [...years].map(([year, of]) => [
    Number(year),
    ...chart.series.map((_, i) => of.reduce((sum, row) => sum + Number(row[i + 1] ?? 0), 0)),
  ]);
  return [{ ...table, columns: ["Year", ...table.columns.slice(1)], rows }];
}

export function passageKey({ collection, source, chunkId, start, end, quote }: Citation): string {
  return JSON.stringify([collection, source, chunkId, start, end, quote]);
}

/** How many of each thing a slide shows, which its title may count: points, rows, rows with the same cell. */
export function countsOf(slide: SlideSpec): readonly number[] {
  switch (slide.kind) {
    case "agenda":
      return [slide.items.length];
    case "bullets":
    case "closing":
      return [slide.points?.length ?? 0];
    case "two-columns":
      return [slide.left.points.length, slide.right.points.length];
    case "chart":
      return [slide.chart.rows.length, slide.chart.series.length];
    case "table": {
      const same = slide.columns.flatMap((_, column) => [
        ...Map.groupBy(slide.rows, (row) => row[column]).values(),
      ]);
      return [slide.rows.length, ...same.map((rows) => rows.length)];
    }
    default:
      return [];
  }
}
