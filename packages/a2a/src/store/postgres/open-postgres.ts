import { silentLog, type SuspendedRuns } from "@troupe/core";
import { checkSchemaName, openPool, poolSql, type PoolOptions } from "@troupe/core/postgres";

import { postgresSuspended } from "./postgres-suspended.ts";
import { tasksInPostgres, type PostgresTasks, type PostgresTasksOptions } from "./postgres-task-store.ts";
import { DEFAULT_SCHEMA } from "./schema.ts";

export interface PostgresTaskStoreOptions extends PostgresTasksOptions, PoolOptions {}

export interface PostgresTaskStore extends PostgresTasks {
  /** Runs of the same agent that wait for a person, for whichever replica gets the answer. */
  readonly suspended: SuspendedRuns;
  /** Lets go of the connections that it opened. */
  close(): Promise<void>;
}

/**
 * Opens tasks that are kept in Postgres, 14 or later, for any number of replicas of one agent. The
 * tables are made or brought up to date. Throws a `StoreError`: `store.io` where the database cannot
 * be reached, which later on is tried again by whoever works on a task. Throws an `InputError` where
 * neither a `connectionString` nor a `pool` is given.
 */
export async function openPostgresTaskStore(options: PostgresTaskStoreOptions): Promise<PostgresTaskStore> {
  const { log = silentLog, schema = DEFAULT_SCHEMA } = options;
  const what = "The tasks in Postgres";
  const { pool, close } = openPool(options, { what: "the tasks", name: `troupe ${schema}`, log });
  try {
    const sql = poolSql(pool, what);
    const tasks = await tasksInPostgres(sql, options, what);
    const suspended = postgresSuspended(sql, checkSchemaName(schema), log);
    return { ...tasks, suspended, close };
  } catch (error) {
    await close();
    throw error;
  }
}
