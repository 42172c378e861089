import { silentLog, systemClock, type Log } from "@troupe/core";
import { checkSchemaName, fromColumn, migrateSchema, toColumn, type Sql } from "@troupe/core/postgres";
import type { AgentEvent, Clock } from "@troupe/stream";

import { endsRun } from "../engine/ends-run.ts";
import { firstPosition } from "../engine/first-position.ts";
import { foldRun, type RunRecord } from "../engine/fold-run.ts";
import { numberOfRuns } from "../engine/number-of-runs.ts";
import type { LoggedEvent, RunLog, RunsQuery } from "../engine/run-log.ts";
import type { RunView } from "../engine/run.ts";
import { EventWatch } from "./event-watch.ts";
import { EventWriter, type WaitingEvent } from "./event-writer.ts";
import { forgetEnded } from "./forget-ended.ts";
import { inPlaceOf } from "./in-place-of.ts";
import { keyColumns } from "./key-column.ts";
import { MIGRATIONS } from "./schema.ts";
import {
  statements,
  type EventRow,
  type FoldedRow,
  type RunRow,
  type StandingRow,
  type Statements,
} from "./statements.ts";

export interface PostgresEventsOptions {
  /** Where the tables are, made when it is not there; `troupe_runs` by default. */
  readonly schema?: string;
  /** What waiting goes by. What is stored carries the database's own time. */
  readonly clock?: Clock;
  readonly log?: Log;
  /** How often followers look for events another process wrote, in milliseconds; 100 by default. */
  readonly pollMs?: number;
  /** Milliseconds since its end that a run is kept; for ever by default. Looked for at the start and every hour. */
  readonly keepMs?: number;
}

/** Where nobody names one. */
export const DEFAULT_SCHEMA = "troupe_runs";
const POLL_MS = 100;
/** How long closing waits for events that are not stored yet. */
const CLOSE_MS = 5_000;
/** Between two tries of who reads on while the database is away. */
const AWAY_MS = 1_000;

/** What there is once the tables are there. */
export type PostgresEvents = RunLog & {
  kept(): Promise<void>;
  /** Stores what waits, for at most 5 s, and ends every follower. */
  close(): Promise<void>;
};

/**
 * The events of runs in tables that any number of processes write to and follow. `release` is called when
 * it is closed. Throws a `StoreError`.
 */
export async function eventsInPostgres(
  sql: Sql,
  options: PostgresEventsOptions,
  what: string,
  release: () => Promise<void> = async () => undefined,
): Promise<PostgresEvents> {
  const schema = checkSchemaName(options.schema ?? DEFAULT_SCHEMA);
  await migrateSchema(sql, { schema, migrations: MIGRATIONS, what });
  return new PostgresEventTable(sql, statements(schema), options, release);
}

class PostgresEventTable implements PostgresEvents {
  readonly #sql: Sql;
  readonly #text: Statements;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #writer: EventWriter;
  readonly #watch: EventWatch;
  readonly #release: () => Promise<void>;
  readonly #stopForgetting: () => void;
  #closed = false;

