import type { SuspendedRun, SuspendedRuns } from "../ports/suspended-runs.ts";

const MAX_RUNS = 1_000;

/**
 * Waiting runs in memory, as text, so that nobody changes one by accident. The oldest is given up
 * when there are more than `max`; none survives the process.
 */
export function memorySuspendedRuns(options: { readonly max?: number } = {}): SuspendedRuns {
  const { max = MAX_RUNS } = options;
  const kept = new Map<string, string>();
  return {
    save(runId, state) {
      kept.delete(runId);
      kept.set(runId, JSON.stringify(state));
      for (const oldest of kept.keys()) {
        if (kept.size <= max) break;
        kept.delete(oldest);
      }
      return Promise.resolve();
    },
    load(runId) {
      const text = kept.get(runId);
      return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as SuspendedRun));
    },
    forget(runId) {
      return Promise.resolve(kept.delete(runId));
    },
  };
}
