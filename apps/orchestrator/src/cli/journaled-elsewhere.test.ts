import { expect, it } from "vitest";

import { testContext } from "../testing/test-context.ts";
import { withRuns } from "./runs.ts";

it("does not say that there are no runs where they are journaled by Restate and nobody can be asked", async () => {
  const env = { TROUPE_ENGINE: "restate", TROUPE_CONFIG: "/nowhere/troupe.config.json" };
  const listed = (own: object) =>
    withRuns(testContext("/nowhere/home", own), (known) => known.list({ limit: 5 }));
  await expect(listed({ env })).rejects.toThrow(/Start one, such as with `up`/);
  expect(await listed({ env: { ...env, TROUPE_ENGINE: "embedded" } })).toEqual([]);
});
