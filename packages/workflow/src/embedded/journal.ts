import type { Json } from "@troupe/stream";

import type { SettledError, SignalAnswer } from "../engine/port.ts";
import type { RunOutcome } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import { query, type Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

/** A settled value without its name, as it stands in the journal. */
export type Settlement =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: SettledError };

export interface OpenRun {
  readonly runId: string;
  readonly spec: DagSpec;
  readonly input: Json;
}

/** Everything of one run that outlives the process. */
export interface RunState {
  /** In the order the driver saw them. */
  readonly entries: readonly { readonly name: string; readonly value: Settlement }[];
  readonly signals: ReadonlyMap<string, Json>;
  /** When each timer falls due, in milliseconds since the Unix epoch. */
  readonly timers: ReadonlyMap<string, number>;
}

/** The durable half of an engine. A promise resolves once what it wrote will survive the process. */
export interface Journal {
  /** False when the run was there before. */
  addRun(run: OpenRun, at: number): Promise<boolean>;
  endRun(runId: string, outcome: RunOutcome, at: number): Promise<void>;
  /** Undefined: no such run. Null: not ended. */
  outcome(runId: string): RunOutcome | null | undefined;
  /** What a run was asked; undefined when there is no such run. */
  input(runId: string): Json | undefined;
  /** Runs without an outcome, oldest first. */
  openRuns(): readonly OpenRun[];
  load(runId: string): RunState;
  addEntry(runId: string, seq: number, name: string, settlement: Settlement): Promise<void>;
  /** The first due time given for a name stays. */
  addTimer(runId: string, name: string, due: number): Promise<void>;
  /** `first` when this very call made the value known. */
  addSignal(
    runId: string,
    name: string,
    value: Json,
    key: string,
  ): Promise<{ readonly answer: SignalAnswer; readonly first: boolean }>;
  /** Writes what waits and lets go of the storage. */
  close(): void;
}

/** A journal on a sqlite database, which it owns from here on. */
export function openJournal(db: Database): Journal {
  const group = new GroupCommit(db);
  const insertRun = query(db, "INSERT OR IGNORE INTO run (id, spec, input, created_at) VALUES (?, ?, ?, ?)");
  const endRun = query(db, "UPDATE run SET outcome = ?, ended_at = ? WHERE id = ? AND outcome IS NULL");
  const oneRun = query<{ outcome: string | null }>(db, "SELECT outcome FROM run WHERE id = ?");
  const oneInput = query<{ input: string }>(db, "SELECT input FROM run WHERE id = ?");
  const openRuns = query<{ id: string; spec: string; input: string }>(
    db,
    "SELECT id, spec, input FROM run WHERE outcome IS NULL ORDER BY created_at, rowid",
  );
  const insertEntry = query(db, "INSERT INTO journal (run, seq, name, value) VALUES (?, ?, ?, ?)");
  const entries = query<{ name: string; value: string }>(
    db,
    "SELECT name, value FROM journal WHERE run = ? ORDER BY seq",
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
      group.run(() => insertRun.run(run.runId, JSON.stringify(run.spec), JSON.stringify(run.input), at) > 0),

    endRun: (runId, outcome, at) => group.run(() => void endRun.run(JSON.stringify(outcome), at, runId)),

    outcome(runId) {
      const row = oneRun.get(runId);
      if (!row) return undefined;
      return row.outcome === null ? null : (JSON.parse(row.outcome) as RunOutcome);
    },

    input(runId) {
      const row = oneInput.get(runId);
      return row && (JSON.parse(row.input) as Json);
    },

    openRuns: () =>
      openRuns.all().map((row) => ({
        runId: row.id,
        spec: JSON.parse(row.spec) as DagSpec,
        input: JSON.parse(row.input) as Json,
      })),

    load: (runId) => ({
      entries: entries
        .all(runId)
        .map((row) => ({ name: row.name, value: JSON.parse(row.value) as Settlement })),
      signals: new Map(signals.all(runId).map((row) => [row.name, JSON.parse(row.value) as Json])),
      timers: new Map(timers.all(runId).map((row) => [row.name, row.due])),
    }),

    addEntry: (runId, seq, name, settlement) =>
      group.run(() => void insertEntry.run(runId, seq, name, JSON.stringify(settlement))),

    addTimer: (runId, name, due) => group.run(() => void insertTimer.run(runId, name, due)),

    // Looks and writes in one transaction, so two senders of one name never both hear `accepted`.
    addSignal: (runId, name, value, key) =>
      group.run(() => {
        const before = oneAnswer.get(runId, key);
        if (before) return { answer: before.answer, first: false };
        const run = oneRun.get(runId);
        if (!run || run.outcome !== null) return { answer: "no-run", first: false };
        const first = insertSignal.run(runId, name, JSON.stringify(value)) > 0;
        const answer = first ? "accepted" : "duplicate";
        insertAnswer.run(runId, key, answer);
        return { answer, first };
      }),

    close() {
      group.flush();
      db.close();
    },
  };
}
