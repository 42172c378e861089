import type { FieldType, InputField, InputForm } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { describeUnreadReply } from "./form-text.ts";
import { readFormText } from "./read-form-text.ts";

const field = (field_name: string, field_type: FieldType = "text", field_label = ""): InputField => ({
  field_name,
  field_label,
  field_description: "",
  field_type,
  field_values: [],
  default_value: null,
  placeholder: "",
  required: false,
});
const formOf = (...fields: readonly InputField[]): InputForm => ({ title: "", description: "", fields });
const repo = formOf(field("repo"), field("note"), field("count", "number", "How many"));

describe("plain text for a form", () => {
  it.each([
    ["repo: acme/app\nnote: a: b", { repo: "acme/app", note: "a: b" }, ""],
    ["- Repo : acme/app\r\n* HOW MANY: 3", { repo: "acme/app", count: "3" }, ""],
    ["by user: a@b.c\n\nrepo: acme/app", { repo: "acme/app" }, "by user: a@b.c"],
    ["repo: old\nrepo: new\nand be quick", { repo: "new" }, "and be quick"],
    ["count:", { count: "" }, ""],
  ])("%j fills %j", (text, values, rest) => {
    expect(readFormText(repo, text)).toEqual({ values, rest });
  });

  it.each([
    "Wait: why do you need the repo: is it public?",
    "cancel that please",
    "",
    ":",
    "__proto__: x",
    "yes",
  ])("%j fills nothing", (text) => {
    expect(readFormText(repo, text)).toBeUndefined();
  });

  it("is the value where the form has one text field, with or without its name", () => {
    const one = formOf(field("reason", "text", "Your reason"));
    const why = "Wait: why?\nreason: none";
    expect(readFormText(one, why)).toEqual({ values: { reason: why }, rest: "" });
    expect(readFormText(one, "your reason:  it is late\nand dark ")).toEqual({
      values: { reason: "it is late\nand dark" },
      rest: "",
    });
    expect(readFormText(one, " \n")).toBeUndefined();
    expect(readFormText(one, "reason: ")).toBeUndefined();
  });

  it.each<[string, Partial<InputField>, unknown]>([
    ["staff", { field_type: "select", field_values: ["staff", "visitors"] }, "staff"],
    [' "Staff." ', { field_type: "select", field_values: ["staff", "visitors"] }, "staff"],
    [
      "staff, visitors",
      { field_type: "multiselect", field_values: ["staff", "visitors"] },
      ["staff", "visitors"],
    ],
    ["Yes.", { field_type: "boolean" }, true],
    ["board: no", { field_type: "boolean" }, "no"],
    ["3.5", { field_type: "number" }, 3.5],
    ["https://a.example/b.", { field_type: "url" }, "https://a.example/b."],
    ["ann@example.com", { field_type: "email" }, "ann@example.com"],
  ])("%j is the value of the only field where it is valid", (text, own, value) => {
    const form = formOf({ ...field("board"), ...own });
    expect(readFormText(form, text)).toEqual({ values: { board: value }, rest: "" });
  });

  it.each<[string, Partial<InputField>, RegExp]>([
    [
      "stff",
      { field_type: "select", field_values: ["staff", "visitors"] },
      /^Board: "stff" is not one of staff, visitors\.$/,
    ],
    ["STAFF", { field_type: "select", field_values: ["Staff", "staff"] }, /is not one of/],
    ["maybe", { field_type: "boolean" }, /^Board: "maybe" is neither yes nor no\.$/],
    ["five", { field_type: "number" }, /"five" is not a number/],
    ["x".repeat(100_000), { field_type: "number" }, /^"x+…" names no field of this form\.$/],
  ])("%j fills nothing in another field, and the person can be told why", (text, own, why) => {
    const form = formOf({ ...field("board", "text", "Board"), ...own });
    expect(readFormText(form, text)).toBeUndefined();
    expect(describeUnreadReply(form, text)).toMatch(why);
  });

  it("takes a value alone for the one required field, unless any text would be valid for it", () => {
    const year = { ...field("year", "number"), required: true };
    const asked = formOf(field("note"), year);
    expect(readFormText(asked, "2026")?.values).toEqual({ year: 2026 });
    expect(readFormText(asked, "next year")).toBeUndefined();
    expect(readFormText(formOf(year, { ...year, field_name: "month" }), "2026")).toBeUndefined();
    expect(readFormText(formOf({ ...field("why"), required: true }, field("note")), "2026")).toBeUndefined();
    expect(describeUnreadReply(repo, "yes")).toBe('"yes" names no field of this form.');
  });

  it("reads a label for a field only where it is clear which", () => {
    const form = formOf(field("a", "number", "Year"), field("b", "number", "Year"), field("c", "text", "a"));
    expect(readFormText(form, "Year: 1")).toBeUndefined();
    expect(readFormText(form, "a: 1")?.values).toEqual({ a: "1" });
  });

  it("keeps hostile names as fields like any other", () => {
    const form = formOf(field("__proto__"), field("constructor"));
    const read = readFormText(form, "__proto__: x\nconstructor: y");
    expect(Object.entries(read?.values ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("finds every value it is given on a line of its own, and loses no other line", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.stringMatching(/^[a-z0-9:/ .-]{1,20}$/).map((text) => text.trim());
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 5 }), fc.array(value), (names, values) => {
        const lines = names.map((name, index) => `${name}: ${values[index] ?? ""}`);
        const read = readFormText(
          formOf(...names.map((name) => field(name))),
          ["Hello", ...lines].join("\n"),
        );
        expect(read).toEqual({
          values: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])),
          rest: "Hello",
        });
      }),
    );
  });
});
