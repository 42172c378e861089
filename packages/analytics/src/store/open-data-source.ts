import { access } from "node:fs/promises";
import { join } from "node:path";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { newShortId } from "../adapters/new-id.ts";
import { startQueryProcess } from "../adapters/query-process.ts";
import {
  QUERY_LIMITS,
  type QueryLimits,
  type QueryProcess,
  type RawOutcome,
} from "../adapters/query-session.ts";
import { columnRole } from "../names/column-role.ts";
import { QueryError } from "../query-error.ts";
import type { DataSource } from "../types/data-source.ts";
import type { QueryResult, ResultColumn } from "../types/result.ts";
import type { DataSchema, Join } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { columnValuesSql, MAX_VALUES, toColumnValues } from "./column-values.ts";
import { compareJoinsSql, confirmedJoins, joinsByName, joinsByValues, writeJoin } from "./find-joins.ts";
import { deniedError, failedError, memoryError, timeoutError } from "./query-failure.ts";
import { collectionFolder, requireRegistry, type Registry } from "./registry.ts";
import { createResultStore } from "./result-store.ts";

const DEFAULT_ROWS = 1_000;
const MAX_ROWS = 10_000;
/** No statement a person or a model writes is longer; the parser's work is bounded with it. */
const MAX_SQL = 50_000;

export interface DataSourceOptions {
  /** Folder of all state. */
  readonly home: string;
  readonly collection: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Must never repeat within a process. */
  readonly newId?: () => string;
  readonly limits?: Partial<QueryLimits>;
}

interface Open {
  readonly process: QueryProcess;
  readonly database: string;
}

/**
 * Opens a collection for reading. The tables are read in a process of its own, started with the first
 * statement, replaced when it was killed or when an ingest brought new tables. Throws an `InputError`
 * (`input.not-found`) that names the collections there are.
 */
export function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  return openDataSourceIn(startQueryProcess, options);
}

