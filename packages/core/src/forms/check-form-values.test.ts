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
    ["number", " 1e3 ", 1000],
    ["number", "-.5", -0.5],
    ["boolean", "on", true],
    ["select", " a ", "a"],
    ["multiselect", "b", ["b"]],
    ["multiselect", ["a", " a", "a"], ["a"]],
    ["url", " http://localhost:8/x ", "http://localhost:8/x"],
    ["email", " ann@example.com\n", "ann@example.com"],
  ])("takes for %s the value %j as %j", (type, given, expected) => {
    expect(check(field(type), { f: given })).toEqual({ ok: true, values: { f: expected } });
  });

  it.each<[FieldType, FormValues[string], string]>([
    ["text", 7, "must be text"],
    ["number", "many", '"many" is not a number'],
    ["number", "Infinity", "is not a number"],
    ["number", "0x10", "is not a number"],
    ["number", "1,5", "is not a number"],
    ["number", true, "is not a number"],
    ["boolean", 1, "neither yes nor no"],
    ["select", ["a"], '["a"] is not one of'],
    ["email", "a@b.c, d@e.f", "is not an email address"],
    ["email", "a\u0000b@c.de", "is not an email address"],
    ["url", "http://a\nb", "is not an http or https address"],
    // Backtracking over these would take hours.
    ["number", `${"1".repeat(1_000_000)}x`, "is not a number"],
    ["number", `1.${"1".repeat(1_000_000)}e`, "is not a number"],
    ["email", `a@${"a.".repeat(1_000_000)}`, "is not an email address"],
    ["text", " \n", "is required"],
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

  it("passes over a default that does not fit its own field", () => {
    expect(check(field("number", { default_value: "soon" }), {})).toMatchObject({
      issues: ["Field: is required."],
    });
    expect(check(field("select", { default_value: "c", required: false }), {})).toEqual({
      ok: true,
      values: { f: null },
    });
  });

  it("takes an option with a comma whole, and any text where there are no options", () => {
    const odd = field("multiselect", { field_values: ["a, b", "c"] });
    expect(check(odd, { f: "a, b" })).toEqual({ ok: true, values: { f: ["a, b"] } });
    expect(check(field("select", { field_values: [] }), { f: "anything" })).toMatchObject({ ok: true });
    expect(check(field("multiselect", { field_values: [] }), { f: "x, y" })).toEqual({
      ok: true,
      values: { f: ["x", "y"] },
    });
  });

  it("quotes no more than a person reads", () => {
    const result = check(field("number"), { f: "x".repeat(10_000) });
    expect(JSON.stringify(result).length).toBeLessThan(300);
  });

  it("takes any name for a field", () => {
    const odd = field("multiselect", { field_name: "__proto__", field_values: ["a"] });
    const result = check(odd, Object.fromEntries([["__proto__", ["a"]]]));
    expect(Object.entries(result.ok ? result.values : {})).toEqual([["__proto__", ["a"]]]);
  });

  it("takes as text, as a browser sends it, whatever it takes typed", () => {
    const typed = fc.oneof(
      fc.tuple(
        fc.constant<FieldType>("number"),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
      ),
      fc.tuple(fc.constant<FieldType>("boolean"), fc.boolean()),
      fc.tuple(fc.constant<FieldType>("select"), fc.constantFrom("a", "b")),
      fc.tuple(fc.constant<FieldType>("multiselect"), fc.subarray(["a", "b"], { minLength: 1 })),
      fc.tuple(fc.constant<FieldType>("url"), fc.webUrl()),
    );
    fc.assert(
      fc.property(typed, ([type, value]) => {
        const sent = Array.isArray(value) ? value.join(",") : String(value);
        expect(check(field(type), { f: sent })).toEqual({ ok: true, values: { f: value } });
      }),
    );
  });

  it("hands out values of the field's type, or says what is wrong, and never throws", () => {
    const types: FieldType[] = ["text", "select", "multiselect", "boolean", "number", "url", "email"];
    const like = fc.constantFrom("a", "b, a", "5", " 7 ", "on", "http://x", "a@b.c");
    const value = fc.oneof(
      like,
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom("f", "__proto__", "g"), value),
        (type, values) => {
          const result = check(field(type), values);
          expect(result.ok ? hasType(type, result.values["f"]) : result.issues.length > 0).toBe(true);
        },
      ),
    );
  });

  it("tells of few of the names that are no fields, however many there are", () => {
    const given = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`n${n}`, "x"]));
    const result = check(field("text"), { f: "x", ...given });
    expect(result.ok ? [] : result.issues).toHaveLength(11);
    expect(result).toMatchObject({ issues: expect.arrayContaining(["49990 more are no fields of it."]) });
  });
});

function hasType(type: FieldType, value: FormValues[string] | undefined): boolean {
  if (type === "number" || type === "boolean") return typeof value === type;
  if (type === "multiselect")
    return Array.isArray(value) && value.every((entry) => ["a", "b"].includes(entry));
  if (type === "select") return value === "a" || value === "b";
  return typeof value === "string" && value.trim() !== "";
}
