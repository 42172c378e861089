import { oneLine, type QueryResult } from "@troupe/analytics";
import { defineTool, InputError, type Tool, type ToolContext } from "@troupe/core";
import type { Clock, ResultTable } from "@troupe/stream";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument, resultArgument } from "./arguments.ts";
import { lostResult } from "./lost-result.ts";
import { plainText } from "./plain-text.ts";
import { resultTable, shownCells } from "./result-table.ts";

const SHOWN_ROWS = 40;
/** Rows in one output of the tool, as many as a table of an answer may have, and rows that are kept for later ones. */
const MAX_ROWS = 500;
const MAX_KEPT = 10_000;
/** Characters of the statement that is shown with its result. */
const MAX_SHOWN_SQL = 300;
const DATA_ROWS = 100;
/** Rows that a data source keeps by default. */
const DEFAULT_KEPT = 1_000;
/** How often progress is reported, in seconds. */
const EVERY_S = 5;

const inputSchema = z
  .strictObject({
    sql: z.string().min(1).max(50_000).optional().describe("Exactly one SELECT statement"),
    result_id: resultArgument.optional().describe("Instead of sql: read on in a result"),
    offset: z.number().int().min(0).max(MAX_KEPT).default(0).describe("Rows to skip"),
    limit: z.number().int().min(1).max(MAX_ROWS).default(SHOWN_ROWS).describe("Rows to show"),
    collection: collectionArgument,
  })
  .refine(({ sql, result_id }) => (sql === undefined) !== (result_id === undefined), {
    path: ["sql"],
    message: 'give one SELECT, such as sql: "SELECT count(*) AS n FROM sales", or a result_id, not both.',
  });

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
      "Runs one SELECT (DuckDB SQL) and returns rows, their number in all, and a result id for analyze and visualize. Aggregate in SQL; never add up rows.",
    input: inputSchema,
    idempotent: true,
    async execute({ sql, result_id, offset, limit, collection }, context) {
      const result =
        result_id === undefined
          ? await runQuery(sql ?? "", { offset, limit, collection }, context)
          : await sources.findResult(context, result_id);
      if (result === undefined) throw lostResult(result_id ?? "");
      requireRows(result, offset);
      const page = result.rows.slice(offset, offset + limit);
      const shown = resultTable(result.columns, page, limit);
      return {
        text: describeResult(result, shown, offset),
        summary: `${counted(result)} from ${result.source === "" ? result.collection : result.source}`,
        tables: [toTable(result, page.slice(0, shown.shown))],
        data: {
          result_id: result.id,
          columns: result.columns.map(({ name, type, role }) => ({ name, type, role })),
          rows: result.rows.slice(offset, offset + Math.max(DATA_ROWS, limit)).map((row) => [...row]),
          total: result.total,
          truncated: result.truncated || result.rows.length - offset > Math.max(DATA_ROWS, limit),
        },
      };
    },
  });

  async function runQuery(
    sql: string,
    wanted: { readonly offset: number; readonly limit: number; readonly collection: string | undefined },
    context: ToolContext,
  ): Promise<QueryResult> {
    const { collectionId, signal, progress } = context;
    const kept = wanted.offset + wanted.limit;
    const work = sources.use(context, wanted.collection ?? collectionId, (source) =>
      source.query(sql, { signal, ...(kept > DEFAULT_KEPT ? { maxRows: Math.min(kept, MAX_KEPT) } : {}) }),
    );
    return reportWhileRunning(work, "The query is running", { clock, ...(progress && { progress }) });
  }
}

function requireRows({ id, rows, total }: QueryResult, offset: number): void {
  if (offset === 0 || offset < rows.length) return;
  const isAll = total !== null && total <= rows.length;
  throw new InputError(
    "input.invalid",
    `offset: ${id} ${isAll ? "has" : "keeps"} ${rows.length} rows, so offset is at most ${Math.max(0, rows.length - 1)}.${isAll ? "" : " For later rows run its statement with ORDER BY, LIMIT and OFFSET."}`,
  );
}

/** The rows that are shown and no others, so that a figure of a row that the model never saw is none of its own. */
function toTable({ id, columns, total, sql, source }: QueryResult, rows: QueryResult["rows"]): ResultTable {
  return {
    id,
    columns: shownCells(columns.map(({ name }) => name)).map(String),
    rows: rows.map(shownCells),
    ...(total === null || total <= rows.length ? {} : { total }),
    query: sql,
    ...(source === "" ? {} : { source: oneLine(source, 200) }),
  };
}

function describeResult(result: QueryResult, table: ReturnType<typeof resultTable>, offset: number): string {
  const from = result.source === "" ? "" : ` from ${oneLine(result.source, 200)}`;
  const lines = [`${result.id}: ${counted(result)}${from}`];
  if (result.rows.length > 0) lines.push(table.text);
  const end = offset + table.shown;
  if (table.shown < (result.total ?? Infinity)) {
    const which = offset === 0 ? `The first ${table.shown} rows are` : `Rows ${offset + 1} to ${end} are`;
    const next = end < result.rows.length ? ` More with result_id and offset ${end}.` : "";
    lines.push(`${which} shown.${next} Do not add them up; aggregate in SQL.`);
  }
  if (result.truncated) {
    lines.push(`truncated: true; ${result.rows.length} rows are kept, and long cells are cut.`);
  }
  lines.push(`SQL: ${plainText(oneLine(result.sql.replaceAll(/\s+/g, " "), MAX_SHOWN_SQL))}`);
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
