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

it.each(["[]", "", "none", null])("reads %j as an empty list where a list is due", (nothing) => {
  const read = readSaid({ content: "Done.", derived: nothing, replacements: nothing, input_fields: nothing });
  expect(read).toMatchObject({ derived: [], replacements: [], inputFields: [], issues: [] });
});

it("reads a list that was written as text, and names one that cannot be read", () => {
  const derived = '[{"figure":"3","operands":["1","2"]}]';
  expect(readSaid({ content: "Done.", derived }).derived).toEqual([{ figure: "3", operands: ["1", "2"] }]);
  expect(readSaid({ content: "Done.", derived: "[{" }).issues).toHaveLength(1);
});
