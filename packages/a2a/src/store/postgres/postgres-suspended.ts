import type { Log, SuspendedRuns } from "@troupe/core";
import { toColumn, type Sql } from "@troupe/core/postgres";

import { MAX_SUSPENDED, readSuspended } from "../suspended-body.ts";

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
      await sql.query(text.drop, [MAX_SUSPENDED]);
    },
    async load(runId) {
      const [row] = await sql.query<{ body: string }>(text.load, [toColumn(runId)]);
      return row === undefined ? undefined : readSuspended(runId, row.body, log);
    },
    forget: async (runId) => (await sql.query(text.forget, [toColumn(runId)])).length > 0,
  };
}
