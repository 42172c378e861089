import { checkRun } from "./check-run.ts";
import { simulateRun } from "./simulate-run.ts";

export interface SeedsReport {
  /** One line a seed that failed, with the command that shows it again. */
  readonly failures: readonly string[];
  /** How often each end and each death came about, so that a simulation that tries nothing is seen. */
  readonly counts: { readonly [what: string]: number };
}

/** Simulates one run a seed and says of which something does not hold. */
export async function simulateSeeds(o: {
  readonly from: number;
  readonly count: number;
  readonly each?: (done: number) => void;
}): Promise<SeedsReport> {
  const failures: string[] = [];
  const counts: { [what: string]: number } = {};
  const count = (what: string, n = 1): void => {
    counts[what] = (counts[what] ?? 0) + n;
  };
  for (let seed = o.from; seed < o.from + o.count; seed++) {
    const run = await simulateRun(String(seed));
    count(run.outcome?.outcome ?? "no end");
    if (run.outcome?.error) count(run.outcome.error.code);
    count("deaths", run.deaths);
    count("wakings", run.takenUp - run.deaths - 1);
    count("steps", run.spec.steps.length);
    count("revisions", run.outcome?.revisions?.length ?? 0);
    count("entries", run.journal.names("run").length);
    const problems = await checkRun(run);
    if (problems.length > 0)
      failures.push(`npm run simulate -- --seed ${seed}   # ${problems.slice(0, 5).join("; ")}`);
    o.each?.(seed - o.from + 1);
  }
  return { failures, counts };
}