/** The same, with its statements run where `start` says. */
export async function openDataSourceIn(
  start: typeof startQueryProcess,
  options: DataSourceOptions,
): Promise<DataSource> {
  const { home, collection, clock, log, newId = newShortId } = options;
  const limits = { ...QUERY_LIMITS, ...options.limits };
  const results = createResultStore();
  let open: Open | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  let values: { readonly database: string; readonly columns: readonly ColumnValues[] } | undefined;
  let joined: { readonly database: string; readonly joins: readonly Join[] } | undefined;
  await requireRegistry(home, collection);

  const processFor = async (registry: Registry): Promise<QueryProcess> => {
    if (open?.database === registry.database && open.process.alive()) return open.process;
    await open?.process.close();
    const file = join(collectionFolder(home, collection), registry.database);
    await access(file);
    const tables = registry.tables.map((table) => table.name);
    open = { process: start({ file, tables, limits, clock }), database: registry.database };
    return open.process;
  };

  const read = async (
    registry: Registry,
    sql: string,
    maxRows: number,
    signal: AbortSignal,
  ): Promise<Extract<RawOutcome, { kind: "rows" }>> => {
    const child = await processFor(registry);
    const raw = await child.run(sql, maxRows, AbortSignal.any([signal, closing.signal]));
    if (raw.kind === "rows") return raw;
    log.debug("query refused", { collection, kind: raw.kind });
    throw toError(raw, { sql, registry, limits });
  };

  const current = async (signal: AbortSignal): Promise<Registry> => {
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    return requireRegistry(home, collection);
  };

  const run = async (sql: string, maxRows: number, signal: AbortSignal): Promise<QueryResult> => {
    const registry = await current(signal);
    const raw = await read(registry, sql, maxRows, signal);
    const result: QueryResult = {
      id: `result-${newId()}`,
      collection,
      sql,
      source: sourcesOf(raw.tables, registry),
      columns: toColumns(raw),
      rows: raw.rows,
      truncated: raw.cut,
      limited: raw.limited,
      total: raw.total,
    };
    results.add(result);
    return result;
  };

  const readValues = async (signal: AbortSignal): Promise<readonly ColumnValues[]> => {
    const registry = await current(signal);
    if (values?.database === registry.database) return values.columns;
    const schema = toSchema(registry);
    const sql = columnValuesSql(schema);
    const rows = sql === undefined ? [] : (await read(registry, sql, MAX_VALUES, signal)).rows;
    values = { database: registry.database, columns: toColumnValues(rows, schema) };
    return values.columns;
  };

  const readJoins = async (signal: AbortSignal): Promise<readonly Join[]> => {
    const registry = await current(signal);
    if (joined?.database === registry.database) return joined.joins;
    const schema = toSchema(registry);
    const named = joinsByName(schema);
    const byName = await confirmJoins(named, (sql) => read(registry, sql, named.length, signal));
    const found = new Set(byName.map(writeJoin));
    const byValues = joinsByValues(schema, await readValues(signal)).filter(
      (join) => !found.has(writeJoin(join)),
    );
    joined = { database: registry.database, joins: [...byName, ...byValues] };
    return joined.joins;
  };

  /** One statement at a time: the process runs no more. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };

  return {
    collection,
    schema: async () => toSchema(await requireRegistry(home, collection)),
    async query(sql, { signal, maxRows = DEFAULT_ROWS }) {
      if (sql.length > MAX_SQL) {
        throw new QueryError(
          "query.invalid",
          `The statement has ${sql.length} characters; at most ${MAX_SQL} are read.`,
        );
      }
      const rows = Math.min(Math.max(1, Math.trunc(maxRows)), MAX_ROWS);
      return inTurn(() => run(sql, rows, signal));
    },
    values: ({ signal }) => inTurn(() => readValues(signal)),
    joins: ({ signal }) => inTurn(() => readJoins(signal)),
    result: (id) => results.get(id),
    async close() {
      closing.abort(
        new QueryError(
          "query.engine",
          `The data source "${collection}" is closed; open it again to ask more.`,
        ),
      );
      await open?.process.close();
      // A statement may have been about to start its process.
      await queue;
      await open?.process.close();
    },
  };
}

async function confirmJoins(
  joins: readonly Join[],
  read: (sql: string) => Promise<Extract<RawOutcome, { kind: "rows" }>>,
): Promise<readonly Join[]> {
  const sql = compareJoinsSql(joins);
  if (sql === undefined) return [];
  try {
    return confirmedJoins(joins, (await read(sql)).rows);
  } catch (error) {
    const isTooLarge =
      error instanceof QueryError && (error.code === "query.timeout" || error.code === "query.memory");
    if (isTooLarge) return joins;
    throw error;
  }
}

function toError(
  raw: Exclude<RawOutcome, { kind: "rows" }>,
  {
    sql,
    registry,
    limits,
  }: { readonly sql: string; readonly registry: Registry; readonly limits: QueryLimits },
): QueryError {
  if (raw.kind === "timeout") return timeoutError(limits.timeoutMs);
  if (raw.kind === "memory") return memoryError();
  const schema = toSchema(registry);
  return raw.kind === "denied" ? deniedError(raw.denial, schema) : failedError(raw.message, schema, sql);
}

function toSchema(registry: Registry): DataSchema {
  return { collection: registry.collection, tables: registry.tables };
}

function toColumns(raw: Extract<RawOutcome, { kind: "rows" }>): readonly ResultColumn[] {
  return raw.columns.map((column, index) => {
    const values = raw.rows.map((row) => row[index] ?? null);
    const distinct = new Set(values.filter((value) => value !== null)).size;
    return { ...column, role: columnRole({ ...column, values, distinct, rows: values.length }) };
  });
}

/** Files the statement reads, by their original names. */
function sourcesOf(used: readonly string[], registry: Registry): string {
  return registry.tables
    .filter((table) => used.includes(table.name))
    .map((table) => table.source)
    .join(", ");
}
