import type { Json, JsonObject } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { jsonObjectSchema } from "../schemas/json.ts";
import { coerceArguments, describeReadings } from "./coerce-arguments.ts";

const schemaOf = (object: z.ZodObject): JsonObject =>
  jsonObjectSchema.parse(z.toJSONSchema(object, { io: "input" }));
const search = schemaOf(
  z.strictObject({
    query: z.string(),
    limit: z.number().int().optional(),
    exact: z.boolean().optional(),
    document_ids: z.array(z.string()).optional(),
    order: z.enum(["newest", "oldest"]).optional(),
    filter: z.strictObject({ from: z.string(), pages: z.array(z.number()).optional() }).optional(),
    note: z.string().nullable().optional(),
  }),
);
const oneOf = schemaOf(
  z.object({
    query: z.string().optional(),
    queries: z.array(z.string()).optional(),
    limit: z.number().optional(),
  }),
);
const page = schemaOf(z.object({ document_id: z.string(), page: z.number() }));
const query = schemaOf(
  z.strictObject({
    sql: z.string().optional(),
    result_id: z.string().optional(),
    table: z.string().optional(),
    page: z.number().optional(),
    x: z.string().optional(),
    y: z.array(z.string()).optional(),
  }),
);
const add = schemaOf(
  z.strictObject({
    id: z.string(),
    slide: z.strictObject({
      kind: z.enum(["title", "bullets", "table"]),
      points: z.array(z.string()).optional(),
      columns: z.array(z.string()).optional(),
    }),
  }),
);
const slides = schemaOf(z.strictObject({ slides: z.array(z.strictObject({ title: z.string() })) }));

const read = (schema: JsonObject, args: Json) => {
  const coerced = coerceArguments(schema, args);
  return [coerced.args, describeReadings(coerced, "tool")];
};

