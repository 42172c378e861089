import type { AgentEvent } from "@troupe/stream";

import { foldRun, type RunRecord } from "../engine/fold-run.ts";
import type { RunLog } from "../engine/run-log.ts";

export interface MemoryEventLog extends RunLog {
  /** The events of a run so far. */
  events(runId: string): readonly AgentEvent[];
}

interface Kept {
  readonly key: string;
  readonly at: number;
  readonly event: AgentEvent;
}

/** An event log in memory, with the rules of the real one. `now` stamps what it keeps. */
export function memoryEventLog(now: () => number = () => 0): MemoryEventLog {
  const kept = new Map<string, Kept[]>();
  const records = new Map<string, RunRecord>();
  let followers: (() => void)[] = [];
  const of = (runId: string): Kept[] => {
    const list = kept.get(runId) ?? [];
    kept.set(runId, list);
    return list;
  };
  const view = (record: RunRecord) => foldRun(record, of(record.runId));
  const wake = (): void => {
    const waiting = followers;
    followers = [];
    for (const follower of waiting) follower();
  };
  return {
    events: (runId) => of(runId).map((entry) => entry.event),
    append(runId, key, event) {
      const list = of(runId);
      if (list.some((entry) => entry.key === key)) return;
      list.push({ key, at: now(), event });
      wake();
    },
    async *read(runId, { from, signal }) {
      for (let position = from; !signal.aborted;) {
        const entry = of(runId)[position];
        if (entry) {
          yield { position, event: entry.event };
          if (entry.event.type === "finish" && entry.event.stepId === undefined) return;
          position++;
          continue;
        }
        await new Promise<void>((resolve) => {
          followers.push(resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
    async begin(run) {
      const known = records.get(run.runId);
      if (known === undefined) records.set(run.runId, { ...run, createdAt: now() });
      else if (known.name === "") records.set(run.runId, { ...known, name: run.name });
    },
    async planning() {
      return [...records.values()]
        .filter(({ name, runId }) => name === "" && of(runId).length === 0)
        .map(({ runId }) => runId);
    },
    async end(runId) {
      return of(runId).length;
    },
    async view(runId) {
      const record = records.get(runId);
      return record ? view(record) : null;
    },
    async runs({ limit = 50, idPrefix = "", userId } = {}) {
      const named = [...records.values()].filter(
        (run) => run.runId.startsWith(idPrefix) && (userId === undefined || run.userId === userId),
      );
      return named.toReversed().slice(0, limit).map(view);
    },
  };
}
