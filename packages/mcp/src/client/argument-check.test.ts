import type { JsonObject } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { argumentCheck } from "./argument-check.ts";

function check(schema: JsonObject) {
  const reasons: string[] = [];
  return { parse: argumentCheck(schema, (reason) => reasons.push(reason)), reasons };
}

describe("checking arguments against a remote schema", () => {
  const search = {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1 },
      limit: { type: "integer", minimum: 1, default: 5 },
      chart: { type: "object", "x-troupe-ref": "chart" },
    },
    required: ["query"],
    additionalProperties: false,
  };

  it("passes good arguments unchanged, without filling in defaults", () => {
    const { parse, reasons } = check(search);
    expect(parse({ query: "x" })).toEqual({ ok: true, value: { query: "x" } });
    expect(reasons).toEqual([]);
  });

  it.each([
    [{}, "query"],
    [{ query: 7 }, "query"],
    [{ query: "x", limit: 0 }, "limit"],
    [{ query: "x", other: 1 }, "other"],
    [[], "arguments"],
    [null, "arguments"],
  ])("names what is wrong with %j", (args, where) => {
    const result = check(search).parse(args);
    expect(JSON.stringify(result)).toContain(where);
    expect(result.ok).toBe(false);
  });

  it("never runs a stranger's regular expression", () => {
    const slow = "^(a+)+$";
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", pattern: slow, maxLength: 50 },
        list: { type: "array", items: { anyOf: [{ type: "string", pattern: slow }] } },
        keys: {
          type: "object",
          patternProperties: { [slow]: { type: "string" } },
          additionalProperties: false,
        },
        pattern: { type: "string" },
        word: { enum: ["pattern"], default: "pattern" },
      },
      required: ["pattern"],
    };
    const { parse, reasons } = check(schema);
    // With the expression each of these takes longer than any test may.
    const text = `${"a".repeat(45)}!`;
    const args = { a: text, list: [text], keys: { [text]: "x" }, pattern: "x", word: "pattern" };
    expect(parse(args)).toEqual({ ok: true, value: args });
    expect(parse({ ...args, a: "a".repeat(51) }).ok).toBe(false);
    expect(parse({ ...args, pattern: 1 }).ok).toBe(false);
    expect(parse({ ...args, word: "a" }).ok).toBe(false);
    expect(reasons).toEqual([]);
  });

  it("keeps ids of two strangers' schemas apart", () => {
    const schema = { type: "object", properties: { a: { type: "string", id: "same" } } };
    expect(check(schema).parse({ a: "x" }).ok).toBe(true);
    expect(check(schema).parse({ a: "x" }).ok).toBe(true);
  });
});

describe("a schema that cannot be converted", () => {
  const conditional = {
    type: "object",
    properties: {
      kind: { type: "string" },
      n: { type: "number" },
      i: { type: "integer" },
      flag: { type: "boolean" },
      list: { type: "array" },
      map: { type: "object" },
      nothing: { type: "null" },
      any: { type: ["string", "null"] },
    },
    required: ["kind"],
    dependentRequired: { n: ["i"] },
  };

  it("is checked in outline, which is told once", () => {
    const { parse, reasons } = check(conditional);
    const good = {
      kind: "a",
      n: 1.5,
      i: 1,
      flag: true,
      list: [],
      map: {},
      nothing: null,
      any: null,
      more: 1,
    };
    expect(parse(good)).toEqual({ ok: true, value: good });
    expect(parse({ n: "1", i: 1.5, flag: 1, list: {}, map: [], nothing: 0 })).toEqual({
      ok: false,
      issues: [
        "kind: is required",
        "n: expected number",
        "i: expected integer",
        "flag: expected boolean",
        "list: expected array",
        "map: expected object",
        "nothing: expected null",
      ],
    });
    expect(parse("x")).toEqual({ ok: false, issues: ["arguments: expected an object"] });
    expect(reasons).toHaveLength(1);
  });

  it.each([
    { type: "object", properties: { a: { $ref: "https://elsewhere.example/schema.json" } } },
    { type: "object", properties: { a: { not: { type: "string" } } } },
  ])("does not throw for %j", (schema) => {
    const { parse, reasons } = check(schema);
    expect(parse({ a: "x" }).ok).toBe(true);
    expect(reasons).toHaveLength(1);
  });
});
