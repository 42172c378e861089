import type { AgentEvent } from "@troupe/stream";

import { endsRun } from "../engine/ends-run.ts";
import { firstPosition } from "../engine/first-position.ts";
import { foldRun, type RunRecord } from "../engine/fold-run.ts";
import { numberOfRuns } from "../engine/number-of-runs.ts";
import type { RunLog } from "../engine/run-log.ts";

export interface MemoryEventLog extends RunLog {
  /** The events of a run so far. */
  events(runId: string): readonly AgentEvent[];
  /** Ends every follower, and keeps nothing more. */
  close(): void;
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
  const followers = new Set<() => void>();
  const closing = new AbortController();
  const of = (runId: string): Kept[] => {
    const list = kept.get(runId) ?? [];
    kept.set(runId, list);
    return list;
  };
  const view = (record: RunRecord) => foldRun(record, of(record.runId));
  const wake = (): void => {
    for (const follower of followers) follower();
  };
  return {
    events: (runId) => of(runId).map((entry) => entry.event),
    append(runId, key, event) {
      const list = of(runId);
      if (closing.signal.aborted || list.some((entry) => entry.key === key)) return;
      list.push({ key, at: now(), event });
      wake();
    },
    async *read(runId, { from, signal }) {
      for (let position = firstPosition(from); !signal.aborted && !closing.signal.aborted;) {
        const entry = of(runId)[position];
        if (entry) {
          yield { position, ...entry };
          if (endsRun(entry.event)) return;
          position++;
          continue;
        }
        if (of(runId).some(({ event }) => endsRun(event))) return;
        await new Promise<void>((resolve) => {
          const leave = (): void => {
            signal.removeEventListener("abort", leave);
            followers.delete(leave);
            resolve();
          };
          followers.add(leave);
          signal.addEventListener("abort", leave, { once: true });
        });
      }
    },
    close() {
      closing.abort();
      wake();
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
    async runs({ limit = 50, idPrefix = "", userId, threadId, before } = {}) {
      const theirs = [...records.values()].filter(
        (run) => userId === run.userId || (userId === undefined && threadId === undefined),
      );
      const from = theirs.findIndex(({ runId }) => runId === before);
      const older = before === undefined ? theirs : theirs.slice(0, Math.max(0, from));
      const named = older.filter(
        (run) => run.runId.startsWith(idPrefix) && (threadId === undefined || run.threadId === threadId),
      );
      return named.toReversed().slice(0, numberOfRuns(limit)).map(view);
    },
  };
}
