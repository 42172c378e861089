import type * as nodeSqlite from "node:sqlite";

import { expect, it } from "vitest";

import { isNodeNewEnough, requireSqlite } from "./require-sqlite.ts";

it.each([
  ["v20.11.0", undefined],
  ["v22.13.0", process.getBuiltinModule("node:sqlite")],
] as const)("says which Node is needed on %s", (version, found: typeof nodeSqlite | undefined) => {
  expect(() => requireSqlite(() => found, version)).toThrow(
    expect.objectContaining({
      code: "store.io",
      message: expect.stringMatching(`Node ${version} .* Use Node 22.20, 24.7 or later`) as string,
    }),
  );
});

it("takes the versions whose node:sqlite does all that is asked of it", () => {
  const old = ["18.0.0", "20.20.2", "v22.13.0", "22.19.9", "23.11.1", "24.0.0", "24.6.0"];
  const fit = ["22.20.0", "v22.22.3", "24.7.0", "24.21.0", "25.0.0", "26.1.0-nightly2026"];
  expect([...old, ...fit].filter(isNodeNewEnough)).toEqual(fit);
});
