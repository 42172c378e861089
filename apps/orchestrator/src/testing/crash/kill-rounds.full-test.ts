import { expect, it } from "vitest";

import { killRounds } from "./kill-rounds.ts";

it("brings every run to its right end when it and its agents are killed at random moments", async () => {
  const report = await killRounds({ rounds: 10, seed: 20_261_121 });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ rounds: 10, runs: 60 });
  expect(report.completed + report.canceled).toBe(60);
  expect(report.completed).toBeGreaterThan(40);
  expect(report.answers).toBeGreaterThan(0);
});
