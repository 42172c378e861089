import { fromColumn, toColumn, type Sql } from "@troupe/core/postgres";

import type { KeptPushConfig, PushConfig, PushConfigs, PushState, PushTask } from "../push-configs.ts";

interface Row {
  readonly body: string;
  readonly told: string;
  readonly state: PushState;
}

/** Tasks that are read at once. */
const PAGE = 100;

/** Configs kept beside the tasks of a schema; the database lets them go with their task. */
export function postgresPush(sql: Sql, schema: string): PushConfigs {
  const ofTask = `task = (SELECT position FROM ${schema}.task WHERE owner = $1::text AND task.id = $2::text)`;
  const text = {
    put: `INSERT INTO ${schema}.push AS kept (task, id, body, told, state)
SELECT position, $3::text, $4::text, $5::text, 'open' FROM ${schema}.task WHERE owner = $1::text AND task.id = $2::text
ON CONFLICT (task, id) DO UPDATE SET body = excluded.body,
  told = CASE WHEN kept.body = excluded.body THEN kept.told ELSE excluded.told END,
  state = CASE WHEN kept.body = excluded.body THEN kept.state ELSE 'open' END
RETURNING 1`,
    list: `SELECT body, told, state FROM ${schema}.push WHERE ${ofTask} ORDER BY position`,
    remove: `DELETE FROM ${schema}.push WHERE ${ofTask} AND id = $3::text`,
    note: `UPDATE ${schema}.push SET told = $4::text, state = $5::text WHERE ${ofTask} AND id = $3::text`,
    open: `SELECT owner, id, position::float8 AS position FROM ${schema}.task WHERE position > $1::bigint
AND position IN (SELECT task FROM ${schema}.push WHERE state = 'open') ORDER BY position LIMIT $2::int`,
  };
  const keyOf = ({ owner, taskId }: PushTask) => [toColumn(owner), toColumn(taskId)] as const;
  return {
    async put(task, config, told) {
      const args = [...keyOf(task), toColumn(config.id), JSON.stringify(config), toColumn(told)];
      return (await sql.query(text.put, args)).length > 0;
    },
    async list(task) {
      const rows = await sql.query<Row>(text.list, keyOf(task));
      return rows.map(({ body, told, state }): KeptPushConfig => ({
        config: JSON.parse(body) as PushConfig,
        told: fromColumn(told),
        state,
      }));
    },
    async remove(task, id) {
      await sql.query(text.remove, [...keyOf(task), toColumn(id)]);
    },
    async note(task, id, { told, state }) {
      await sql.query(text.note, [...keyOf(task), toColumn(id), toColumn(told), state]);
    },
    async *open() {
      for (let position = 0; ;) {
        const rows = await sql.query<{ owner: string; id: string; position: number }>(text.open, [
          position,
          PAGE,
        ]);
        for (const row of rows) {
          position = row.position;
          yield { owner: fromColumn(row.owner), taskId: fromColumn(row.id) };
        }
        if (rows.length < PAGE) return;
      }
    },
  };
}
