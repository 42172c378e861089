import { InputError, silentLog, type SuspendedRuns } from "@troupe/core";
import { Pool } from "pg";

import { poolSql } from "./pool-sql.ts";
import { postgresSuspended } from "./postgres-suspended.ts";
import { tasksInPostgres, type PostgresTasks, type PostgresTasksOptions } from "./postgres-task-store.ts";
import { checkSchemaName, DEFAULT_SCHEMA } from "./schema.ts";

export interface PostgresTaskStoreOptions extends PostgresTasksOptions {
  /** `postgres://user:password@host/database`; a pool of connections is opened on it. */
  readonly connectionString?: string;
  /** A pool of the caller's own, in place of an address; it stays open at `close`. */
  readonly pool?: Pool;
  /** Milliseconds after which a statement that has no answer is given up, 10,000 by default. */
  readonly statementTimeoutMs?: number;
  /** Connections of the pool, 10 by default. */
  readonly maxConnections?: number;
}

export interface PostgresTaskStore extends PostgresTasks {
  /** Runs of the same agent that wait for a person, for whichever replica gets the answer. */
  readonly suspended: SuspendedRuns;
  /** Lets go of the connections that it opened. */
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 10;

/**
 * Opens tasks that are kept in Postgres, 14 or later, for any number of replicas of one agent. The
 * tables are made or brought up to date. Throws a `StoreError`: `store.io` where the database cannot
 * be reached, which later on is tried again by whoever works on a task. Throws an `InputError` where
 * neither a `connectionString` nor a `pool` is given.
 */
export async function openPostgresTaskStore(options: PostgresTaskStoreOptions): Promise<PostgresTaskStore> {
  const { log = silentLog, pool = openPool(options) } = options;
  const what = "The tasks in Postgres";
  const owns = options.pool === undefined;
  // A connection that breaks while nobody uses it; whoever asks next gets another one.
  if (owns) pool.on("error", (error) => log.warn("a connection to the database of tasks broke", { error }));
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => (released ??= owns ? pool.end() : undefined);
  try {
    const sql = poolSql(pool, what);
    const tasks = await tasksInPostgres(sql, options, what);
    const suspended = postgresSuspended(sql, checkSchemaName(options.schema ?? DEFAULT_SCHEMA), log);
    return { ...tasks, suspended, close: release };
  } catch (error) {
    await release();
    throw error;
  }
}

function openPool(options: PostgresTaskStoreOptions): Pool {
  const { connectionString, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  // Without an address `pg` takes what the environment names, which nobody chose for this.
  if (connectionString === undefined)
    throw new InputError(
      "input.invalid",
      "No database is named for the tasks: hand in a connectionString such as postgres://user@host/database, or a pool.",
    );
  return new Pool({
    connectionString,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // The server gives up first; this is for one that is not there to do so.
    query_timeout: statementTimeoutMs + CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: `troupe ${options.schema ?? DEFAULT_SCHEMA}`,
  });
}
