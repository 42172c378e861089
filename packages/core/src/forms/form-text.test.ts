import type { InputField } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkFormValues } from "./check-form-values.ts";
import { describeForm, exampleValues } from "./form-text.ts";
import { readFormText } from "./read-form-text.ts";

const field = (own: Partial<InputField>): InputField => ({
  field_name: "f",
  field_label: "",
  field_description: "",
  field_type: "text",
  field_values: [],
  default_value: null,
  placeholder: "",
  required: true,
  ...own,
});
const formOf = (...fields: readonly Partial<InputField>[]) => ({
  title: "Notice agent",
  description: "Which board?",
  fields: fields.map(field),
});
const board = {
  field_name: "board",
  field_label: "Board",
  field_type: "select",
  field_values: ["staff", "visitors"],
} as const;

describe("a form as text", () => {
  it("lists the options of one field and accepts the value alone", () => {
    expect(describeForm(formOf(board), { inWords: true })).toBe(
      '- board (Board): one of staff, visitors\nReply with the value alone, or with the line "board: staff".',
    );
  });

  it("says of each field what it takes, and gives a line for each", () => {
    const text = describeForm(
      formOf(
        { field_name: "sure", field_type: "boolean", required: false },
        { field_name: "count", field_type: "number", default_value: 3, field_description: "How many?" },
        { field_name: "note", field_description: "Which board?", placeholder: "anything" },
      ),
      { inWords: true },
    );
    expect(text).toBe(
      [
        "- sure: yes or no, optional",
        "- count: a number, default 3. How many?",
        "- note: text",
        'Reply with one line for each field: "sure: yes", "count: 5", "note: anything".',
      ].join("\n"),
    );
  });

  it("is bounded", () => {
    const long = { ...board, field_values: Array.from({ length: 5_000 }, (_, index) => `option ${index}`) };
    const fields = Array.from({ length: 100 }, (_, index) => ({ ...long, field_name: `f${index}` }));
    expect(describeForm(formOf(...fields), { inWords: true }).length).toBeLessThan(15_000);
  });

  it("gives lines and values that fill the form", () => {
    const type = fc.constantFrom(
      "text",
      "select",
      "multiselect",
      "boolean",
      "number",
      "url",
      "email" as const,
    );
    fc.assert(
      fc.property(fc.array(type, { minLength: 1, maxLength: 5 }), (types) => {
        const form = formOf(
          ...types.map((field_type, index) => ({
            field_name: `f${index}`,
            field_type,
            field_values: /select/.test(field_type) ? ["a", "b"] : [],
          })),
        );
        expect(checkFormValues(form, exampleValues(form))).toMatchObject({ ok: true });
        const lines = [...describeForm(form, { inWords: true }).matchAll(/"(f\d: [^"]*)"/g)].map(
          ([, line]) => line,
        );
        const read = readFormText(form, lines.length === 0 ? "..." : lines.join("\n"));
        expect(checkFormValues(form, read?.values ?? {})).toMatchObject({ ok: true });
      }),
    );
  });
});
