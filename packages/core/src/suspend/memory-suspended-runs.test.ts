import { expect, it } from "vitest";

import { sampleSuspendedRun } from "../testing/suspended-run.ts";
import { memorySuspendedRuns } from "./memory-suspended-runs.ts";

it("gives up the oldest when there are too many, and counts one saved again as new", async () => {
  const runs = memorySuspendedRuns({ max: 2 });
  for (const id of ["a", "b", "a", "c"]) await runs.save(id, sampleSuspendedRun());
  expect(await runs.load("b")).toBeUndefined();
  expect(await runs.load("a")).toBeDefined();
  expect(await runs.load("c")).toBeDefined();
});
