import type { Json, JsonObject } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { outputCheck, schemaProblem } from "./output-schema.ts";

const many = <T>(length: number, entry: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => entry(at));
const issuesOf = (schema: JsonObject, value: Json): readonly string[] => outputCheck(schema)(value);
const within = (levels: number): JsonObject => (levels === 0 ? {} : { items: within(levels - 1) });

describe("schemaProblem", () => {
  it("refuses what could keep the process busy or lead elsewhere, but not a key of that name", () => {
    const inside = (part: JsonObject) => schemaProblem({ type: "object", properties: { a: { ...part } } });
    expect(inside({ type: "string", pattern: "(a+)+$" })).toContain('"pattern"');
    expect(inside({ anyOf: [{ $ref: "#" }] })).toContain('"$ref"');
    expect(inside({ if: {} })).toContain('"if"');
    expect(schemaProblem({ type: "object", properties: { pattern: { type: "string" } } })).toBeUndefined();
    expect(inside({ const: { pattern: "x" } })).toBeUndefined();
    expect(inside({ type: "string", title: "A", description: "b", "x-own": { $ref: "#" } })).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ["a type there is none of", { type: "nonsense" }, '"nonsense" is no type'],
    ["a bound that is none", { minimum: "3" }, '"minimum" must be a number'],
    ["a length that is none", { minLength: [] }, '"minLength" must be a number'],
    ["a part that is no schema", { items: 3 }, "3 is no schema"],
    ["alternatives that are none", { anyOf: [] }, '"anyOf" must be a list with entries'],
    ["values that are none", { enum: {} }, '"enum" must be a list with entries'],
    ["properties that are none", { properties: [] }, '"properties" must be an object'],
    ["required keys that are none", { required: "a" }, '"required" must be a list'],
    ["a unit of nothing", { multipleOf: 0 }, '"multipleOf" must be more than 0'],
    ["a format that is none", { format: 1 }, '"format" must be a string'],
  ])("says of %s that it cannot be used", (_what, schema, why) => {
    expect(schemaProblem(schema)).toBe(`output_schema cannot be used: ${why}`);
  });

  it("takes a hundred alternatives wherever they stand, and 32 levels", () => {
    const choice = (count: number): JsonObject => ({ anyOf: many(count, (at) => ({ const: at })) });
    const two = (count: number): JsonObject => ({
      properties: { a: choice(50), b: { oneOf: [true, ...many(count, () => true)] } },
    });
    expect(schemaProblem(two(49))).toBeUndefined();
    expect(schemaProblem(two(50))).toMatch(
      /^output_schema has more than 100 alternatives .* use fewer, or enum/,
    );
    expect(schemaProblem(within(31))).toBeUndefined();
    expect(schemaProblem(within(32))).toMatch(/^output_schema is nested more than 32 levels deep; /);
  });

  it("takes no longer for types in types than for as many words", () => {
    const doubled = (levels: number): JsonObject =>
      levels === 0 ? {} : { type: ["object", "object"], properties: { a: doubled(levels - 1) } };
    expect(schemaProblem(doubled(31))).toBeUndefined();
  });
});

const scalars = fc.constantFrom<JsonObject>(
  { type: "string" },
  { type: "string", minLength: 2, maxLength: 3 },
  { type: "string", format: "date" },
  { type: "number", minimum: 1, exclusiveMaximum: 3 },
  { type: "number", maximum: 2.5, exclusiveMinimum: 0 },
  { type: "integer", multipleOf: 2 },
  { type: ["boolean", "null"] },
  { enum: ["a", 1] },
  { const: "abc" },
);
/** With some of its parts, and `always` those without which zod does not look at the others. */
const some = (
  type: string,
  parts: { readonly [key: string]: fc.Arbitrary<Json> },
  always: string[],
): fc.Arbitrary<JsonObject> =>
  fc.record(parts, { requiredKeys: always }).map((schema) => ({ ...schema, type }));
const { schemas } = fc.letrec<{ schemas: JsonObject }>((tie) => {
  const inner = tie("schemas");
  const choices = fc.array(inner, { minLength: 1, maxLength: 3 });
  const list = some(
    "array",
    {
      items: inner,
      minItems: fc.constantFrom(1, 2),
      maxItems: fc.constantFrom(1, 2),
      uniqueItems: fc.boolean(),
      contains: inner,
      maxContains: fc.constant(1),
    },
    ["items"],
  );
  const tuple = some(
    "array",
    { prefixItems: choices, items: fc.oneof(fc.boolean(), inner), minItems: fc.constant(1) },
    ["prefixItems", "items"],
  );
  const object = some(
    "object",
    {
      properties: fc.record({ a: inner, b: inner }),
      required: fc.subarray(["a", "b"]),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      minProperties: fc.constantFrom(1, 2),
      maxProperties: fc.constantFrom(1, 2),
      propertyNames: fc.constant({ maxLength: 1 }),
    },
    ["properties"],
  );
  const choice = fc.oneof(
    choices.map((anyOf) => ({ anyOf })),
    choices.map((oneOf) => ({ oneOf })),
    choices.map((allOf) => ({ allOf })),
  );
  return { schemas: fc.oneof({ maxDepth: 3 }, scalars, list, tuple, object, choice) };
});
const { values } = fc.letrec<{ values: Json }>((tie) => ({
  values: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>("", "a", "abc", "abcd", "2026-02-28", "2026-02-30", 0, 1, 2, 2.5, 3, true, null),
    fc.array(tie("values"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "cc"), tie("values"), { maxKeys: 3 }),
  ),
}));

