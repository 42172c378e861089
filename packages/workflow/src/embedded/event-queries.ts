import { EVENT_PAGE } from "../engine/event-page.ts";
import { FOLDED_TYPES, type RunRecord } from "../engine/fold-run.ts";
import { query, RUN_NUMBER, runWrite, type Database } from "./database.ts";
import type { StoredEvent } from "./waiting-events.ts";

export interface EventRow {
  readonly position: number;
  readonly key: string;
  readonly at: number;
  readonly body: string;
}

export interface RunRow extends Omit<RunRecord, "userId" | "threadId"> {
  readonly userId: string | null;
  readonly threadId: string | null;
}

const SELECT_RUN =
  "SELECT id AS runId, name, objective, user_id AS userId, thread_id AS threadId, created_at AS createdAt FROM run_index";

export type EventQueries = ReturnType<typeof eventQueries>;

/** Puts an event behind those of its run; one of a key that is there is left as it is. */
export function eventInsert(db: Database): (event: StoredEvent) => void {
  const insert = runWrite(
    db,
    `INSERT OR IGNORE INTO event (run, position, key, type, at, body)
     SELECT number, COALESCE((SELECT MAX(position) + 1 FROM event WHERE run = number), 0), ?2, ?3, ?4, ?5
     FROM run_number WHERE id = ?1`,
  );
  return ({ runId, key, type, at, body }) => void insert.run(runId, key, type, at, body);
}

/** Every statement of the event log, prepared once. */
export function eventQueries(db: Database) {
  const types = FOLDED_TYPES.map((type) => `'${type}'`).join(", ");
  return {
    page: query<EventRow>(
      db,
      // Sizes first: SQLite looks them up without the bodies, of which no more than fit are read.
      `SELECT event.position, event.key, event.at, event.body FROM (
         SELECT position, SUM(bytes) OVER (ORDER BY position) - bytes AS before FROM (
           SELECT position, octet_length(body) AS bytes FROM event
           WHERE run = ${RUN_NUMBER} AND position >= ?2
           ORDER BY position LIMIT ${EVENT_PAGE.rows}
         )
       ) AS sized JOIN event ON event.run = ${RUN_NUMBER} AND event.position = sized.position
       WHERE sized.before < ${EVENT_PAGE.bytes} ORDER BY event.position`,
    ),
    folded: query<{ readonly at: number; readonly body: string }>(
      db,
      // The answer is most of an end, and no part of what is folded.
      `SELECT at, CASE type WHEN 'finish' THEN json_remove(body, '$.response') ELSE body END AS body
       FROM event WHERE run = ${RUN_NUMBER} AND type IN (${types}) ORDER BY position`,
    ),
    end: query<{ readonly next: number }>(
      db,
      `SELECT COALESCE(MAX(position) + 1, 0) AS next FROM event WHERE run = ${RUN_NUMBER}`,
    ),
    /** The last event with which the run, or a step of it, ended. */
    lastFinish: query<Pick<EventRow, "position" | "body">>(
      db,
      `SELECT position, body FROM event WHERE run = ${RUN_NUMBER} AND type = 'finish' ORDER BY position DESC LIMIT 1`,
    ),
    begin: query<never>(
      db,
      `INSERT INTO run_index (id, name, objective, user_id, thread_id, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name = ''`,
    ),
    planning: query<{ readonly id: string }>(
      db,
      `SELECT id FROM run_index WHERE name = ''
       AND NOT EXISTS (SELECT 1 FROM event JOIN run_number ON run = number WHERE run_number.id = run_index.id)`,
    ),
    run: query<RunRow>(db, `${SELECT_RUN} WHERE id = ?`),
    /** Ids that begin with ?1, at most ?2, of user ?3 or anybody, older than ?5, which is one of theirs. */
    runs: query<RunRow>(db, pageOfRuns("?4 IS NULL", "?3 IS NULL OR user_id = ?3")),
    /** The same of thread ?4 and user ?3, or nobody. */
    thread: query<RunRow>(db, pageOfRuns("thread_id = ?4", "user_id IS ?3")),
  };
}

function pageOfRuns(which: string, whose: string): string {
  const older = `?5 IS NULL OR
    (created_at, rowid) < (SELECT created_at, rowid FROM run_index WHERE id = ?5 AND (${whose}))`;
  return `${SELECT_RUN} WHERE substr(id, 1, length(?1)) = ?1 AND ${which} AND (${whose}) AND (${older})
          ORDER BY created_at DESC, rowid DESC LIMIT ?2`;
}
