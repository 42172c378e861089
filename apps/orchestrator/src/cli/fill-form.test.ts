import type { InputField } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { fieldLines, fillForm } from "./fill-form.ts";

const field = (field_name: string, rest: Partial<InputField>): InputField => ({
  field_name,
  field_label: "",
  field_description: "",
  field_type: "text",
  field_values: [],
  default_value: null,
  placeholder: "",
  required: true,
  ...rest,
});

/** A person who types these lines and then leaves, and all they saw. */
async function fill(fields: readonly InputField[], ...typed: readonly string[]) {
  const lines = [...typed];
  let seen = "";
  const show = (text: string): void => void (seen += text);
  const ask = (question: string): Promise<string | undefined> => {
    show(question);
    return Promise.resolve(lines.shift());
  };
  const context = { ask, err: show, interrupted: new AbortController().signal };
  const values = await fillForm(context, { title: "Before we start", description: "", fields });
  return { values, seen, left: lines };
}

const who = field("audience", {
  field_label: "Who is it for?",
  field_type: "select",
  field_values: ["Board", "Staff"],
});

it.each<readonly [Partial<InputField>, string]>([
  [{}, ""],
  [{ required: false }, " (may be left out)"],
  [{ default_value: "short\nand plain" }, " (short and plain if left out)"],
  [{ field_type: "number" }, " (a number)"],
  [{ field_type: "number", required: false, default_value: 6 }, " (a number, 6 if left out)"],
  [{ field_type: "number", required: false }, " (a number, may be left out)"],
  [{ field_type: "number", default_value: "soon" }, " (a number)"],
  [{ field_type: "boolean", default_value: true }, " (yes, no; yes if left out)"],
  [{ ...who, field_label: "", default_value: "Board" }, " (Board, Staff; Board if left out)"],
])("names what becomes of a field that is left out: %j", (rest, said) => {
  const fields = [field("it", { ...rest, field_name: "it" })];
  expect(fieldLines({ title: "", description: "", fields })).toBe(`  it${said}\n`);
});

describe("fillForm", () => {
  it("takes fields of any name", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const { values } = await fill(
      names.map((name) => field(name, { default_value: "default" })),
      ...names,
    );
    expect(Object.entries(values ?? {})).toEqual(names.map((name) => [name, name]));
  });

  it("numbers the options, and takes the number or the text", async () => {
    const { values, seen } = await fill([who, { ...who, field_name: "second" }], "2", " Board ");
    expect(values).toEqual({ audience: "Staff", second: "Board" });
    expect(seen).toContain("\nBefore we start\n  1. Board\n  2. Staff\nWho is it for? (number or text): ");
  });

  it("asks a field again with the reason, before it goes on to the next", async () => {
    const year = field("year", { field_type: "number" });
    const { values, seen, left } = await fill([who, year], "Aliens", "3", "1", "", "soon", "2026");
    expect(values).toEqual({ audience: "Board", year: 2026 });
    expect(left).toEqual([]);
    expect(seen).toContain('Who is it for?: "Aliens" is not one of Board, Staff.\n');
    expect(seen).toContain("year: is required.\n");
    expect(seen).toContain('year: "soon" is not a number.\n');
  });

  it("takes several options, defaults, and an option that is a number for itself", async () => {
    const several = { ...who, field_type: "multiselect" as const };
    const count = field("count", { field_type: "select", field_values: ["10", "1"] });
    const tone = field("tone", { default_value: "short" });
    const { values, seen } = await fill([several, count, tone], "2, Board", "1", "");
    expect(values).toEqual({ audience: ["Staff", "Board"], count: "1", tone: "short" });
    expect(seen).toContain("tone [short]: ");
  });

  it("tells which field without a default may be left out", async () => {
    const number = { field_type: "number" as const, required: false };
    const { values, seen } = await fill(
      [field("pages", { ...number, default_value: 6 }), field("year", number)],
      "",
      "",
    );
    expect(values).toEqual({ pages: 6, year: null });
    expect(seen).toContain("pages (a number) [6]: ");
    expect(seen).toContain("year (a number, may be left out): ");
  });

  it("gives nothing when the person leaves, and shows no terminal what a model wrote into it", async () => {
    const { values, seen } = await fill([who, field("focus\u001b[2J", {})], "1");
    expect(values).toBeUndefined();
    expect(seen).not.toContain("\u001b");
  });
});
