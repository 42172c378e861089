import { expect, it } from "vitest";

import { readSaid } from "./said.ts";

it("keeps at most 40 computed figures with at most 30 operands each", () => {
  const operands = Array.from({ length: 50 }, (_, at) => at);
  const derived = Array.from({ length: 60 }, (_, figure) => ({ figure, operands }));
  const read = readSaid({ content: "Done.", derived });
  expect(read.derived).toHaveLength(40);
  expect(read.derived.map((entry) => entry.operands.length)).toEqual(Array.from({ length: 40 }, () => 30));
  expect(read.issues).toEqual([]);
});
