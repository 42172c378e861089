import { describe, expect, it } from "vitest";

import { callArguments } from "@troupe/core";
import { toStrictSchema } from "./strict-schema.ts";

describe("toStrictSchema", () => {
  it("closes every object and requires every property, in declared order", () => {
    const strict = toStrictSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        content: { type: "string", default: "" },
        items: {
          type: "array",
          maxItems: 3,
          items: { type: "object", properties: { b: { type: "number", minimum: 1 }, a: { type: "string" } } },
        },
      },
      required: ["items"],
    });
    expect(strict).toEqual({
      type: "object",
      properties: {
        content: { type: "string" },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { b: { type: "number", description: "(minimum: 1)" }, a: { type: "string" } },
            required: ["b", "a"],
            additionalProperties: false,
          },
          description: "(maxItems: 3)",
        },
      },
      required: ["content", "items"],
      additionalProperties: false,
    });
    expect(Object.keys(strict?.["properties"] ?? {})).toEqual(["content", "items"]);
  });

  it("writes alternatives as anyOf and keeps enums, constants and references", () => {
    expect(
      toStrictSchema({
        type: "object",
        properties: {
          kind: { type: "string", enum: ["a", "b"], description: "Which" },
          value: { oneOf: [{ const: 1 }, { $ref: "#/$defs/x" }] },
          note: { type: ["string", "null"], description: "Maybe" },
        },
        $defs: { x: { type: "integer", exclusiveMinimum: 0 } },
      }),
    ).toMatchObject({
      $defs: { x: { type: "integer", description: "(exclusiveMinimum: 0)" } },
      properties: {
        kind: { enum: ["a", "b"], type: "string", description: "Which" },
        value: { anyOf: [{ const: 1 }, { $ref: "#/$defs/x" }] },
        note: { anyOf: [{ type: "string" }, { type: "null" }], description: "Maybe" },
      },
    });
  });

  it.each([
    ["an open record", { type: "object", additionalProperties: { type: "string" } }],
    ["anything", { type: "object", properties: { any: {} } }],
    ["a list of anything", { type: "object", properties: { list: { type: "array" } } }],
    ["a pattern of names", { type: "object", patternProperties: { "^x": { type: "string" } } }],
    ["false", { type: "object", properties: { never: false } }],
  ])("says no to %s", (_, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined();
  });
});

describe("callArguments", () => {
  const deep = `{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
  it.each([
    ['{"a":1}', { a: 1 }],
    ["", {}],
    ["[1]", { invalid_json: "[1]" }],
    ['{"a":', { invalid_json: '{"a":' }],
    [deep, { invalid_json: deep }],
    ['{"a":["\\ud83d"]}', { a: ["\uFFFD"] }],
  ])("reads %.20s", (raw, value) => {
    expect(callArguments(raw)).toEqual(value);
  });
});