describe("outputCheck", () => {
  it("takes and refuses what zod does", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const expected = z.fromJSONSchema(schema, { registry: z.registry() }).safeParse(value).success;
        expect(issuesOf(schema, value).length === 0).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, JsonObject, Json, readonly string[]]>([
    ["a type", { type: "integer" }, 1.5, ["the answer must be of type integer"]],
    ["types", { type: ["string", "null"] }, 1, ["the answer must be of type string or null"]],
    ["a number beyond all", { type: "number" }, Infinity, ["the answer must be of type number"]],
    [
      "bounds without a type",
      { maximum: 1, properties: { a: { minimum: 3 } } },
      { a: 2 },
      ["a must be at least 3"],
    ],
    [
      "bounds as draft 4 has them",
      { minimum: 1, exclusiveMinimum: true },
      1,
      ["the answer must be more than 1"],
    ],
    ["a part of a unit", { multipleOf: 0.1 }, 0.35, ["the answer must be a multiple of 0.1"]],
    ["a part of a part", { items: { properties: { a: { const: 1 } } } }, [{ a: 2 }], ["0.a must be 1"]],
    ["values", { enum: ["a", { b: [1] }] }, "b", ['the answer must be one of "a", {"b":[1]}']],
    ["a missing key", { required: ["a"] }, {}, ["a is missing"]],
    [
      "a key too many",
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 1 },
      ["b is no key it may have"],
    ],
    [
      "lists as draft 7 has them",
      { items: [{}, { type: "null" }], additionalItems: false },
      [1, 2, 3],
      ["1 must be of type null", "2 must not be there"],
    ],
    ["what it must not be", { not: { type: "string" } }, "", ["the answer must be something else"]],
    [
      "the same twice",
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ["the answer must have different entries; 1 is the same as 0"],
    ],
    [
      "alternatives",
      { anyOf: [{ properties: { a: { type: "null" } } }, { type: "string" }] },
      { a: 1 },
      ["the answer fits none of 2 alternatives: a must be of type null; it must be of type string"],
    ],
    ["several that fit", { oneOf: [{}, {}] }, 1, ["the answer must fit one alternative, and fits several"]],
  ])("says what is wrong: %s", (_what, schema, value, issues) => {
    expect(issuesOf(schema, value)).toEqual(issues);
  });

  it("fits what is a unit but for the last bit, and the same value in another order of its keys", () => {
    expect(issuesOf({ multipleOf: 0.1 }, 0.3)).toEqual([]);
    expect(issuesOf({ const: { a: 1, b: [2] } }, { b: [2], a: 1 })).toEqual([]);
  });

  it("tells ten problems and a count, each in few words", () => {
    const [key, long] = ["k".repeat(5_000), many(2_000, (at) => `value ${at}`)];
    const issues = issuesOf(
      { items: { properties: { [key]: { enum: long } } } },
      many(90_000, () => ({ [key]: 1 })),
    );
    expect(issues).toHaveLength(11);
    expect(issues.at(-1)).toBe("and 89990 more");
    for (const issue of issues) expect(issue.length).toBeLessThanOrEqual(300);
  });

  it("holds an answer of many values against many alternatives without keeping what does not fit", () => {
    const schema = { items: { oneOf: many(1_200, (at) => ({ const: at })) } };
    expect(
      issuesOf(
        schema,
        many(5_000, () => "x"),
      ),
    ).toHaveLength(11);
    const lists = { anyOf: many(20, () => ({ type: "array", items: { type: "boolean" } })) };
    const all = many(300_000, () => 1);
    expect(issuesOf(lists, all)).toEqual([
      "the answer fits none of 20 alternatives: 0 must be of type boolean; 0 must be of type boolean; and so on",
    ]);
  });

  it("gives up on what takes too long to look at", () => {
    const late = { type: "array", items: { type: "number" }, contains: { const: "last" } };
    const schema = { anyOf: many(100, () => late) };
    expect(
      issuesOf(
        schema,
        many(200_000, () => 1),
      ),
    ).toEqual(["the answer takes too long to be checked; answer with less"]);
  });

  it.each<[string, JsonObject]>([
    ["names no key", { properties: {} }],
    ["counts keys", { minProperties: 1 }],
    ["takes all others", { additionalProperties: true }],
    ["asks for a key", { required: ["k0"] }],
  ])("does not go over a large answer for every part of a schema that %s", (_what, part) => {
    const large = Object.fromEntries(many(50_000, (at) => [`k${at}`, 1]));
    let looks = 0;
    const counted = new Proxy(large, {
      ownKeys: (of) => {
        looks++;
        return Reflect.ownKeys(of);
      },
    });
    const issues = issuesOf({ allOf: many(900, () => part) }, counted);
    // Once for how deep it is.
    expect(looks).toBeLessThanOrEqual(2);
    expect(issues.filter((issue) => !issue.includes("takes too long"))).toEqual([]);
  });

  it("refuses an answer nested too deep", () => {
    const deep = many(200, () => 0).reduce<Json>((inner) => [inner], 0);
    expect(issuesOf({}, deep)).toEqual(["the answer is nested more than 100 levels deep"]);
  });
});
