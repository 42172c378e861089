import {
  chooseChart,
  citedTable,
  oneLine,
  renderChartSvg,
  SVG_MEDIA_TYPE,
  type ChartChoice,
  type QueryResult,
} from "@troupe/analytics";
import {
  citationSchema,
  defineTool,
  InputError,
  type ArtifactStore,
  type Tool,
  type ToolContext,
} from "@troupe/core";
import type { ArtifactRef, ChartSpec } from "@troupe/stream";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { resultArgument } from "./arguments.ts";
import { lostResult } from "./lost-result.ts";
import { plainText } from "./plain-text.ts";
import { resultTable } from "./result-table.ts";

const SHOWN_POINTS = 24;

const column = z.string().max(300);
const cell = z.union([z.string().max(300), z.number(), z.null()]);

/** A citation, checked by `citationSchema`. A model writes `step/id`, which its agent replaces by the citation. */
const citationArgument = z.looseObject({ id: z.string().max(200) }).meta({ "x-troupe-ref": "citation" });

const inputSchema = z
  .strictObject({
    result_id: resultArgument.optional(),
    table: z
      .strictObject({
        citation: citationArgument,
        columns: z.array(column).min(1).max(12),
        rows: z.array(z.array(cell)).min(1).max(100),
      })
      .optional()
      .describe("Instead of a result: a table of a cited passage, copied as it is there"),
    kind: z.enum(["bar", "column", "line", "area", "pie", "scatter", "number"]).optional(),
    title: z.string().max(120).optional(),
    x: column.optional().describe("Column of the axis"),
    y: z.array(column).min(1).max(8).optional().describe("Columns of figures"),
    series: column.optional().describe("Column that gives the colours"),
    stacked: z.boolean().optional(),
    sort: z.enum(["largest", "smallest", "x", "rows"]).optional().describe("rows: as in the result"),
    highlight: z
      .array(z.string().max(300))
      .max(20)
      .optional()
      .describe("Values of x or series that stand out"),
    unit: z.string().max(40).optional().describe("Such as EUR million, %, points"),
    decimals: z.number().int().min(0).max(6).optional(),
    labels: z.boolean().optional().describe("Figures beside the marks"),
  })
  .refine(({ result_id, table }) => (result_id === undefined) !== (table === undefined), {
    path: ["result_id"],
    message:
      'give the id that query_db returned, such as result_id: "result-1a2b3c4d5e6f", or a table, not both.',
  });

export function visualize(sources: Sources, newId: () => string, artifacts: ArtifactStore): Tool {
  return defineTool({
    name: "visualize",
    annotations: { title: "Make a chart", readOnly: false, destructive: false, openWorld: false },
    output: { charts: true },
    description:
      "Makes a chart of a query result and returns its id in square brackets, its numbers, and what of the result it leaves out. What you " +
      'do not give is chosen. Rows must be unique by x and series. Example: {"result_id": "result-1a2b3c", "x": "region", "y": ["revenue_eur"], "series": "segment", "stacked": true}',
    input: inputSchema,
    idempotent: true,
    async execute({ result_id, table, ...wish }, context) {
      const result = table === undefined ? await findResult(result_id ?? "", context) : readTable(table);
      const choice = chooseChart(result, { ...defined(wish), id: `chart-${newId()}` });
      const picture = await storePicture(choice.chart, artifacts, context);
      return {
        text: describeChart(choice),
        summary: `${choice.chart.kind} chart: ${plainText(oneLine(choice.chart.title))}`,
        charts: [choice.chart],
        ...(picture === undefined ? {} : { chartFiles: [{ chartId: choice.chart.id, artifact: picture }] }),
      };
    },
  });

  async function findResult(id: string, context: ToolContext): Promise<QueryResult> {
    const result = await sources.findResult(context, id);
    if (result === undefined) throw lostResult(id);
    return result;
  }
}

function readTable({
  citation,
  columns,
  rows,
}: NonNullable<z.output<typeof inputSchema>["table"]>): QueryResult {
  const parsed = citationSchema.safeParse(citation);
  if (parsed.success) return citedTable({ citation: parsed.data, columns, rows });
  throw new InputError(
    "input.invalid",
    'table.citation: give a citation of a step before as step/id, such as "research/3".',
  );
}

/** The arguments that were given. */
function defined<T extends object>(wish: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The chart as an SVG file. A chart without a picture is still a chart: a failure is logged, and the answer goes on. */
async function storePicture(
  chart: ChartSpec,
  artifacts: ArtifactStore,
  { userId: owner = "", signal, log }: ToolContext,
): Promise<ArtifactRef | undefined> {
  try {
    const bytes = new TextEncoder().encode(await renderChartSvg(chart));
    signal.throwIfAborted();
    return await artifacts.put(bytes, { name: svgName(chart.title), mediaType: SVG_MEDIA_TYPE, owner });
  } catch (error) {
    signal.throwIfAborted();
    log.warn("the picture of a chart could not be stored", { chart: chart.id, error });
    return undefined;
  }
}

/** Models sometimes write titles as HTML. */
const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
};

/** A plain file name: no folders, nothing a file system or a header would trip over. */
function svgName(title: string): string {
  const stem = title
    .replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/[<>:"|?*/\\\p{C}]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(0, 100)
    .trim();
  return `${stem === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? "chart" : stem}.svg`;
}

function describeChart({ chart, reason, dropped }: ChartChoice): string {
  const fields = [...(chart.x === undefined ? [] : [chart.x]), ...chart.series];
  const columns = fields.map(({ label, unit }) => ({
    name: unit === undefined ? label : `${label} (${unit})`,
  }));
  const rows = chart.rows.map((row) => fields.map(({ field }) => row[field] ?? null));
  const table = resultTable(columns, rows, SHOWN_POINTS);
  const more = table.shown < rows.length ? [`and ${rows.length - table.shown} more points`] : [];
  return [
    `[${chart.id}] ${chart.kind} chart "${plainText(oneLine(chart.title))}" (${plainText(oneLine(reason, 200))})`,
    table.text,
    ...more,
    ...dropped.map((sentence) => plainText(oneLine(sentence, 400))),
  ].join("\n");
}
