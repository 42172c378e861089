import type { FieldType, FormValues, InputField } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkFormValues } from "./check-form-values.ts";

function field(field_type: FieldType, rest: Partial<InputField> = {}): InputField {
  return {
    field_name: "f",
    field_label: "Field",
    field_description: "",
    field_type,
    field_values: ["a", "b"],
    default_value: null,
    placeholder: "",
    required: true,
    ...rest,
  };
}

function check(of: InputField, values: FormValues) {
  return checkFormValues({ title: "", description: "", fields: [of] }, values);
}

describe("checkFormValues", () => {
  it.each<[FieldType, FormValues[string], FormValues[string]]>([
    ["text", "hello", "hello"],
    ["number", "4.5", 4.5],
    ["number", 0, 0],
    ["boolean", "no", false],
    ["boolean", false, false],
    ["boolean", "Yes", true],
    ["select", "a", "a"],
    ["multiselect", ["b", "a"], ["b", "a"]],
    ["multiselect", "a, b", ["a", "b"]],
    ["url", "https://example.com/x?y=1", "https://example.com/x?y=1"],
    ["email", "ann@example.com", "ann@example.com"],
  ])("takes for %s the value %j as %j", (type, given, expected) => {
    expect(check(field(type), { f: given })).toEqual({ ok: true, values: { f: expected } });
  });

  it.each<[FieldType, FormValues[string], string]>([
    ["text", 7, "must be text"],
    ["number", "many", '"many" is not a number'],
    ["number", "Infinity", "is not a number"],
    ["boolean", "maybe", "neither yes nor no"],
    ["select", "c", '"c" is not one of a, b'],
    ["multiselect", ["a", "c"], '"c" is not one of'],
    ["multiselect", 7, "must be a list"],
    ["url", "javascript:alert(1)", "is not an http or https address"],
    ["url", "example", "is not an http"],
    ["email", "ann@", "is not an email address"],
    ["text", "", "is required"],
    ["text", null, "is required"],
    ["multiselect", [], "is required"],
  ])("refuses for %s the value %j", (type, given, issue) => {
    const result = check(field(type), { f: given });
    expect(result).toMatchObject({ ok: false, issues: [expect.stringContaining(`Field: `)] });
    expect(JSON.stringify(result)).toContain(JSON.stringify(issue).slice(1, -1));
  });

  it("fills in defaults, leaves optional fields empty and refuses unknown ones", () => {
    expect(check(field("number", { default_value: 5 }), {})).toEqual({ ok: true, values: { f: 5 } });
    expect(check(field("number", { required: false }), {})).toEqual({ ok: true, values: { f: null } });
    expect(check(field("text"), { f: "x", g: "y" })).toMatchObject({
      ok: false,
      issues: ["g: is not a field of this form."],
    });
    expect(check(field("text", { field_label: "" }), {})).toMatchObject({ issues: ["f: is required."] });
  });

  it("takes any name for a field", () => {
    const odd = field("multiselect", { field_name: "__proto__", field_values: ["a"] });
    const result = check(odd, Object.fromEntries([["__proto__", ["a"]]]));
    expect(Object.entries(result.ok ? result.values : {})).toEqual([["__proto__", ["a"]]]);
  });

  it("never throws", () => {
    const types: FieldType[] = ["text", "select", "multiselect", "boolean", "number", "url", "email"];
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom("f", "__proto__", "g"), value),
        (type, values) => {
          expect(typeof check(field(type), values).ok).toBe("boolean");
        },
      ),
    );
  });
});
