import { chooseChart, oneLine, renderChartSvg, SVG_MEDIA_TYPE, type ChartChoice } from "@troupe/analytics";
import { defineTool, type ArtifactStore, type Tool, type ToolContext } from "@troupe/core";
import type { ArtifactRef, ChartSpec } from "@troupe/stream";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { resultArgument } from "./arguments.ts";
import { lostResult } from "./lost-result.ts";
import { plainText } from "./plain-text.ts";
import { resultTable } from "./result-table.ts";

const SHOWN_POINTS = 24;

export function visualize(sources: Sources, newId: () => string, artifacts: ArtifactStore): Tool {
  return defineTool({
    name: "visualize",
    annotations: { title: "Make a chart", readOnly: false, destructive: false, openWorld: false },
    output: { charts: true },
    description:
      "Makes a chart of a query result; the kind follows from its shape. Returns the chart's id in square brackets, the numbers it shows, and a picture of it as a file.",
    input: z.strictObject({
      result_id: resultArgument,
      kind: z
        .enum(["bar", "column", "line", "area", "pie", "scatter", "number"])
        .optional()
        .describe("Only when the person asked for this kind. Left out, the best one is chosen."),
      title: z.string().max(120).optional().describe("Made from the columns when left out."),
    }),
    idempotent: true,
    async execute({ result_id, kind, title }, context) {
      const result = await sources.findResult(context, result_id);
      if (result === undefined) throw lostResult(result_id);
      const choice = chooseChart(result, {
        id: `chart-${newId()}`,
        ...(kind === undefined ? {} : { kind }),
        ...(title === undefined ? {} : { title }),
      });
      const picture = await storePicture(choice.chart, artifacts, context);
      return {
        text: describeChart(choice),
        summary: `${choice.chart.kind} chart: ${plainText(oneLine(choice.chart.title))}`,
        charts: [choice.chart],
        ...(picture === undefined ? {} : { chartFiles: [{ chartId: choice.chart.id, artifact: picture }] }),
      };
    },
  });
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
export function svgName(title: string): string {
  const stem = title
    .replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/[<>:"|?*/\\\p{C}]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(0, 100)
    .trim();
  return `${stem === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? "chart" : stem}.svg`;
}

function describeChart({ chart, reason }: ChartChoice): string {
  const fields = [...(chart.x === undefined ? [] : [chart.x]), ...chart.series];
  const columns = fields.map(({ label, unit }) => ({
    name: unit === undefined ? label : `${label} (${unit})`,
  }));
  const rows = chart.rows.map((row) => fields.map(({ field }) => row[field] ?? null));
  const table = resultTable(columns, rows, SHOWN_POINTS);
  const more = table.shown < rows.length ? [`and ${rows.length - table.shown} more points`] : [];
  const truncated = chart.truncated === true ? ["Not every row of the result is in the chart."] : [];
  return [
    `[${chart.id}] ${chart.kind} chart "${plainText(oneLine(chart.title))}" (${plainText(oneLine(reason, 200))})`,
    table.text,
    ...more,
    ...truncated,
  ].join("\n");
}
