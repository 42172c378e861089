import type { Log, SuspendedRuns } from "@troupe/core";
import type { GroupCommit } from "@troupe/core/sqlite";

import { MAX_SUSPENDED, readSuspended } from "../suspended-body.ts";
import { query, type Database } from "./database.ts";

/** Runs that wait for a person, in the file of the tasks they belong to. */
export function sqliteSuspended(db: Database, group: GroupCommit, what: string, log: Log): SuspendedRuns {
  const ask = <Result = never>(sql: string) => query<Result>(db, sql, what);
  // The newest position is its own: what was replaced is not the oldest any more.
  const save = ask("INSERT OR REPLACE INTO suspended (run, body) VALUES (?, ?)");
  const drop = ask(
    "DELETE FROM suspended WHERE position <= " +
      "(SELECT position FROM suspended ORDER BY position DESC LIMIT 1 OFFSET ?)",
  );
  const load = ask<{ body: string }>("SELECT body FROM suspended WHERE run = ?");
  const forget = ask("DELETE FROM suspended WHERE run = ?");
  return {
    save(runId, state) {
      const body = JSON.stringify(state);
      return group.run(() => {
        save.run(runId, body);
        drop.run(MAX_SUSPENDED);
      }, true);
    },
    async load(runId) {
      const kept = load.get(runId);
      return kept === undefined ? undefined : readSuspended(runId, kept.body, log);
    },
    forget: (runId) =>
      group.run(() => {
        const found = load.get(runId) !== undefined;
        if (found) forget.run(runId);
        return found;
      }, true),
  };
}
