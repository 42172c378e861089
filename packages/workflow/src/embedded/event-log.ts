import { silentLog, systemClock, type Log } from "@troupe/core";
import type { GroupCommit } from "@troupe/core/sqlite";
import type { AgentEvent, Clock } from "@troupe/stream";

import { endsRun } from "../engine/ends-run.ts";
import { firstPosition } from "../engine/first-position.ts";
import { foldRun, type RunRecord } from "../engine/fold-run.ts";
import { numberOfRuns } from "../engine/number-of-runs.ts";
import type { LoggedEvent, RunLog, RunsQuery } from "../engine/run-log.ts";
import type { RunView } from "../engine/run.ts";
import { openStorage, type Storage } from "./database.ts";
import { eventQueries, type EventQueries, type RunRow } from "./event-queries.ts";
import { EventWriter } from "./event-writer.ts";

export interface EventTableOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** How often a follower looks for events another process wrote, in milliseconds. */
  readonly pollMs?: number;
}

export interface BesideJournalOptions extends EventTableOptions {
  /** Told again and again of a run whose events the disk refuses for longer than a moment. */
  readonly onRefused?: (runId: string, error: unknown) => void;
  /** Told of a run once the disk takes what it had refused. */
  readonly onTaken?: (runId: string) => void;
}

export interface EventLogOptions extends EventTableOptions {
  /** The journal's file, or one of its own; made when it is not there. */
  readonly path: string;
}

export interface SqliteEventLog extends RunLog {
  /** Writes what waits and ends every follower. */
  close(): void;
}

/**
 * The events of runs on a sqlite file, beside the journal or in one of its own. Written in groups without an fsync
 * of their own: kill -9 loses nothing that was committed, a power cut at most what came after the
 * journal's last commit.
 */
export function openEventLog({ path, ...options }: EventLogOptions): SqliteEventLog {
  const storage = openStorage(path);
  return new EventFile(storage, options, () => storage.group.close());
}

/** The same in a file that is open and that somebody else closes after it. */
export function openEventTable(storage: Storage, options: BesideJournalOptions): SqliteEventLog {
  return new EventTable(storage, options, () => undefined);
}

class EventTable implements SqliteEventLog {
  readonly #group: GroupCommit;
  readonly #clock: Clock;
  protected readonly writer: EventWriter;
  readonly #pollMs: number;
  readonly #letGo: () => void;
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #sql: EventQueries;
  #closed = false;

  constructor(storage: Storage, options: BesideJournalOptions, letGo: () => void) {
    this.#group = storage.group;
    this.#clock = options.clock ?? systemClock;
    this.#pollMs = options.pollMs ?? 250;
    this.#letGo = letGo;
    this.#sql = eventQueries(storage.db);
    this.writer = new EventWriter({
      storage,
      clock: this.#clock,
      log: options.log ?? silentLog,
      onKept: (runId, { refused }) => {
        this.#wake(runId);
        if (refused) options.onTaken?.(runId);
      },
      onRefused: options.onRefused ?? (() => undefined),
    });
  }

  append(runId: string, key: string, event: AgentEvent): void {
    if (this.#closed) return;
    const [at, body] = [this.#clock.now(), JSON.stringify(event)];
    this.writer.add({ runId, key, type: event.type, at, body, written: false });
  }

  drained(runId: string): Promise<void> {
    return this.writer.drained(runId);
  }

  async *read(
    runId: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncGenerator<LoggedEvent> {
    const first = firstPosition(options.from);
    let from = first;
    while (!options.signal.aborted && !this.#closed) {
      const rows = this.#sql.page.all(runId, from);
      for (const row of rows) {
        if (options.signal.aborted) return;
        const { body, ...place } = row;
        const event = JSON.parse(body) as AgentEvent;
        yield { ...place, event };
        if (endsRun(event)) return;
        from = row.position + 1;
      }
      if (rows.length > 0) continue;
      // Whoever asked for what comes behind the end waits for nothing.
      if (from === first && first > 0 && this.#endedBefore(runId, first)) return;
      // Forgotten while somebody read it.
      if (from > first && this.#sql.end.get(runId)?.next === 0) return;
      await this.#change(runId, options.signal);
    }
  }

  async begin({ runId, name, objective, userId, threadId }: Omit<RunRecord, "createdAt">): Promise<void> {
    const at = this.#clock.now();
    await this.#group.run(
      () => this.#sql.begin.run(runId, name, objective, userId ?? null, threadId ?? null, at),
      false,
    );
  }

  async planning(): Promise<readonly string[]> {
    this.#group.flush();
    return this.#sql.planning.all().map(({ id }) => id);
  }

  async end(runId: string): Promise<number> {
    this.#group.flush();
    return this.#sql.end.get(runId)?.next ?? 0;
  }

  async view(runId: string): Promise<RunView | null> {
    this.#group.flush();
    const record = this.#sql.run.get(runId);
    return record ? this.#fold(record) : null;
  }

  async runs(options: RunsQuery = {}): Promise<readonly RunView[]> {
    const { limit = 50, idPrefix = "", userId, threadId, before } = options;
    this.#group.flush();
    const whose = [userId ?? null, threadId ?? null, before ?? null];
    // A thread is one owner's, nobody's included; without one all runs are meant that this owner may see.
    const found = threadId === undefined ? this.#sql.runs : this.#sql.thread;
    return found.all(idPrefix, numberOfRuns(limit), ...whose).map((record) => this.#fold(record));
  }

  close(): void {
    if (this.#closed) return;
    this.writer.close();
    this.#group.flush();
    this.#closed = true;
    for (const runId of this.#followers.keys()) this.#wake(runId);
    this.#letGo();
  }

  #endedBefore(runId: string, position: number): boolean {
    const last = this.#sql.lastFinish.get(runId);
    return last !== undefined && last.position < position && endsRun(JSON.parse(last.body) as AgentEvent);
  }

  #fold({ userId, threadId, ...record }: RunRow): RunView {
    const rows = this.#sql.folded.all(record.runId);
    const events = rows.map((row) => ({ at: row.at, event: JSON.parse(row.body) as AgentEvent }));
    const whose = { ...(userId === null ? {} : { userId }), ...(threadId === null ? {} : { threadId }) };
    return foldRun({ ...record, ...whose }, events);
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

/** No journal of this process shares its transactions. */
class EventFile extends EventTable {
  kept(): Promise<void> {
    return this.writer.kept();
  }
}
