import { casesOf, stepsOf, type Deed, type ModelCase } from "./cases.ts";
import { checkStory } from "./check-story.ts";
import { tryCase, type Trouble } from "./try-case.ts";

export interface Checked {
  /** Runs that were tried. */
  runs: number;
  /** One for each that does not follow the rules. */
  readonly failures: string[];
}

export interface Scope {
  /** Steps of a workflow. */
  readonly steps: number;
  readonly deeds: readonly Deed[];
  /** Each run is also canceled after each entry of its journal. */
  readonly cancels?: boolean;
  /** In each run the process also dies of each write, before it is on disk and just after. */
  readonly deaths?: boolean;
}

export const DEEDS: readonly Deed[] = [
  "completes",
  "partial",
  "fails",
  "flaky",
  "stuck",
  "asks",
  "lost",
  "stopped",
  "person",
];

/** Every run there is in a scope, held against the rules. */
export async function checkCases(
  scope: Scope,
  checked: Checked = { runs: 0, failures: [] },
): Promise<Checked> {
  for (const model of casesOf(scope.steps, stepsOf(scope.deeds))) {
    const entries = await check(model, {}, checked);
    const points = Array.from({ length: entries }, (_, at) => at + 1);
    if (scope.cancels) for (const cancelAfter of points) await check(model, { cancelAfter }, checked);
    // Timers and the run itself are written too: about as often as entries are.
    const writes = Array.from({ length: 2 * entries + 2 }, (_, at) => at + 1);
    if (scope.deaths)
      for (const write of writes)
        for (const kept of [true, false]) await check(model, { death: { write, kept } }, checked);
  }
  return checked;
}

/** @returns how many entries its journal has */
async function check(model: ModelCase, trouble: Trouble, checked: Checked): Promise<number> {
  const run = await tryCase(model, trouble);
  const problems = checkStory({ model, run });
  checked.runs++;
  if (problems.length > 0) {
    const steps = model.spec.steps.map(
      ({ id, dependsOn, onFailure }, at) =>
        `${id} ${model.steps[at]?.deed ?? ""}/${onFailure}${dependsOn.map((need) => ` after ${need}`).join("")}`,
    );
    const { maxParallel = "any" } = model.spec;
    checked.failures.push(
      `${steps.join(", ")}; ${maxParallel} at once; ${JSON.stringify(trouble)}: ${problems.join("; ")}`,
    );
  }
  return run.entries.length;
}
