import type { Json } from "@troupe/stream";

import type { Journal, OpenRun, RunState } from "../embedded/journal.ts";
import type { SignalAnswer } from "../engine/port.ts";
import type { RunOutcome } from "../engine/run.ts";

interface Kept {
  readonly run: OpenRun;
  readonly entries: RunState["entries"][number][];
  readonly signals: Map<string, Json>;
  readonly answers: Map<string, SignalAnswer>;
  readonly timers: Map<string, number>;
  outcome: RunOutcome | null;
}

/** A journal that lives as long as the test: hand it to a second engine to go on after a crash. */
export function memoryJournal(): Journal & { readonly names: (runId: string) => readonly string[] } {
  const runs = new Map<string, Kept>();
  const of = (runId: string): Kept => {
    const kept = runs.get(runId);
    if (!kept) throw new TypeError(`no run ${runId}`);
    return kept;
  };
  return {
    /** Names of a run's entries, in order. */
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
    input: (runId) => runs.get(runId)?.run.input,
    openRuns: () => [...runs.values()].filter((kept) => kept.outcome === null).map((kept) => kept.run),
    load: (runId) =>
      structuredClone({ entries: of(runId).entries, signals: of(runId).signals, timers: of(runId).timers }),
    async addEntry(runId, seq, name, value) {
      const { entries } = of(runId);
      if (entries.length !== seq) throw new TypeError(`entry ${seq} of ${runId} was written twice`);
      entries.push({ name, value });
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
    close: () => undefined,
  };
}
