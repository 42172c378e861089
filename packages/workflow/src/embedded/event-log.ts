import { silentLog, systemClock, type Log } from "@troupe/core";
import type { AgentEvent, Clock } from "@troupe/stream";

import { FOLDED_TYPES, foldRun, type RunRecord } from "../engine/fold-run.ts";
import type { RunLog, RunsQuery } from "../engine/run-log.ts";
import type { RunView } from "../engine/run.ts";
import { openDatabase, query, type Database, type Query } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

/** Rows read at a time: a follower far behind does not load a whole run at once. */
const PAGE = 256;

export interface EventLogOptions {
  /** The journal's file, or one of its own; made when it is not there. */
  readonly path: string;
  readonly clock?: Clock;
  readonly log?: Log;
  /** How often a follower looks for events another process wrote, in milliseconds. */
  readonly pollMs?: number;
}

export interface SqliteEventLog extends RunLog {
  /** Writes what waits and ends every follower. */
  close(): void;
}

/**
 * The events of runs on a sqlite file, beside the journal. Written in groups without an fsync of
 * their own: kill -9 loses nothing that was committed, a power cut at most what came after the
 * journal's last commit.
 */
export function openEventLog(options: EventLogOptions): SqliteEventLog {
  return new EventTable(options);
}

interface EventRow {
  readonly position: number;
  readonly body: string;
}

interface RunRow extends Omit<RunRecord, "userId"> {
  readonly userId: string | null;
}

class EventTable implements SqliteEventLog {
  readonly #db: Database;
  readonly #group: GroupCommit;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #pollMs: number;
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #insert: Query<never>;
  readonly #page: Query<EventRow>;
  readonly #folded: Query<{ readonly at: number; readonly body: string }>;
  #closed = false;

  constructor(options: EventLogOptions) {
    this.#db = openDatabase(options.path, "NORMAL");
    this.#group = new GroupCommit(this.#db);
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#pollMs = options.pollMs ?? 250;
    this.#insert = query(
      this.#db,
      `INSERT OR IGNORE INTO event (run, position, key, type, at, body)
       SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2, ?3, ?4, ?5 FROM event WHERE run = ?1`,
    );
    this.#page = query(
      this.#db,
      `SELECT position, body FROM event WHERE run = ? AND position >= ? ORDER BY position LIMIT ${PAGE}`,
    );
    const types = FOLDED_TYPES.map((type) => `'${type}'`).join(", ");
    this.#folded = query(
      this.#db,
      `SELECT at, body FROM event WHERE run = ? AND type IN (${types}) ORDER BY position`,
    );
  }

  append(runId: string, key: string, event: AgentEvent): void {
    if (this.#closed) return;
    const body = JSON.stringify(event);
    const at = this.#clock.now();
    this.#group
      .run(() => this.#insert.run(runId, key, event.type, at, body))
      .then(
        () => this.#wake(runId),
        (error: unknown) => this.#log.error("an event was not kept", { runId, key, error }),
      );
  }

  async *read(
    runId: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncGenerator<{ readonly position: number; readonly event: AgentEvent }> {
    let from = Math.max(0, options.from);
    while (!options.signal.aborted && !this.#closed) {
      const rows = this.#page.all(runId, from);
      for (const row of rows) {
        if (options.signal.aborted) return;
        const event = JSON.parse(row.body) as AgentEvent;
        yield { position: row.position, event };
        if (event.type === "finish" && event.stepId === undefined) return;
        from = row.position + 1;
      }
      if (rows.length === 0) await this.#change(runId, options.signal);
    }
  }

  async begin({ runId, name, objective, userId }: Omit<RunRecord, "createdAt">): Promise<void> {
    const at = this.#clock.now();
    const insert = query(
      this.#db,
      `INSERT INTO run_index (id, name, objective, user_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name = ''`,
    );
    await this.#group.run(() => insert.run(runId, name, objective, userId ?? null, at));
  }

  async planning(): Promise<readonly string[]> {
    this.#group.flush();
    const sql = `SELECT id FROM run_index WHERE name = ''
                 AND NOT EXISTS (SELECT 1 FROM event WHERE run = run_index.id)`;
    return query<{ readonly id: string }>(this.#db, sql)
      .all()
      .map(({ id }) => id);
  }

  async end(runId: string): Promise<number> {
    this.#group.flush();
    const sql = "SELECT COALESCE(MAX(position) + 1, 0) AS next FROM event WHERE run = ?";
    return query<{ readonly next: number }>(this.#db, sql).get(runId)?.next ?? 0;
  }

  async view(runId: string): Promise<RunView | null> {
    this.#group.flush();
    const record = query<RunRow>(this.#db, `${SELECT_RUN} WHERE id = ?`).get(runId);
    return record ? this.#fold(record) : null;
  }

  async runs({ limit = 50, idPrefix = "", userId }: RunsQuery = {}): Promise<readonly RunView[]> {
    this.#group.flush();
    const named = "WHERE substr(id, 1, length(?1)) = ?1 AND (?3 IS NULL OR user_id = ?3)";
    const sql = `${SELECT_RUN} ${named} ORDER BY created_at DESC, rowid DESC LIMIT ?2`;
    return query<RunRow>(this.#db, sql)
      .all(idPrefix, limit, userId ?? null)
      .map((record) => this.#fold(record));
  }

  close(): void {
    if (this.#closed) return;
    this.#group.flush();
    this.#closed = true;
    for (const runId of this.#followers.keys()) this.#wake(runId);
    this.#db.close();
  }

  #fold({ userId, ...record }: RunRow): RunView {
    const rows = this.#folded.all(record.runId);
    const events = rows.map((row) => ({ at: row.at, event: JSON.parse(row.body) as AgentEvent }));
    return foldRun({ ...record, ...(userId === null ? {} : { userId }) }, events);
  }

  #wake(runId: string): void {
    for (const wake of this.#followers.get(runId) ?? []) wake();
  }

  /** Until this process appends to the run, the signal aborts, or it is time to look again. */
  #change(runId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const followers = this.#followers.get(runId) ?? new Set();
      this.#followers.set(runId, followers);
      const wake = (): void => {
        cancel();
        signal.removeEventListener("abort", wake);
        followers.delete(wake);
        if (followers.size === 0) this.#followers.delete(runId);
        resolve();
      };
      const cancel = this.#clock.schedule(this.#pollMs, wake);
      signal.addEventListener("abort", wake, { once: true });
      followers.add(wake);
    });
  }
}

const SELECT_RUN =
  "SELECT id AS runId, name, objective, user_id AS userId, created_at AS createdAt FROM run_index";
