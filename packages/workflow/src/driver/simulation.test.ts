import { expect, it } from "vitest";

import { isTroupeError } from "@troupe/core";

import { retryInput } from "../runs/retry-input.ts";
import { checkRun } from "../testing/simulation/check-run.ts";
import { RUN, simulateRun } from "../testing/simulation/simulate-run.ts";
import { simulateSeeds } from "../testing/simulation/simulate-seeds.ts";

it("ends as it should, with nothing lost and nothing done twice, on 2,000 seeds", async () => {
  const { failures, counts } = await simulateSeeds({ from: 1, count: 2_000 });
  expect(failures).toEqual([]);
  // Else nothing was tried.
  for (const what of ["completed", "partial", "failed", "canceled", "deaths", "wakings", "revisions"])
    expect(counts[what]).toBeGreaterThan(100);
}, 120_000);

it.each(["52", "200", "613"])(
  "ends as it should wherever the first process dies, at each write of the run by seed %s",
  async (seed) => {
    const whole = await simulateRun(seed, { deaths: [], cancelAtMs: undefined });
    expect(await checkRun(whole)).toEqual([]);
    const writes = whole.journal.names(RUN).length * 2 + 5;
    for (let write = 1; write <= writes; write++)
      for (const kept of [true, false]) {
        const run = await simulateRun(seed, { deaths: [{ write, kept }], cancelAtMs: undefined });
        expect([write, kept, ...(await checkRun(run))]).toEqual([write, kept]);
      }
  },
);

it("runs what was approved and nothing else, wherever the first process dies while its plan is asked about", async () => {
  const words = new Set<string>();
  for (const seed of ["1", "4", "5", "9"])
    for (let write = 1; write <= 8; write++)
      for (const kept of [true, false]) {
        const deaths = [{ write, kept }];
        const run = await simulateRun(seed, { deaths, cancelAtMs: undefined, approval: { workflow: {} } });
        expect([seed, write, kept, ...(await checkRun(run))]).toEqual([seed, write, kept]);
        words.add(
          run.outcome?.plan === undefined ? "rejected" : run.outcome.plan.spec ? "edited" : "approved",
        );
      }
  expect([...words].toSorted()).toEqual(["approved", "edited", "rejected"]);
});

it("adds the same steps and no others, wherever the first process dies, with and without a person's word", async () => {
  const added = new Set<number>();
  for (const [seed, approval] of [
    ["9", undefined],
    ["55", undefined],
    ["38", { workflow: {}, given: true as const }],
    ["50", { workflow: {}, given: true as const }],
  ] as const)
    for (let write = 1; write <= 40; write++)
      for (const kept of [true, false]) {
        const deaths = [{ write, kept }];
        const more = approval === undefined ? {} : { approval };
        const run = await simulateRun(seed, { deaths, cancelAtMs: undefined, replans: true, ...more });
        expect([seed, write, kept, ...(await checkRun(run))]).toEqual([seed, write, kept]);
        added.add(run.outcome?.revisions?.length ?? 0);
      }
  expect(added).toEqual(new Set([0, 1, 2]));
}, 60_000);

it("ends as it should where it does an earlier run again from any of its steps", async () => {
  let begun = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { begun: first, spec, outcome } = await simulateRun(`first-${seed}`, { deaths: [] });
    if (outcome === undefined) throw new Error(`run first-${seed} has not ended`);
    for (const from of [undefined, ...spec.steps.slice(0, 3).map(({ id }) => id)]) {
      const input = again(() =>
        retryInput({ spec: first, input: { objective: "the objective" }, outcome }, from),
      );
      if (input === undefined) continue;
      const run = await simulateRun(`again-${seed}`, { spec, input });
      expect([seed, from, ...(await checkRun(run))]).toEqual([seed, from]);
      begun++;
    }
  }
  expect(begun).toBeGreaterThan(20);
});

/** Undefined where there is nothing to do again. */
function again<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (isTroupeError(error) && error.code === "input.invalid") return undefined;
    throw error;
  }
}
