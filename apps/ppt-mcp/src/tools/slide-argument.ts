import { describeIssues, InputError } from "@troupe/core";
import {
  chartSchema,
  originSchema,
  SLIDE_KINDS,
  slideFields,
  slideSchema,
  sourceSchema,
  type SlideSpec,
} from "@troupe/deck";
import type { ChartField, ChartSpec, Citation } from "@troupe/stream";
import { z } from "zod";

// Bounds of texts and lists are those of `slideSchema`; here they would only lengthen what every request carries.
const text = (description: string) => z.string().optional().describe(description);
const sources = z.array(sourceSchema);
const point = z
  .union([
    z.string(),
    z.strictObject({
      text: z.string(),
      figure: z
        .string()
        .optional()
        .describe(
          "Key number above its label, such as 38 %. Two to six points with a figure become cards, with up to two plain points below them",
        ),
      sources: sources.optional(),
    }),
  ])
  .meta({ id: "point" });
const points = (description: string) => z.array(point).optional().describe(description);
const column = z.strictObject({ heading: z.string().optional(), points: z.array(point) }).optional();

/** How the columns and rows of a slide are drawn. */
const drawn = z.strictObject({
  kind: z.enum(["bar", "column", "line", "area", "pie", "scatter", "number"]),
  title: z.string().optional(),
  unit: z.string().optional().describe("Such as EUR million"),
  decimals: z.number().int().min(0).max(6).optional(),
  stacked: z.boolean().optional(),
  labels: z.boolean().optional(),
  highlight: z.array(z.string()).optional(),
});

/**
 * The slide as a model writes it: one flat object, whatever the kind. A union of ten shapes would say
 * the same in five times the tokens; `typedSlide` checks the fields against the kind.
 */
export const slideArgument = z.strictObject({
  kind: z.enum(SLIDE_KINDS).describe("Fields below name the kinds that use them"),
  title: text("The message, at most two lines"),
  subtitle: text("title, section"),
  author: text("title"),
  date: text("title"),
  items: z.array(z.string()).optional().describe("agenda"),
  points: points('bullets, closing. "**Lead:** rest" shows up to four words in bold'),
  left: column.describe("two-columns"),
  right: column,
  chart: z
    .union([chartSchema, drawn])
    .optional()
    .describe("chart: one that was found, or how columns and rows are drawn"),
  takeaways: points("chart: up to three"),
  columns: z
    .array(z.string())
    .optional()
    .describe("table, chart: headers. Of a chart the first is the axis, the others have figures"),
  rows: z
    .array(z.array(z.union([z.string(), z.number(), z.null()])))
    .optional()
    .describe("table, chart: a cell for each column"),
  quote: text("quote"),
  by: text("quote"),
  contact: text("closing"),
  sources: sources.optional().describe("Of the whole slide; those of one statement go with it"),
  data: z.array(originSchema).optional().describe("Charts and query results whose figures the slide states"),
  more: points("Statements for the notes only"),
  notes: text("Speaker notes"),
});

type SlideArgument = z.output<typeof slideArgument>;

/** The same, of a value that was not checked before. */
export function readSlide(given: unknown): SlideSpec {
  const parsed = slideArgument.safeParse(given);
  if (parsed.success) return typedSlide(parsed.data);
  const issues = describeIssues(parsed.error, "slide");
  throw new InputError("input.invalid", `The slide was not accepted:\n- ${issues.join("\n- ")}`, { issues });
}

/** The slide as the deck takes it. Throws an `InputError` naming the fields that the kind has and lacks. */
export function typedSlide(argument: SlideArgument): SlideSpec {
  const { kind } = argument;
  const given = Object.fromEntries(
    Object.entries(withChart(argument)).filter(([, value]) => value !== undefined),
  );
  const known = slideFields(kind);
  const unused = Object.keys(given).filter((key) => key !== "kind" && !known.includes(key));
  const parsed = slideSchema.safeParse(given);
  const issues = [
    ...(parsed.success ? unshown(parsed.data) : describeIssues(parsed.error, "slide")),
    ...unused.map((key) => `${key}: a slide of kind "${kind}" does not show it`),
  ];
  if (parsed.success && issues.length === 0) return parsed.data;
  throw refused(kind, issues);
}

/** What a slide of each kind may look like, for a model whose slide was refused. */
const EXAMPLES: { readonly [kind in SlideSpec["kind"]]: object } = {
  title: { title: "...", subtitle: "..." },
  agenda: { title: "...", items: ["..."] },
  section: { title: "..." },
  bullets: { title: "...", points: ["..."] },
  "two-columns": { title: "...", left: { points: ["..."] }, right: { points: ["..."] } },
  chart: {
    title: "...",
    chart: { kind: "column" },
    columns: ["Year", "..."],
    rows: [["2025", 1]],
    sources: ["..."],
  },
  table: { title: "...", columns: ["...", "..."], rows: [["...", 1]] },
  quote: { quote: "...", by: "..." },
  sources: {},
  closing: { title: "...", points: ["..."] },
};

function refused(kind: SlideSpec["kind"], issues: readonly string[]): InputError {
  const fields = kind === "chart" ? [...slideFields(kind), "columns", "rows"] : slideFields(kind);
  return new InputError(
    "input.invalid",
    `The slide was not accepted:\n- ${issues.join("\n- ")}\nA slide of kind "${kind}" takes: ${fields.join(", ")}.\nSuch as: ${JSON.stringify({ kind, ...EXAMPLES[kind] })}`,
    { issues },
  );
}

