import { describeIssues, InputError } from "@troupe/core";
import {
  chartSchema,
  LIMITS,
  originSchema,
  pointSchema,
  SLIDE_KINDS,
  slideFields,
  slideSchema,
  sourceSchema,
  type SlideSpec,
} from "@troupe/deck";
import { z } from "zod";

const text = (description: string): z.ZodType<string | undefined> =>
  z.string().max(LIMITS.notesChars).optional().describe(description);
const points = (description: string) =>
  z.array(pointSchema).max(LIMITS.bullets).optional().describe(description);
const column = (description: string) =>
  z
    .strictObject({ heading: z.string().optional(), points: z.array(pointSchema).max(LIMITS.bullets) })
    .optional()
    .describe(description);

/**
 * The slide as a model writes it: one flat object, whatever the kind. A union of ten shapes would say
 * the same in five times the tokens; `typedSlide` checks the fields against the kind.
 */
export const slideArgument = z.strictObject({
  kind: z.enum(SLIDE_KINDS).describe("What the slide is. Each field below names the kinds that use it."),
  title: text("All kinds; optional for quote and sources. States the message in at most two lines."),
  subtitle: text("title, section."),
  author: text("title."),
  date: text("title."),
  items: z.array(z.string()).max(LIMITS.agendaItems).optional().describe("agenda: the parts."),
  points: points("bullets, closing: two to four short statements; at most 40 words in all."),
  left: column("two-columns."),
  right: column("two-columns."),
  chart: chartSchema
    .optional()
    .describe(
      "chart: drawn as a native chart with its own numbers. In one that you write, provenance.resultId is the id of the citation or query result that has them.",
    ),
  takeaways: points("chart: what the chart shows, up to three statements."),
  columns: z.array(z.string()).max(LIMITS.columns).optional().describe("table: the header of each column."),
  rows: z
    .array(z.array(z.union([z.string(), z.number(), z.null()])))
    .max(LIMITS.rows)
    .optional()
    .describe("table: one cell a column in each row."),
  quote: text("quote: the words themselves."),
  by: text("quote: who said it."),
  contact: text("closing."),
  sources: z
    .array(sourceSchema)
    .max(LIMITS.sources)
    .optional()
    .describe("Citations the slide as a whole rests on; those of one statement go with the statement."),
  data: z
    .array(originSchema)
    .max(LIMITS.origins)
    .optional()
    .describe("All kinds. Charts whose numbers the slide states in words; named as its data source."),
  more: z
    .array(pointSchema)
    .max(LIMITS.more)
    .optional()
    .describe("All kinds. Further statements with their sources, for the notes only."),
  notes: text("Speaker notes. Detail that would not fit in 40 words belongs here."),
});

/** The slide as the deck takes it. Throws an `InputError` naming the fields that the kind has and lacks. */
export function typedSlide(argument: z.output<typeof slideArgument>): SlideSpec {
  const { kind } = argument;
  const given = Object.fromEntries(Object.entries(argument).filter(([, value]) => value !== undefined));
  const known = slideFields(kind);
  const unused = Object.keys(given).filter((key) => key !== "kind" && !known.includes(key));
  const parsed = slideSchema.safeParse(given);
  const issues = [
    ...unused.map((key) => `${key}: a slide of kind "${kind}" does not show it`),
    ...(parsed.success ? unshown(parsed.data) : describeIssues(parsed.error, "slide")),
  ];
  if (parsed.success && issues.length === 0) return parsed.data;
  throw new InputError(
    "input.invalid",
    `The slide was not added:\n- ${issues.join("\n- ")}\nA slide of kind "${kind}" takes: ${known.join(", ")}.`,
    { issues },
  );
}

/** What would be lost on a slide that is well-formed otherwise. */
function unshown(slide: SlideSpec): readonly string[] {
  if (slide.kind === "table") {
    const { columns, rows } = slide;
    const at = rows.findIndex((row) => row.length !== columns.length);
    return at === -1
      ? []
      : [
          `rows: row ${at + 1} has ${rows[at]?.length ?? 0} cells, and there are ${columns.length} columns; write null for an empty cell`,
        ];
  }
  if (slide.kind !== "chart") return [];
  const { rows, series } = slide.chart;
  const empty = series.filter(({ field }) => !rows.some((row) => typeof row[field] === "number"));
  return empty.map(({ field }) => `chart: no row has a number in "${field}", so there is nothing to draw`);
}
