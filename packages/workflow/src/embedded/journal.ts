import type { Json } from "@troupe/stream";

import type { SignalAnswer } from "../engine/port.ts";
import type { JournalEntry, RecordedRun, Settlement } from "../engine/recorded-run.ts";
import type { RunOutcome } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import type { ForgetAnswer } from "./compactor.ts";
import { query, RUN_NUMBER, runWrite, type Storage } from "./database.ts";

export interface OpenRun {
  readonly runId: string;
  readonly spec: DagSpec;
  readonly input: Json;
}

/** Everything of one run that outlives the process. */
export interface RunState {
  /** In the order the driver saw them. */
  readonly entries: readonly JournalEntry[];
  readonly signals: ReadonlyMap<string, Json>;
  /** When each timer falls due, in milliseconds since the Unix epoch. */
  readonly timers: ReadonlyMap<string, number>;
}

/** The durable half of an engine. A promise resolves once what it wrote will survive the process. */
export interface Journal {
  /** False when the run was there before. */
  addRun(run: OpenRun, at: number): Promise<boolean>;
  endRun(runId: string, outcome: RunOutcome, at: number): Promise<void>;
  /** Undefined: no such run, or one that is being forgotten. Null: not ended. */
  outcome(runId: string): RunOutcome | null | undefined;
  /** What a run is; undefined when there is no such run, or one that is being forgotten. */
  run(runId: string): OpenRun | undefined;
  /** Ids of the runs without an outcome, oldest first. */
  openRuns(): readonly string[];
  load(runId: string): RunState;
  /** @param settlement a `Settlement` as JSON text */
  addEntry(runId: string, seq: number, name: string, settlement: string): Promise<void>;
  /** The first due time given for a name stays. */
  addTimer(runId: string, name: string, due: number): Promise<void>;
  /** `first` when this very call made the value known. */
  addSignal(
    runId: string,
    name: string,
    value: Json,
    key: string,
  ): Promise<{ readonly answer: SignalAnswer; readonly first: boolean }>;
  /** Drops all of a run that has ended. */
  forget(runId: string): Promise<ForgetAnswer>;
  /** Writes what waits and lets go of the storage. */
  close(): void;
}

/** The journal in a file, which it owns from here on. */
export function openJournal({ db, group, waiting }: Storage): Omit<Journal, "forget"> {
  /** What the engine promises does not go with a power cut. */
  const write = <T>(work: () => T): Promise<T> => group.run(work, true);
  /** What its run told before is kept with it, or neither is: it is not told again once this is journaled. */
  const writeAfterEvents = async (runId: string, work: () => void): Promise<void> => {
    const last = await write(() => {
      const told = waiting.write(runId);
      work();
      return told;
    });
    if (last !== undefined) waiting.kept(runId, last);
  };
  const insertRun = query(db, "INSERT OR IGNORE INTO run (id, spec, input, created_at) VALUES (?, ?, ?, ?)");
  const endRun = query(db, "UPDATE run SET outcome = ?, ended_at = ? WHERE id = ? AND outcome IS NULL");
  const known = "FROM run WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM forgotten WHERE run = ?1)";
  const oneRun = query<{ outcome: string | null }>(db, `SELECT outcome ${known}`);
  const oneAsked = query<{ spec: string; input: string }>(db, `SELECT spec, input ${known}`);
  const openRuns = query<{ id: string }>(
    db,
    "SELECT id FROM run WHERE outcome IS NULL ORDER BY created_at, rowid",
  );
  const insertEntry = runWrite(
    db,
    "INSERT INTO journal (run, seq, name, value) SELECT number, ?2, ?3, ?4 FROM run_number WHERE id = ?1",
  );
  const entries = query<{ name: string; value: string }>(
    db,
    `SELECT name, value FROM journal WHERE run = ${RUN_NUMBER} ORDER BY seq`,
  );
  const insertSignal = query(db, "INSERT OR IGNORE INTO signal (run, name, value) VALUES (?, ?, ?)");
  const signals = query<{ name: string; value: string }>(db, "SELECT name, value FROM signal WHERE run = ?");
  const oneAnswer = query<{ answer: SignalAnswer }>(
    db,
    "SELECT answer FROM signal_answer WHERE run = ? AND key = ?",
  );
  const insertAnswer = query(db, "INSERT INTO signal_answer (run, key, answer) VALUES (?, ?, ?)");
  const insertTimer = query(db, "INSERT OR IGNORE INTO timer (run, name, due) VALUES (?, ?, ?)");
  const timers = query<{ name: string; due: number }>(db, "SELECT name, due FROM timer WHERE run = ?");

  return {
    addRun: (run, at) =>
      write(() => insertRun.run(run.runId, JSON.stringify(run.spec), JSON.stringify(run.input), at) > 0),

    endRun: (runId, outcome, at) =>
      writeAfterEvents(runId, () => void endRun.run(JSON.stringify(outcome), at, runId)),

    outcome(runId) {
      const row = oneRun.get(runId);
      if (!row) return undefined;
      return row.outcome === null ? null : (JSON.parse(row.outcome) as RunOutcome);
    },

    run(runId) {
      const row = oneAsked.get(runId);
      return row && { runId, spec: JSON.parse(row.spec) as DagSpec, input: JSON.parse(row.input) as Json };
    },

    openRuns: () => openRuns.all().map(({ id }) => id),

    load: (runId) => ({
      entries: entries
        .all(runId)
        .map((row) => ({ name: row.name, value: JSON.parse(row.value) as Settlement })),
      signals: new Map(signals.all(runId).map((row) => [row.name, JSON.parse(row.value) as Json])),
      timers: new Map(timers.all(runId).map((row) => [row.name, row.due])),
    }),

    addEntry: (runId, seq, name, settlement) =>
      writeAfterEvents(runId, () => void insertEntry.run(runId, seq, name, settlement)),

    addTimer: (runId, name, due) => write(() => void insertTimer.run(runId, name, due)),

    // Looks and writes in one transaction, so two senders of one name never both hear `accepted`.
    addSignal: (runId, name, value, key) =>
      write(() => {
        const before = oneAnswer.get(runId, key);
        if (before) return { answer: before.answer, first: false };
        const run = oneRun.get(runId);
        if (!run || run.outcome !== null) return { answer: "no-run", first: false };
        const first = insertSignal.run(runId, name, JSON.stringify(value)) > 0;
        const answer = first ? "accepted" : "duplicate";
        insertAnswer.run(runId, key, answer);
        return { answer, first };
      }),

    close: () => group.close(),
  };
}

/** All of a run but its events; undefined where there is no such run. */
export function recordedIn(
  journal: Pick<Journal, "run" | "outcome" | "load">,
  runId: string,
): RecordedRun | undefined {
  const run = journal.run(runId);
  if (run === undefined) return undefined;
  const { entries, signals } = journal.load(runId);
  const { spec, input } = run;
  return { spec, input, outcome: journal.outcome(runId) ?? null, journal: entries, signals };
}
