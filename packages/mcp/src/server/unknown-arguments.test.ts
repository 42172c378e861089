import type { JsonObject } from "@troupe/stream";
import { expect, it } from "vitest";

import { unknownArguments } from "./unknown-arguments.ts";

const schema: JsonObject = {
  type: "object",
  properties: { query: { type: "string" }, collection: { type: "string" } },
};

it("names the nearest argument for one that is mistyped", () => {
  expect(unknownArguments(schema, { query: "x", colection: "shop" })).toEqual([
    '"colection" is no argument. Did you mean "collection"?',
  ]);
  expect(unknownArguments(schema, { page: 1 })).toEqual(['"page" is no argument. Known: query, collection.']);
  expect(unknownArguments({ type: "object", properties: {} }, { page: 1 })).toEqual([
    '"page" is no argument.',
  ]);
});

it.each([
  ["what the tool has", schema, { query: "x" }],
  ["no arguments", schema, null],
  ["a tool that takes any name", { ...schema, additionalProperties: {} }, { page: 1 }],
  ["a tool that does not say which it takes", { type: "object" }, { page: 1 }],
])("has nothing against %s", (_, given, args) => {
  expect(unknownArguments(given, args)).toEqual([]);
});
