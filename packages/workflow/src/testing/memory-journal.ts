import type { Json } from "@troupe/stream";

import type { Journal, OpenRun, RunState } from "../embedded/journal.ts";
import type { SignalAnswer } from "../engine/port.ts";
import type { Settlement } from "../engine/recorded-run.ts";
import type { RunOutcome } from "../engine/run.ts";

interface Kept {
  readonly run: OpenRun;
  readonly entries: RunState["entries"][number][];
  readonly signals: Map<string, Json>;
  readonly answers: Map<string, SignalAnswer>;
  readonly timers: Map<string, number>;
  outcome: RunOutcome | null;
}

export interface MemoryJournal extends Journal {
  /** Entries of a run as they stand, in order; not to be changed. */
  entries(runId: string): RunState["entries"];
  /** Names of a run's entries, in order. */
  names(runId: string): readonly string[];
}

/** A journal that lives as long as the test: hand it to a second engine to go on after a crash. */
export function memoryJournal(): MemoryJournal {
  const runs = new Map<string, Kept>();
  const of = (runId: string): Kept => {
    const kept = runs.get(runId);
    if (!kept) throw new TypeError(`no run ${runId}`);
    return kept;
  };
  return {
    entries: (runId) => runs.get(runId)?.entries ?? [],
    names: (runId) => of(runId).entries.map((entry) => entry.name),
    async addRun(run) {
      if (runs.has(run.runId)) return false;
      const state = { entries: [], signals: new Map(), answers: new Map(), timers: new Map(), outcome: null };
      runs.set(run.runId, { run, ...state });
      return true;
    },
    async endRun(runId, outcome) {
      of(runId).outcome = outcome;
    },
    outcome: (runId) => runs.get(runId)?.outcome,
    run: (runId) => runs.get(runId)?.run,
    openRuns: () => [...runs.values()].filter((kept) => kept.outcome === null).map((kept) => kept.run.runId),
    load: (runId) =>
      structuredClone({ entries: of(runId).entries, signals: of(runId).signals, timers: of(runId).timers }),
    async addEntry(runId, seq, name, settlement) {
      const { entries } = of(runId);
      if (entries.length !== seq) throw new TypeError(`entry ${seq} of ${runId} was written twice`);
      entries.push({ name, value: JSON.parse(settlement) as Settlement });
    },
    async addTimer(runId, name, due) {
      const { timers } = of(runId);
      if (!timers.has(name)) timers.set(name, due);
    },
    async addSignal(runId, name, value, key) {
      const kept = runs.get(runId);
      const before = kept?.answers.get(key);
      if (before) return { answer: before, first: false };
      if (!kept || kept.outcome !== null) return { answer: "no-run", first: false };
      const first = !kept.signals.has(name);
      if (first) kept.signals.set(name, value);
      const answer = first ? "accepted" : "duplicate";
      kept.answers.set(key, answer);
      return { answer, first };
    },
    async forget(runId) {
      const kept = runs.get(runId);
      if (kept?.outcome === null) return "open";
      return runs.delete(runId) ? "forgotten" : "no-run";
    },
    close: () => undefined,
  };
}
