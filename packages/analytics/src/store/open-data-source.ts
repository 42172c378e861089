import { access } from "node:fs/promises";
import { join } from "node:path";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { newShortId } from "../adapters/new-id.ts";
import {
  QUERY_LIMITS,
  startQueryProcess,
  type QueryLimits,
  type QueryProcess,
  type RawOutcome,
} from "../adapters/query-process.ts";
import { columnRole } from "../names/column-role.ts";
import { QueryError } from "../query-error.ts";
import type { DataSource } from "../types/data-source.ts";
import type { QueryResult, ResultColumn } from "../types/result.ts";
import type { DataSchema } from "../types/schema.ts";
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
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  const { home, collection, clock, log, newId = newShortId } = options;
  const limits = { ...QUERY_LIMITS, ...options.limits };
  const results = createResultStore();
  let open: Open | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;
  await requireRegistry(home, collection);

  const processFor = async (registry: Registry): Promise<QueryProcess> => {
    if (open?.database === registry.database && open.process.alive) return open.process;
    await open?.process.close();
    const file = join(collectionFolder(home, collection), registry.database);
    await access(file);
    const tables = registry.tables.map((table) => table.name);
    open = { process: startQueryProcess({ file, tables, limits, clock }), database: registry.database };
    return open.process;
  };

  const run = async (sql: string, maxRows: number, signal: AbortSignal): Promise<QueryResult> => {
    signal.throwIfAborted();
    if (closed) throw new QueryError("query.engine", `The data source "${collection}" is closed.`);
    const registry = await requireRegistry(home, collection);
    const child = await processFor(registry);
    const raw = await child.run(sql, maxRows, signal);
    if (raw.kind !== "rows") {
      log.debug("query refused", { collection, kind: raw.kind });
      throw toError(raw, registry, limits);
    }
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
      const turn = queue.then(() => run(sql, rows, signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    result: (id) => results.get(id),
    async close() {
      closed = true;
      await open?.process.close();
    },
  };
}

function toError(
  raw: Exclude<RawOutcome, { kind: "rows" }>,
  registry: Registry,
  limits: QueryLimits,
): QueryError {
  if (raw.kind === "timeout") return timeoutError(limits.timeoutMs);
  if (raw.kind === "memory") return memoryError();
  const schema = toSchema(registry);
  return raw.kind === "denied" ? deniedError(raw.denial, schema) : failedError(raw.message, schema);
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
