import type { InputField } from "@troupe/stream";
import { expect, it } from "vitest";

import { checkInputs } from "./input-names.ts";

const fields = ["audience", "focus", "year"].map((field_name): InputField => ({
  field_name,
  field_label: `Your ${field_name}`,
  field_description: "",
  field_type: field_name === "year" ? "number" : "text",
  field_values: [],
  default_value: null,
  placeholder: "",
  required: true,
}));

it.each([
  [
    ["fcous", "Risks"],
    fields,
    '--input "fcous" is not asked for. What is, nearest first: focus, audience, year.',
  ],
  [["year", "soon"], fields, '--input year: "soon" is not a number.'],
  [["year", "2026"], [], '--input "year" is not asked for: no values are.'],
] as const)("refuses %j", ([name, value], asked, message) => {
  expect(() => checkInputs(new Map([[name, value]]), asked)).toThrow(message);
});

it("takes some of the fields", () => {
  expect(() => checkInputs(new Map([["focus", "Risks"]]), fields)).not.toThrow();
});
