import { nearestNames } from "@troupe/core";

import { quoteName } from "../names/quote.ts";
import { QueryError } from "../query-error.ts";
import { overviewSql } from "./overview-sql.ts";
import { shapeOf } from "../shape/shape.ts";
import type { DataSource } from "../types/data-source.ts";
import type { QueryResult, ResultColumn } from "../types/result.ts";
import type { Finding, Profile } from "./profile.ts";
import { findingsOf, profileResult } from "./profile-result.ts";
import { profileSql, readProfileRow, SAMPLE_ROWS } from "./profile-rows-sql.ts";

export type AnalyzeTarget = { readonly resultId: string } | { readonly table: string };

/**
 * Statistics and findings of a result or a table. A result that is complete is read from memory, so
 * the figures are those that were shown; anything larger by one aggregate statement over a sample.
 * `partial` are the first days of periods of which the data has only a part; findings compare none of them.
 * Throws a `QueryError` for an id or a table that is not there.
 */
export async function analyze(
  source: DataSource,
  target: AnalyzeTarget,
  options: { readonly signal: AbortSignal; readonly partial?: readonly string[] },
): Promise<Profile> {
  if ("table" in target) return analyzeTable(source, target.table, options.signal);
  const result = requireResult(source, target.resultId);
  return result.truncated
    ? analyzeLarge(source, result, options.signal)
    : profileResult(result, options.partial);
}

/** A result that must be there. */
export function requireResult(source: DataSource, id: string): QueryResult {
  const result = source.result(id);
  if (result !== undefined) return result;
  throw new QueryError(
    "query.unknown-result",
    `There is no result "${id}" any more, or there never was. Run the query again and use the id it returns.`,
  );
}

async function analyzeLarge(source: DataSource, result: QueryResult, signal: AbortSignal): Promise<Profile> {
  const statement = `(${result.sql.trim().replace(/;+$/, "")}\n)`;
  const sql = profileSql(`${statement} AS whole`, result.columns, result.total);
  const profiled = await source.query(sql, { signal });
  const { rows, columns } = readProfileRow(profiled.rows[0] ?? [], result.columns);
  const all = result.total ?? rows;
  return { of: result.id, rows: all, sampled: rows < all ? rows : null, columns, findings: [] };
}

async function analyzeTable(source: DataSource, name: string, signal: AbortSignal): Promise<Profile> {
  const schema = await source.schema();
  const table = schema.tables.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (table === undefined) {
    const close = nearestNames(
      name,
      schema.tables.map((one) => one.name),
    );
    const hint = close.length === 0 ? "" : ` Nearest: ${close.join(", ")}.`;
    throw new QueryError("query.unknown-name", `There is no table "${name}".${hint}`, { nearest: close });
  }
  const columns: readonly ResultColumn[] = table.columns.map(({ name: column, type, role }) => ({
    name: column,
    type,
    role,
  }));
  const profiled = await source.query(profileSql(quoteName(table.name), columns, table.rows), { signal });
  const { columns: profiles } = readProfileRow(profiled.rows[0] ?? [], columns);
  const overview = overviewSql(table);
  const findings: Finding[] = [];
  for (const sql of overview) {
    const result = await source.query(sql, { signal });
    if (!result.truncated) findings.push(...findingsOf(shapeOf(result)));
  }
  return {
    of: table.name,
    rows: table.rows,
    sampled: table.rows > SAMPLE_ROWS ? SAMPLE_ROWS : null,
    columns: profiles,
    findings,
  };
}
