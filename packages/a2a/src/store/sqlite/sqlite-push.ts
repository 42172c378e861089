import type { GroupCommit } from "@troupe/core/sqlite";

import type { KeptPushConfig, PushConfig, PushConfigs, PushState } from "../push-configs.ts";
import { query, type Database } from "./database.ts";

interface Row {
  readonly body: string;
  readonly told: string;
  readonly state: PushState;
}

/** Tasks that are read at once. */
const PAGE = 100;

/** Configs kept with the tasks of a file; they go when their task's position is let go of. */
export function sqlitePush(db: Database, group: GroupCommit, what: string): PushConfigs {
  const ask = <Result = never>(sql: string) => query<Result>(db, sql, what);
  const positionOf = ask<{ position: number }>("SELECT position FROM task WHERE owner = ? AND id = ?");
  const bodyOf = ask<{ body: string }>("SELECT body FROM push WHERE task = ? AND id = ?");
  const insert = ask(
    "INSERT INTO push (task, id, body, told, state) VALUES (?, ?, ?, ?, 'open') " +
      "ON CONFLICT (task, id) DO UPDATE SET body = excluded.body, told = excluded.told, state = 'open'",
  );
  const all = ask<Row>("SELECT body, told, state FROM push WHERE task = ? ORDER BY position");
  const drop = ask("DELETE FROM push WHERE task = ? AND id = ?");
  const update = ask("UPDATE push SET told = ?, state = ? WHERE task = ? AND id = ?");
  const openAfter = ask<{ owner: string; id: string; position: number }>(
    "SELECT owner, id, position FROM task WHERE position > ? " +
      "AND position IN (SELECT task FROM push WHERE state = 'open') ORDER BY position LIMIT ?",
  );
  return {
    put: ({ owner, taskId }, config, told) =>
      group.run(() => {
        const position = positionOf.get(owner, taskId)?.position;
        if (position === undefined) return false;
        const body = JSON.stringify(config);
        if (bodyOf.get(position, config.id)?.body !== body) insert.run(position, config.id, body, told);
        return true;
      }, true),
    async list({ owner, taskId }) {
      const position = positionOf.get(owner, taskId)?.position;
      if (position === undefined) return [];
      return all.all(position).map(({ body, told, state }): KeptPushConfig => ({
        config: JSON.parse(body) as PushConfig,
        told,
        state,
      }));
    },
    remove: ({ owner, taskId }, id) =>
      group.run(() => {
        const position = positionOf.get(owner, taskId)?.position;
        if (position !== undefined) drop.run(position, id);
      }, true),
    // Where it is lost, whoever was told is told again.
    note: ({ owner, taskId }, id, { told, state }) =>
      group.run(() => {
        const position = positionOf.get(owner, taskId)?.position;
        if (position !== undefined) update.run(told, state, position, id);
      }, false),
    async *open() {
      for (let position = -1; ;) {
        const rows = openAfter.all(position, PAGE);
        for (const row of rows) {
          position = row.position;
          yield { owner: row.owner, taskId: row.id };
        }
        if (rows.length < PAGE) return;
      }
    },
  };
}
