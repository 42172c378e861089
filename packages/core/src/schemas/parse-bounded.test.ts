import * as fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";

import { describeIssues } from "../tools/define-tool.ts";
import { delegationSchema } from "./delegation.ts";
import { replySchemaFor } from "./form.ts";
import { parseBounded } from "./parse-bounded.ts";

const schema = z.strictObject({
  v: z.literal(1),
  name: z.string().nullable(),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  more: z.object({ tags: z.array(z.string()) }).exactOptional(),
});

const anything = fc.jsonValue({ maxDepth: 2 });
const near = fc.record(
  {
    v: fc.constantFrom(1, 2),
    name: fc.constantFrom("x", null, 3),
    rows: fc.oneof(
      fc.array(fc.dictionary(fc.string(), fc.constantFrom("x", 1, null, true)), { maxLength: 4 }),
      anything,
    ),
    more: fc.oneof(fc.record({ tags: fc.array(fc.constantFrom("x", 1)) }), anything),
    other: fc.constant(1),
  },
  { requiredKeys: [] },
);

it("takes and refuses what the schema does, in its words", () => {
  fc.assert(
    fc.property(fc.oneof(near, near, anything), (value) => {
      const parsed = schema.safeParse(value);
      const bounded = parseBounded<unknown>(schema, value, "it");
      const all = parsed.success ? [] : describeIssues(parsed.error, "it");
      const told = bounded.ok ? [] : bounded.issues;
      expect(bounded.ok ? bounded.value : "refused").toEqual(parsed.success ? parsed.data : "refused");
      expect(all).toEqual(expect.arrayContaining([...told]));
      expect(told.length > 0).toBe(all.length > 0);
    }),
  );
});

const step = { stepId: "s", agent: "a", outcome: "completed", answer: "", data: null, artifacts: [] };
const delegation = { v: 1, objective: "", instruction: "", expectedOutput: "", limits: {} };
const empty = Array.from({ length: 90_000 }, () => ({}));

it("looks at the entries of a list where other things may stand too, and at the list as a whole", () => {
  const form = replySchemaFor({ values: {} });
  const values = { a: Array.from({ length: 90_000 }, () => 0), b: ["x"], c: null };
  expect(parseBounded(form, { requestId: "r", values }, "it")).toMatchObject({
    issues: Array.from({ length: 10 }, (_, at) => expect.stringContaining(`values.a.${at}: `) as string),
  });
  expect(parseBounded(form, { requestId: "r", values: { ...values, a: [] } }, "it")).toMatchObject({
    ok: true,
  });
  const strange = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`key-${at}`, 1]));
  expect(parseBounded(form, { requestId: "r", values: {}, ...strange }, "it")).toEqual({
    ok: false,
    issues: [expect.stringMatching(/^it: Unrecognized keys: "key-0".{0,300}$/)],
  });
  expect(parseBounded(z.array(z.number()).max(2), [1, 2, 3], "it")).toEqual({
    ok: false,
    issues: [expect.stringMatching(/^it: Too big/)],
  });
});

it("takes a reply with a field of any name", () => {
  const large = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`f${at}`, "x"]));
  for (const more of [{}, large]) {
    const values = Object.fromEntries([["__proto__", "mine"], ...Object.entries(more)]);
    const parsed = parseBounded(replySchemaFor({ values }), { requestId: "r", values }, "it");
    expect(parsed.ok && "values" in parsed.value && Object.entries(parsed.value.values)).toEqual(
      Object.entries(values),
    );
    const wrong = Object.fromEntries([["__proto__", {}], ...Object.entries(more)]);
    expect(parseBounded(replySchemaFor({ values }), { requestId: "r", values: wrong }, "it")).toMatchObject({
      issues: [expect.stringContaining("values.__proto__: ")],
    });
  }
});

it.each([
  ["tools", delegationSchema, { ...delegation, allowedTools: empty, results: {} }],
  [
    "steps",
    delegationSchema,
    { ...delegation, allowedTools: [], results: Object.fromEntries(empty.entries()) },
  ],
  [
    "citations",
    delegationSchema,
    { ...delegation, allowedTools: [], results: { s: { ...step, citations: empty } } },
  ],
  ["decisions", replySchemaFor({ decisions: 1 }), { requestId: "r", decisions: empty }],
] as const)("tells ten problems of countless %s", (_what, expected, value) => {
  const bounded = parseBounded<unknown>(expected, value, "it");
  expect(bounded).toMatchObject({ ok: false });
  expect(bounded.ok ? [] : bounded.issues).toHaveLength(10);
});

it.each([
  [z.union([z.array(z.string()), z.unknown()]), [1]],
  [z.union([z.array(z.string()), z.tuple([z.number()])]), [1]],
  [z.union([z.array(z.string()), z.array(z.number()).optional()]), [1]],
  [z.record(z.string(), z.string()), JSON.parse('{"__proto__":1,"more":{"a":1},"a":"x"}')],
])("decides as the schema does where a union takes lists in several ways, and of odd keys", (odd, value) => {
  expect(parseBounded<unknown>(odd, value, "it").ok).toBe(odd.safeParse(value).success);
});