describe("coerceArguments", () => {
  it.each<[string, JsonObject, Json, Json, string]>([
    ["q", search, { q: "pH" }, { query: "pH" }, "read q as query"],
    ["question", search, { question: "pH?" }, { query: "pH?" }, "read question as query"],
    ["question, for one of two ways", oneOf, { question: "pH?" }, { query: "pH?" }, "read question as query"],
    ["top_k", search, { query: "pH", top_k: 3 }, { query: "pH", limit: 3 }, "read top_k as limit"],
    ["search_query", search, { search_query: "pH" }, { query: "pH" }, "read search_query as query"],
    [
      "camel case",
      page,
      { documentId: "a", page: 1 },
      { document_id: "a", page: 1 },
      "documentId as document_id",
    ],
    [
      "a shorter name",
      page,
      { document: "a", page: 1 },
      { document_id: "a", page: 1 },
      "document as document_id",
    ],
    ["id", page, { id: "a", page: 1 }, { document_id: "a", page: 1 }, "id as document_id"],
    [
      "a number as text",
      page,
      { document_id: "a", page: "3" },
      { document_id: "a", page: 3 },
      "page as a number",
    ],
    [
      "text as a number",
      page,
      { document_id: 12, page: 3 },
      { document_id: "12", page: 3 },
      "document_id as text",
    ],
    [
      "a boolean as text",
      search,
      { query: "a", exact: "True" },
      { query: "a", exact: true },
      "exact as a boolean",
    ],
    [
      "an object as text",
      search,
      { query: "a", filter: '{"from":"x"}' },
      { query: "a", filter: { from: "x" } },
      "filter as an object",
    ],
    [
      "a list as text",
      search,
      { query: "a", document_ids: '["x","y"]' },
      { query: "a", document_ids: ["x", "y"] },
      "document_ids as a list",
    ],
    [
      "one value for a list",
      search,
      { query: "a", document_ids: "x" },
      { query: "a", document_ids: ["x"] },
      "document_ids as a list of one",
    ],
    [
      "one value under the singular",
      search,
      { query: "a", document_id: "x" },
      { query: "a", document_ids: ["x"] },
      "document_id as document_ids, document_ids as a list of one",
    ],
    ["a list for one value", search, { query: ["a"] }, { query: "a" }, "query as its one entry"],
    [
      "null for what may be missing",
      search,
      { query: "a", limit: null },
      { query: "a" },
      "limit as not given",
    ],
    ["sql_query", query, { sql_query: "select 1" }, { sql: "select 1" }, "read sql_query as sql"],
    [
      "near names of what may be missing",
      query,
      { table_name: "sales", page_number: 2, x_axis: "month", y_axis: ["sum"] },
      { table: "sales", page: 2, x: "month", y: ["sum"] },
      "read table_name as table, page_number as page, x_axis as x, y_axis as y",
    ],
    [
      "what is not taken",
      search,
      { query: "a", top: 5 },
      { query: "a" },
      "left out top, which tool does not take",
    ],
    [
      "a choice in capitals",
      search,
      { query: "a", order: "Newest" },
      { query: "a", order: "newest" },
      'order as "newest"',
    ],
    [
      "what stands deeper",
      search,
      { query: "a", filter: { from: "x", pages: "2" } },
      { query: "a", filter: { from: "x", pages: [2] } },
      "filter.pages as a list of one",
    ],
    [
      "one object for a list",
      slides,
      { slides: { title: "A" } },
      { slides: [{ title: "A" }] },
      "slides as a list of one",
    ],
    [
      "lists of objects as text",
      slides,
      { slides: '[{"Title":"A"}]' },
      { slides: [{ title: "A" }] },
      "slides as a list, slides.0.Title as title",
    ],
    [
      "names that models use on slides",
      add,
      { id: "p", slide: { type: "bullets", bullets: "A" } },
      { id: "p", slide: { kind: "bullets", points: ["A"] } },
      "slide.type as kind, slide.bullets as points, slide.points as a list of one",
    ],
    [
      "properties of the missing object beside the others",
      add,
      { id: "p", type: "table", headers: ["A"] },
      { id: "p", slide: { kind: "table", columns: ["A"] } },
      "type, headers as properties of slide, slide.type as kind, slide.headers as columns",
    ],
    ["all as text", search, '{"query":"a"}', { query: "a" }, "text as an object"],
    ["the one text alone", search, "pH", { query: "pH" }, "text as query"],
    [
      "all within one property",
      search,
      { arguments: { query: "a" } },
      { query: "a" },
      "the content of arguments as the arguments",
    ],
  ])("reads %s", (_, schema, args, expected, note) => {
    const [coerced, said] = read(schema, args);
    expect(coerced).toEqual(expected);
    expect(said).toContain(note);
  });

  it.each<[string, JsonObject, Json]>([
    ["arguments that fit", search, { query: "a", limit: 2, document_ids: [], note: null }],
    ["a text that is no number", page, { document_id: "a", page: "third" }],
    ["a list of several for one value", search, { query: ["a", "b"] }],
    ["an object for a text", search, { query: { file: "f1" } }],
    ["null for what is needed", search, { query: null }],
    ["a fraction for a whole number", search, { query: "a", limit: "2.5" }],
    ["a property that an open object takes", page, { document_id: "a", page: 1, color: "red" }],
    ["a name with another meaning", schemaOf(z.object({ text: z.string() })), { text_color: "red" }],
    ["a mistyped name of what narrows a call", search, { query: "a", documnet_ids: ["x"] }],
    ["a near name of what is given already", query, { sql: "a", sql_query: "b" }],
    [
      "a name near to two",
      schemaOf(z.strictObject({ table_id: z.string().optional(), table_name: z.string().optional() })),
      { table: "a" },
    ],
    ["two names for one property", schemaOf(z.object({ query: z.string() })), { q: "a", question: "b" }],
    ["a text where two are needed", schemaOf(z.object({ from: z.string(), to: z.string() })), { q: "a" }],
  ])("leaves %s as it is", (_, schema, args) => {
    const coerced = coerceArguments(schema, args);
    expect(coerced).toEqual({ args, readings: [], dropped: [] });
    expect(coerced.args).toBe(args);
  });

  it("never makes arguments that a tool takes into others, and never throws", () => {
    const checked = z.strictObject({
      a: z.string(),
      b: z.number().optional(),
      c: z.array(z.string()).optional(),
    });
    const schema = schemaOf(checked);
    const valid = fc.record(
      { a: fc.string(), b: fc.double({ noNaN: true }), c: fc.array(fc.string()) },
      { requiredKeys: ["a"] },
    );
    fc.assert(
      fc.property(valid, (args) => {
        expect(coerceArguments(schema, args).args).toBe(args);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (any, args) => {
        const given =
          typeof any === "object" && any !== null && !Array.isArray(any) ? any : { properties: any };
        coerceArguments(given as JsonObject, args as Json);
        coerceArguments(schema, args as Json);
      }),
    );
  });

  it("keeps a property named like a part of every object", () => {
    const args = JSON.parse('{"query":"a","__proto__":{"x":1}}') as Json;
    expect(read(search, args)[0]).toEqual({ query: "a" });
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
