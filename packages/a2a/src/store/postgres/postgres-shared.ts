import { fromColumn, toColumn, type Sql } from "@troupe/core/postgres";

import { storeConflict } from "../conflict.ts";
import type { SharedTasks } from "../shared-tasks.ts";
import { changesFromJson } from "../task-json.ts";
import type { Statements } from "./statements.ts";

/** Journaled where the whole was written anew: who follows has to load it. */
export const ANEW = "";
/** Journaled where somebody else works on it from here on: nothing to tell. */
const TAKEN = "[]";

/** The part of the store by which several runtimes share it. */
export function postgresShared(parts: {
  readonly sql: Sql;
  readonly text: Statements;
  readonly leaseMs: number;
  readonly now: () => number | null;
}): SharedTasks {
  const { sql, text, leaseMs, now } = parts;
  return {
    leaseMs,
    async renew(holder) {
      await sql.query(text.renew, [holder, leaseMs, now()]);
    },
    async release(holder) {
      await sql.query(text.release, [holder]);
    },
    async take(owner, taskId, { version, holder }) {
      const args = [toColumn(owner), toColumn(taskId), version, TAKEN, holder, now()];
      const taken = await sql.query(text.take, args);
      if (taken.length === 0) throw storeConflict(taskId, version);
      return version + 1;
    },
    async askCancel(owner, taskId) {
      await sql.query(text.askCancel, [toColumn(owner), toColumn(taskId)]);
    },
    async asked(holder) {
      const rows = await sql.query<{ owner: string; id: string }>(text.asked, [holder]);
      return rows.map(({ owner, id }) => ({ owner: fromColumn(owner), taskId: fromColumn(id) }));
    },
    async updates(owner, taskId, version) {
      const args = [toColumn(owner), toColumn(taskId), version];
      const [row] = await sql.query<{ version: number; changes: readonly string[] }>(text.updates, args);
      // As many rows as versions, or some of them are no longer there.
      if (row === undefined || row.changes.length !== row.version - version) return undefined;
      if (row.changes.includes(ANEW)) return undefined;
      return { version: row.version, events: row.changes.flatMap((body) => [...changesFromJson(body)]) };
    },
  };
}
