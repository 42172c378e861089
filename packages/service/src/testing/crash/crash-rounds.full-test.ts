import { expect, it } from "vitest";

import { crashRounds } from "./crash-rounds.ts";

it("loses, doubles and tears nothing when it is killed at random moments", async () => {
  const report = await crashRounds({ rounds: 10, seed: 20_261_121 });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ rounds: 10, tasks: 120 });
  expect(report.completed).toBeGreaterThan(0);
  expect(report.cutOff).toBeGreaterThan(0);
});
