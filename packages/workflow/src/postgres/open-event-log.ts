import { silentLog } from "@troupe/core";
import { openPool, poolSql, type PoolOptions } from "@troupe/core/postgres";

import {
  DEFAULT_SCHEMA,
  eventsInPostgres,
  type PostgresEvents,
  type PostgresEventsOptions,
} from "./postgres-event-log.ts";

export interface PostgresEventLogOptions extends PostgresEventsOptions, PoolOptions {}

export type PostgresEventLog = PostgresEvents;

/**
 * Opens the events of runs in Postgres, 14 or later, for any number of orchestrators: what one writes all
 * of them read and follow, under the same positions. The tables are made or brought up to date. While the
 * database is away events wait in memory and followers wait with them; what is asked then, throws.
 *
 * Throws a `StoreError` (`store.io`) where the database cannot be reached now, an `InputError` where
 * neither a `connectionString` nor a `pool` is given. It needs the package `pg`.
 */
export async function openPostgresEventLog(options: PostgresEventLogOptions): Promise<PostgresEventLog> {
  const { log = silentLog, schema = DEFAULT_SCHEMA } = options;
  const what = "The events of runs in Postgres";
  const { pool, close } = openPool(options, { what: "the events of runs", name: `troupe ${schema}`, log });
  try {
    return await eventsInPostgres(poolSql(pool, what), options, what, close);
  } catch (error) {
    await close();
    throw error;
  }
}
