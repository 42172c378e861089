import { expect, it } from "vitest";

import { checkDisk } from "./doctor.ts";

it.each([
  [0, false],
  [120_000, false],
  [130_000, true],
])("reports a disk with %i free blocks as ready: %s", (bavail, ok) => {
  expect(checkDisk("/home", () => ({ bavail, bsize: 4_096 }))).toEqual([
    {
      name: "disk",
      ok,
      says: expect.stringMatching(ok ? /^0\.5 GB free on .* folder$/ : /free at least 0\.5 GB/),
    },
  ]);
});

it("leaves a home that cannot be read to the check of the home", () => {
  expect(checkDisk("/nowhere/home")).toEqual([]);
});
