import * as fc from "fast-check";
import { expect, it } from "vitest";

import { parseWorkflow } from "./parse.ts";
import { printWorkflow } from "./print.ts";
import { plainName, workflowSchema } from "./workflow-schema.ts";

// What a model or a person may write: YAML's own words, signs and line breaks among it.
const text = fc.oneof(
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.constantFrom(
    "-",
    "yes",
    "null",
    "1.5",
    "2026-01-01",
    "# no",
    "a: b",
    "|",
    ">-",
    "*a",
    "&a",
    "!t",
    '"',
    "'",
  ),
  fc
    .array(fc.constantFrom("a: b", "", "  x", "- y", "\t", "z  ", "#"), { minLength: 1 })
    .map((lines) => `${lines.join("\n")}\n`),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const field = fc.record({
  field_name: text.filter((name) => plainName.safeParse(name).success),
  field_label: maybe(text),
  field_type: fc.constantFrom("text", "select", "number"),
  field_values: fc.array(text, { maxLength: 2 }),
  default_value: fc.oneof(
    text,
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.array(text, { maxLength: 2 }),
  ),
  required: fc.boolean(),
});
const step = fc.record({
  id: maybe(fc.constantFrom("a", "no", "1", "x-1")),
  kind: fc.constantFrom("agent", "human"),
  agent: maybe(text),
  instruction: text,
  depends_on: maybe(fc.array(text, { maxLength: 2 })),
  allowed_tools: fc.array(text, { maxLength: 2 }),
  limits: fc.record({ max_cost_usd: maybe(fc.constantFrom(0.5, 1e-7, 3)) }),
  retry: fc.record({
    attempts: fc.integer({ min: 1, max: 10 }),
    backoff_seconds: fc.constantFrom(0, 1, 0.25),
  }),
  form: maybe(fc.record({ title: maybe(text), fields: fc.array(field, { minLength: 1, maxLength: 2 }) })),
  on_expiry: maybe(fc.constantFrom("fail", "default")),
});
const workflow = fc.record({
  version: fc.constant(1 as const),
  name: text.map((name) => name.slice(0, 200)),
  steps: fc.array(step, { maxLength: 3 }),
  mode: fc.constantFrom("sequential", "parallel"),
  expires_seconds: maybe(fc.constantFrom(1, 60.5)),
  final: maybe(fc.constantFrom("passthrough", "synthesize")),
});

it("is read as the same workflow again, whatever stands in it", () => {
  fc.assert(
    fc.property(workflow, (given) => {
      // As it comes from a model or a file: what is not there has no key.
      const written = workflowSchema.parse(JSON.parse(JSON.stringify(given)));
      expect(parseWorkflow(printWorkflow(written))).toEqual(written);
    }),
    { numRuns: 200 },
  );
});

it("says what matters and no more", () => {
  const written = workflowSchema.parse({
    version: 1,
    name: "Deck",
    mode: "parallel",
    steps: [{ id: "find", agent: "rag-agent", instruction: "Find it.\nAll of it.", depends_on: [] }],
  });
  expect(printWorkflow(written)).toBe(
    "version: 1\nname: Deck\nmode: parallel\nsteps:\n  - id: find\n    agent: rag-agent\n    instruction: |-\n      Find it.\n      All of it.\n    depends_on: []\n",
  );
});
