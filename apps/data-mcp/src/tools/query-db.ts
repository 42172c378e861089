import { oneLine, type QueryResult } from "@troupe/analytics";
import { defineTool, type Tool, type ToolContext } from "@troupe/core";
import type { Clock, ResultTable } from "@troupe/stream";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument } from "./arguments.ts";
import { resultTable, shownCells } from "./result-table.ts";

const SHOWN_ROWS = 40;
const DATA_ROWS = 100;
/** How often progress is reported, in seconds. */
const EVERY_S = 5;

const resultOutput = z.object({
  result_id: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), role: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  total: z.number().nullable().describe("Rows in all; null where counting took too long"),
  truncated: z.boolean(),
});

export function queryDb(sources: Sources, clock: Clock): Tool {
  return defineTool({
    name: "query_db",
    annotations: { title: "Query data", readOnly: true, destructive: false, openWorld: false },
    output: { data: resultOutput, tables: true },
    description:
      "Runs one SELECT (DuckDB SQL) over the tables of a collection and returns the first rows, the number of rows in all, and a result id for analyze and visualize. Aggregate in SQL. Names must be those of describe_data.",
    input: z.strictObject({
      sql: z.string().min(1).max(50_000).describe("Exactly one SELECT statement."),
      collection: collectionArgument,
    }),
    idempotent: true,
    async execute({ sql, collection }, context) {
      const { collectionId, signal } = context;
      const work = sources.use(context, collection ?? collectionId, (source) =>
        source.query(sql, { signal }),
      );
      const { progress } = context;
      const result = await reportWhileRunning(work, "The query is running", {
        clock,
        ...(progress && { progress }),
      });
      const shown = resultTable(result.columns, result.rows, SHOWN_ROWS);
      return {
        text: describeResult(result, shown),
        summary: `${counted(result)} from ${result.source === "" ? result.collection : result.source}`,
        tables: [toTable(result, shown.shown)],
        data: {
          result_id: result.id,
          columns: result.columns.map(({ name, type, role }) => ({ name, type, role })),
          rows: result.rows.slice(0, DATA_ROWS).map((row) => [...row]),
          total: result.total,
          truncated: result.truncated || result.rows.length > DATA_ROWS,
        },
      };
    },
  });
}

/** The rows that are shown and no others, so that a figure of a row that the model never saw is none of its own. */
function toTable({ id, columns, rows, total, sql, source }: QueryResult, shown: number): ResultTable {
  return {
    id,
    columns: shownCells(columns.map(({ name }) => name)).map(String),
    rows: rows.slice(0, shown).map(shownCells),
    ...(total === null || total <= shown ? {} : { total }),
    query: sql,
    ...(source === "" ? {} : { source: oneLine(source, 200) }),
  };
}

function describeResult(result: QueryResult, table: ReturnType<typeof resultTable>): string {
  const from = result.source === "" ? "" : ` from ${oneLine(result.source, 200)}`;
  const lines = [`${result.id}: ${counted(result)}${from}`];
  if (result.rows.length > 0) lines.push(table.text);
  if (table.shown < (result.total ?? Infinity)) {
    lines.push(`The first ${table.shown} rows are shown. Do not add them up; aggregate in SQL.`);
  }
  if (result.truncated) {
    lines.push(`truncated: true; ${result.rows.length} rows are kept, and long cells are cut.`);
  }
  return lines.join("\n");
}

function counted(result: QueryResult): string {
  if (result.total === null) return `more than ${result.rows.length} rows`;
  return `${result.total} ${result.total === 1 ? "row" : "rows"}`;
}

/** Waits for work that cannot say how far it is, such as a query. */
export async function reportWhileRunning<T>(
  work: Promise<T>,
  message: string,
  { clock, progress }: Pick<ToolContext, "progress"> & { readonly clock: Clock },
): Promise<T> {
  if (progress === undefined) return work;
  let seconds = 0;
  const report = (): void => {
    seconds += EVERY_S;
    progress({ message: `${message} (${seconds} s)`, done: seconds });
    cancel = clock.schedule(EVERY_S * 1_000, report);
  };
  let cancel = clock.schedule(EVERY_S * 1_000, report);
  return work.finally(() => cancel());
}
