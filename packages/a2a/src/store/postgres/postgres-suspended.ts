import { parseSuspendedRun, type Log, type SuspendedRuns } from "@troupe/core";

import { toColumn } from "./column.ts";
import type { Sql } from "./sql.ts";

/** Above this the oldest is given up. */
const MAX_RUNS = 10_000;

/**
 * Runs that wait for a person, beside the tasks of a schema: whichever replica gets the answer goes on
 * with them. One that cannot be read is logged and is as good as gone.
 */
export function postgresSuspended(sql: Sql, schema: string, log: Log): SuspendedRuns {
  const text = {
    save: `INSERT INTO ${schema}.suspended (run, body) VALUES ($1::text, $2::text)
ON CONFLICT (run) DO UPDATE SET body = excluded.body, position = nextval('${schema}.suspended_order')`,
    load: `SELECT body FROM ${schema}.suspended WHERE run = $1::text`,
    forget: `DELETE FROM ${schema}.suspended WHERE run = $1::text RETURNING 1`,
    drop: `DELETE FROM ${schema}.suspended WHERE position <=
(SELECT position FROM ${schema}.suspended ORDER BY position DESC OFFSET $1::int LIMIT 1)`,
  };
  return {
    async save(runId, state) {
      await sql.query(text.save, [toColumn(runId), JSON.stringify(state)]);
      await sql.query(text.drop, [MAX_RUNS]);
    },
    async load(runId) {
      const [row] = await sql.query<{ body: string }>(text.load, [toColumn(runId)]);
      if (row === undefined) return undefined;
      try {
        return parseSuspendedRun(JSON.parse(row.body));
      } catch (error) {
        log.error("a run that waits for a person cannot be read", { runId, error });
        return undefined;
      }
    },
    forget: async (runId) => (await sql.query(text.forget, [toColumn(runId)])).length > 0,
  };
}