  constructor(sql: Sql, text: Statements, options: PostgresEventsOptions, release: () => Promise<void>) {
    const { clock = systemClock, log = silentLog, pollMs = POLL_MS } = options;
    this.#sql = sql;
    this.#text = text;
    this.#clock = clock;
    this.#log = log;
    this.#release = release;
    const { keepMs } = options;
    this.#stopForgetting =
      keepMs === undefined ? () => undefined : forgetEnded({ sql, text, clock, log, keepMs });
    this.#watch = new EventWatch({ sql, ends: text.ends, clock, log, pollMs });
    this.#writer = new EventWriter({
      sql,
      append: text.append,
      clock,
      log,
      inPlaceOf: insteadOf,
      onStored: (runs) => this.#watch.stored(new Set([...runs].map(fromColumn))),
    });
  }

  append(runId: string, key: string, event: AgentEvent): void {
    if (this.#closed) return;
    this.#writer.add(toRow(toColumn(runId), key, event, this.#clock.now()));
  }

  kept(): Promise<void> {
    return this.#writer.kept();
  }

  async *read(
    runId: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncGenerator<LoggedEvent> {
    const { signal } = options;
    const first = firstPosition(options.from);
    let from = first;
    /** It was told that there is something to see. */
    let woken = false;
    while (!signal.aborted && !this.#closed) {
      const rows = await this.#page(runId, from, signal);
      for (const row of rows) {
        if (signal.aborted) return;
        const { position, key, at, body } = row;
        const event = JSON.parse(body) as AgentEvent;
        yield { position, key: fromColumn(key), at, event };
        if (endsRun(event)) return;
        from = row.position + 1;
      }
      if (rows.length > 0) {
        woken = false;
        continue;
      }
      const began = from > first;
      // Forgotten while somebody read it.
      if (woken && began && (await this.#isGone(runId))) return;
      // Whoever asked for what comes behind the end would wait for ever.
      const standing = began || first === 0 ? { events: from, ended: false } : await this.#standing(runId);
      // What has come since the page was read stands before it.
      if (standing.events > from) continue;
      if (standing.ended) return;
      await this.#watch.change({ runId, from: standing.events, began }, signal);
      woken = true;
    }
  }

  async begin({ runId, name, objective, userId, threadId }: Omit<RunRecord, "createdAt">): Promise<void> {
    const text = [runId, name, objective].map(toColumn);
    await this.#sql.query(this.#text.begin, [...text, orNull(userId), orNull(threadId)]);
  }

  async planning(): Promise<readonly string[]> {
    await this.#writer.tried();
    const rows = await this.#sql.query<{ id: string }>(this.#text.planning, []);
    return rows.map(({ id }) => fromColumn(id));
  }

  async end(runId: string): Promise<number> {
    await this.#writer.tried();
    const [row] = await this.#sql.query<{ events: number }>(this.#text.ends, [[toColumn(runId)]]);
    return row?.events ?? 0;
  }

  async view(runId: string): Promise<RunView | null> {
    await this.#writer.tried();
    const [view] = await this.#fold(await this.#sql.query<RunRow>(this.#text.view, [toColumn(runId)]));
    return view ?? null;
  }

  async runs(options: RunsQuery = {}): Promise<readonly RunView[]> {
    const { limit = 50, idPrefix = "", userId, threadId, before } = options;
    const most = numberOfRuns(limit);
    await this.#writer.tried();
    const prefixes = [toColumn(idPrefix), escapedPrefix(idPrefix)];
    const args = [...prefixes, orNull(userId), orNull(threadId), orNull(before), most];
    return this.#fold(await this.#sql.query<RunRow>(this.#text.runs, args));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopForgetting();
    this.#watch.close();
    const late = Promise.withResolvers<void>();
    const cancel = this.#clock.schedule(CLOSE_MS, late.resolve);
    await Promise.race([this.#writer.kept(), late.promise]);
    cancel();
    const lost = this.#writer.abandon();
    if (lost > 0) this.#log.error("events of runs could not be stored any more", { events: lost });
    await this.#release();
  }

  /** While the database is away as it was, so that it is looked at again. */
  async #standing(runId: string): Promise<{ readonly events: number; readonly ended: boolean }> {
    try {
      const [row] = await this.#sql.query<StandingRow>(this.#text.standing, [toColumn(runId)]);
      const { events, finish } = row ?? { events: 0, finish: null };
      return { events, ended: finish !== null && endsRun(JSON.parse(finish) as AgentEvent) };
    } catch {
      return { events: 0, ended: false };
    }
  }

  async #isGone(runId: string): Promise<boolean> {
    try {
      const rows = await this.#sql.query<{ events: number }>(this.#text.ends, [[toColumn(runId)]]);
      return rows.length === 0;
    } catch {
      return false;
    }
  }

  /** While the database is away it is tried again: whoever follows a run has not lost it. */
  async #page(runId: string, from: number, signal: AbortSignal): Promise<readonly EventRow[]> {
    for (let away = false; ; away = true) {
      try {
        return await this.#sql.query<EventRow>(this.#text.page, [toColumn(runId), from]);
      } catch (error) {
        if (signal.aborted || this.#closed) return [];
        if (!away) this.#log.warn("events of a run could not be read; it is tried again", { runId, error });
        // A reader that leaves meanwhile is no trouble.
        await this.#clock.sleep(AWAY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #fold(records: readonly RunRow[]): Promise<readonly RunView[]> {
    if (records.length === 0) return [];
    const positions = records.map(({ position }) => position);
    const rows = await this.#sql.query<FoldedRow>(this.#text.folded, [positions]);
    const events = Map.groupBy(rows, ({ run }) => run);
    return records.map((record) => {
      const own = events.get(record.position) ?? [];
      return foldRun(
        readRecord(record),
        own.map(({ at, body }) => ({ at, event: JSON.parse(body) as AgentEvent })),
      );
    });
  }
}

/** Of what stands in the place of another one; no step has such an id. */
const INSTEAD = "$instead/";

function toRow(run: string, key: string, event: AgentEvent, at: number): WaitingEvent {
  return { run, ...keyColumns(key), type: toColumn(event.type), body: JSON.stringify(event), at };
}

function insteadOf({ run, longKey, body, at, ...row }: WaitingEvent): readonly WaitingEvent[] {
  const key = fromColumn(longKey ?? row.key);
  if (key.startsWith(INSTEAD)) return [];
  const events = inPlaceOf(JSON.parse(body) as AgentEvent);
  return events.map((event, n) => toRow(run, `${INSTEAD}${n}/${key}`, event, at));
}

const orNull = (text: string | undefined): string | null => (text === undefined ? null : toColumn(text));

function readRecord({ id, name, objective, user_id, thread_id, created_at }: RunRow): RunRecord {
  return {
    runId: fromColumn(id),
    name: fromColumn(name),
    objective: fromColumn(objective),
    ...(user_id === null ? {} : { userId: fromColumn(user_id) }),
    ...(thread_id === null ? {} : { threadId: fromColumn(thread_id) }),
    createdAt: created_at,
  };
}

/** How an escaped id begins whose text begins so; nothing is, where the text itself had to be escaped. */
function escapedPrefix(prefix: string): string {
  const escaped = toColumn(`${prefix}\0`);
  return escaped.slice(0, -'\\u0000"'.length);
}