/** What would be lost on a slide that is well-formed otherwise. */
function unshown(slide: SlideSpec): readonly string[] {
  if (slide.kind === "table") return unevenRow(slide.columns, slide.rows);
  if (slide.kind !== "chart") return [];
  const { rows, series } = slide.chart;
  const empty = series.filter(({ field }) => !rows.some((row) => typeof row[field] === "number"));
  return empty.map(({ field }) => `chart: no row has a number in "${field}", so there is nothing to draw`);
}

function unevenRow(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): readonly string[] {
  const at = rows.findIndex((row) => row.length !== columns.length);
  if (at === -1) return [];
  const cells = rows[at]?.length ?? 0;
  return [
    `rows: row ${at + 1} has ${cells} cells, and there are ${columns.length} columns; write null for an empty cell`,
  ];
}

/** Id of a chart that is drawn from columns and rows: its figures are compared with the sources of its slide. */
const WRITTEN = "written";

/** Whether a model wrote the figures of the chart itself. */
export const isWritten = ({ id }: ChartSpec): boolean => id === WRITTEN;

/** The argument with its columns and rows as a chart, where the slide is to be one. */
function withChart(argument: SlideArgument): object {
  const { chart, columns = [], rows = [], ...rest } = argument;
  if (argument.kind !== "chart" || chart === undefined || "rows" in chart) return argument;
  const uneven = unevenRow(columns, rows);
  const issues = [
    ...(columns.length < 2 ? ["columns: give the axis and at least one column of figures"] : []),
    ...(rows.length === 0 ? ["rows: give the figures that are drawn, or name a chart that was found"] : []),
    ...uneven,
    ...(uneven.length === 0 ? textCells(columns, rows) : []),
  ];
  const provenance = originOf(rest);
  if (provenance === undefined)
    issues.push("sources: name the citation or query result that has the figures of the chart");
  if (issues.length > 0 || provenance === undefined) throw refused("chart", issues);
  const { kind, title = rest.title ?? "", unit, decimals, ...look } = chart;
  const dates = rows.every(([x]) => typeof x === "string" && /^\d{4}-\d\d(-\d\d)?$/.test(x));
  const type = kind === "scatter" ? "number" : dates ? "date" : "category";
  const spec: ChartSpec = {
    v: 1,
    id: WRITTEN,
    kind,
    title,
    x: { field: "x", label: columns[0] ?? "", type },
    series: columns.slice(1).map((label, i): ChartField => ({
      field: `y${i + 1}`,
      label,
      type: "number",
      ...(unit === undefined ? {} : { unit }),
      ...(decimals === undefined ? {} : { decimals }),
    })),
    ...(look.stacked === undefined ? {} : { stacked: look.stacked }),
    ...(look.labels === undefined ? {} : { labels: look.labels }),
    ...(look.highlight === undefined ? {} : { highlight: look.highlight }),
    rows: rows.map(([x = null, ...values]) => ({
      x: type === "number" ? numberIn(x) : x,
      ...Object.fromEntries(values.map((value, i) => [`y${i + 1}`, numberIn(value)])),
    })),
    provenance,
  };
  return { ...rest, chart: spec };
}

function textCells(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): readonly string[] {
  const found = rows.flatMap((row, r) =>
    row.flatMap((cell, c) =>
      c > 0 && cell !== null && numberIn(cell) === null ? [{ row: r + 1, column: columns[c], cell }] : [],
    ),
  );
  return found
    .slice(0, 3)
    .map(
      ({ row, column, cell }) =>
        `rows: row ${row} has ${JSON.stringify(cell)} under "${column}", where a number is drawn; write the number alone, with its unit in chart.unit`,
    );
}

function numberIn(cell: string | number | null): number | null {
  if (typeof cell !== "string") return cell;
  return /^-?\d+(\.\d+)?$/.test(cell.trim()) ? Number(cell) : null;
}

function originOf({
  sources: [citation] = [],
  data: [result] = [],
}: SlideArgument | Omit<SlideArgument, "chart">) {
  if (citation !== undefined) return { resultId: citation.id, query: "", source: documentOf(citation) };
  return result && { resultId: "", ...result.provenance };
}

const documentOf = ({ document, page, pageLabel }: Citation): string => {
  const where = pageLabel ?? page;
  return where === undefined ? document : `${document}, p. ${where}`;
};

/**
 * The slide as it was given, with `cite` and `draw` in place of the citations, charts and results it rests on: what
 * `powerpoint_replace_slide` takes.
 */
export function slideAsGiven(
  slide: SlideSpec,
  name: {
    readonly cite: (citation: Citation) => string;
    readonly chart: (chart: ChartSpec) => string;
    readonly result: (result: object) => string;
  },
): object {
  const asGiven = (value: unknown, key: string): unknown => {
    if (key === "sources") return (value as readonly Citation[]).map(name.cite);
    if (key === "data") return (value as readonly object[]).map(name.result);
    if (Array.isArray(value)) return value.map((one: unknown) => asGiven(one, ""));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([field, inner]) => [field, asGiven(inner, field)] as const);
    // A statement without figure and sources is a plain text.
    if (entries.length === 1 && entries[0]?.[0] === "text") return entries[0][1];
    return Object.fromEntries(entries);
  };
  if (slide.kind !== "chart") return asGiven(slide, "") as object;
  const { chart, ...rest } = slide;
  if (!isWritten(chart)) return { ...(asGiven(rest, "") as object), chart: name.chart(chart) };
  const { kind, title, x, series, rows, stacked, labels, highlight } = chart;
  const { unit, decimals } = series[0] ?? {};
  return {
    ...(asGiven(rest, "") as object),
    chart: { kind, title, unit, decimals, stacked, labels, highlight },
    columns: [x?.label ?? "", ...series.map(({ label }) => label)],
    rows: rows.map((row) => [row["x"] ?? null, ...series.map(({ field }) => row[field] ?? null)]),
  };
}
