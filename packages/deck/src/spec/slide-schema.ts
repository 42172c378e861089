import { chartSpecSchema, citationSchema } from "@troupe/core";
import type { ChartSpec, Citation } from "@troupe/stream";
import { z } from "zod";

import { LIMITS } from "./limits.ts";

const title = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.titleChars)
  .describe("Headline: the message of the slide, at most two lines.");
const statement = z.string().trim().min(1).max(LIMITS.bulletChars);
const line = z.string().trim().min(1).max(LIMITS.lineChars);
const name = z.string().trim().min(1).max(LIMITS.nameChars);

/** One citation; in an agent's tool call also `step/id`, resolved before it gets here. */
export const sourceSchema: z.ZodType<Citation, Citation> = citationSchema
  .omit({ foundBy: true })
  .refine(
    (c) => c.quote.length <= LIMITS.citationQuoteChars,
    `quote has more than ${LIMITS.citationQuoteChars} characters`,
  )
  .meta({ id: "citation", "x-troupe-ref": "citation" });

const sources = z
  .array(sourceSchema)
  .max(LIMITS.sources)
  .describe("Citations this rests on; shown as [n] with document and page.");

/** A chart by value; in an agent's tool call also `step/id`. */
export const chartSchema: z.ZodType<ChartSpec, ChartSpec> = chartSpecSchema
  .omit({ foundBy: true })
  .meta({ id: "chart", "x-troupe-ref": "chart" });

/** Where the numbers of a chart come from: enough of it to name its source. */
export interface Origin {
  readonly provenance: { readonly query: string; readonly source: string };
}

/**
 * A whole chart is kept, so that what the slide states can be compared with its rows. In an agent's tool call also
 * `step/id`, of a chart or of a query result.
 */
export const originSchema: z.ZodType<Origin, Origin> = z
  .looseObject({
    provenance: z.looseObject({ query: z.string().max(20_000), source: z.string().max(1_000) }),
  })
  .meta({ id: "result", "x-troupe-ref": "result" });

/** What is wrong with a statement given as an object, since as a string it is plainly none. */
function pointProblem(issue: {
  readonly input?: unknown;
  readonly errors?: readonly (readonly z.core.$ZodIssue[])[];
}): string {
  const found = typeof issue.input === "object" && issue.input !== null ? issue.errors?.[1] : undefined;
  const problems = (found ?? [])
    .slice(0, 4)
    .map(({ path, message }) => `${path.join(".")} ${message}`.trim());
  return problems.length === 0
    ? `must be a string of 1 to ${LIMITS.bulletChars} characters, or { text, figure, sources }`
    : problems.join("; ");
}

/** One statement with the places it rests on. A plain string is a statement without sources. */
export const pointSchema = z.union(
  [
    statement.transform((text) => ({ text })),
    z.object({
      text: statement.describe(
        "One short statement. `**Lead:** rest` shows a lead of at most four words in bold.",
      ),
      figure: z
        .string()
        .trim()
        .min(1)
        .max(LIMITS.figureChars)
        .exactOptional()
        .describe("A key number shown large above the text, such as `38 %`."),
      sources: sources.exactOptional(),
    }),
  ],
  { error: (issue) => (issue.code === "invalid_union" ? pointProblem(issue) : undefined) },
);

const common = {
  notes: z.string().max(LIMITS.notesChars).exactOptional().describe("Speaker notes."),
  sources: sources.exactOptional(),
  data: z
    .array(originSchema)
    .max(LIMITS.origins)
    .exactOptional()
    .describe("Charts whose numbers this slide states in words; shown as its data source."),
  more: z.array(pointSchema).max(LIMITS.more).exactOptional().describe("Statements for the notes."),
};

const points = (max: number): z.ZodArray<typeof pointSchema> => z.array(pointSchema).min(1).max(max);

const column = z.object({ heading: line.exactOptional(), points: points(LIMITS.bullets) });

const cell = z.union([z.string().max(LIMITS.cellChars), z.number(), z.null()]);

export const slideSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("title"),
    title,
    subtitle: line.exactOptional(),
    author: name.exactOptional(),
    date: name.exactOptional(),
    ...common,
  }),
  z.object({
    kind: z.literal("agenda"),
    title,
    items: z.array(line).min(1).max(LIMITS.agendaItems),
    ...common,
  }),
  z.object({ kind: z.literal("section"), title, subtitle: line.exactOptional(), ...common }),
  z.object({ kind: z.literal("bullets"), title, points: points(LIMITS.bullets), ...common }),
  z.object({ kind: z.literal("two-columns"), title, left: column, right: column, ...common }),
  z.object({
    kind: z.literal("chart"),
    title,
    chart: chartSchema,
    takeaways: points(6).exactOptional(),
    ...common,
  }),
  z.object({
    kind: z.literal("table"),
    title,
    columns: z
      .array(z.string().trim().max(LIMITS.lineChars))
      .min(1)
      .max(LIMITS.columns)
      .describe("Header of each column; empty where the title says it. All empty: no header row."),
    rows: z.array(z.array(cell)).min(1).max(LIMITS.rows).describe("Each row has one cell per column."),
    ...common,
  }),
  z.object({
    kind: z.literal("quote"),
    title: title.exactOptional(),
    quote: z.string().trim().min(1).max(LIMITS.quoteChars),
    by: line.exactOptional(),
    ...common,
  }),
  z.object({ kind: z.literal("sources"), title: title.exactOptional(), ...common }),
  z.object({
    kind: z.literal("closing"),
    title,
    points: points(LIMITS.bullets).exactOptional(),
    contact: line.exactOptional(),
    ...common,
  }),
]);

export type SlideSpec = z.output<typeof slideSchema>;
/** What a caller may write: points as plain strings too. */
export type SlideInput = z.input<typeof slideSchema>;
export type SlideKind = SlideSpec["kind"];
export type Point = z.output<typeof pointSchema>;
export type SlideOf<K extends SlideKind> = Extract<SlideSpec, { kind: K }>;

/** Every kind, in the order a deck usually has them. */
export const SLIDE_KINDS = slideSchema.options.map((option) => option.shape.kind.value) as [
  SlideKind,
  ...SlideKind[],
];

/** The fields a kind takes, besides `kind`. */
export function slideFields(kind: SlideKind): readonly string[] {
  const option = slideSchema.options.find((one) => one.shape.kind.value === kind);
  return Object.keys(option?.shape ?? {}).filter((key) => key !== "kind");
}
