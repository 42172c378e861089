import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { readEvidence } from "./claim.ts";
import { computedCells } from "./rules/answer-columns.ts";
import { evidenceOf, passages } from "./testing/evidence.ts";
import { readSegments } from "./text/sentences.ts";

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "| a | 1.2 % |\n|---|---|\n",
    "[1]",
    "[2, 9]",
    " 1.450 EUR ",
    "14 June 2025",
    '"quoted words here"',
    "\n\n",
    "- item. ",
    "# 3 %\n",
    "```\n",
    '{"net_2025": [1, 2], "a": "b \\" [1]"}',
    "twice as much as 3 of 4 ",
    "Claire Dubois ",
    "İstanbul ß ",
    "04/07/2025 ",
    "400 k + 8 × 900 k ",
  ),
  fc.double().map(String),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
const cell = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null));
const evidence = fc
  .record({
    citations: fc.array(text, { maxLength: 4 }),
    rows: fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 5 }),
    columns: fc.array(fc.string(), { maxLength: 4 }),
    given: fc.array(text, { maxLength: 2 }),
  })
  .map(({ citations, rows, columns, given }) =>
    evidenceOf({
      citations: citations.map((passage, at) => ({ id: `${at + 1}`, text: passage })),
      results: [{ id: "result-1", columns, rows }],
      given,
    }),
  );

test("never throws; sentences are verbatim and in order", () => {
  fc.assert(
    fc.property(
      text,
      evidence,
      fc.constantFrom(undefined, "en", "de", "xx", "not a tag"),
      fc.constantFrom("markdown" as const, "json" as const),
      (answer, all, language, format) => {
        const options = language === undefined ? { format } : { format, language };
        const checks = answerCheck.check(answer, all, options);
        let at = 0;
        for (const { sentence, status, finding } of checks) {
          const found = answer.indexOf(sentence, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + sentence.length;
          expect(finding === undefined).toBe(status !== "finding");
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Of CPU. The worst input here takes two seconds alone; quadratic work takes minutes. */
const LIMIT_MS = 8000;

const words = "Revenue of the Lindholm plant rose to ";
const cells = Array.from({ length: 500 }, (_, row) => [`row ${row}`, row * 7.3, row * 1.9, 2000 + row]);
const rich = evidenceOf({
  citations: Array.from({ length: 40 }, (_, at) => ({
    id: `${at + 1}`,
    text: Array.from(
      { length: 60 },
      (__, k) => `Site ${k} took ${at * 91 + k * 13} EUR and ${k}.${at % 10} %.`,
    ).join("\n"),
  })),
  results: Array.from({ length: 10 }, (_, at) => ({
    id: `result-${at}`,
    columns: ["name", "a", "b", "year"],
    rows: cells,
  })),
});

const INPUTS: Readonly<Record<string, string>> = {
  "50,000 spaces": `${words}${" ".repeat(50_000)}12 %.`,
  "50,000 digits": `${words}${"7".repeat(50_000)} %.`,
  "50,000 opening brackets": "[".repeat(50_000),
  "a list of ids that never closes": `[${"a, ".repeat(20_000)}`,
  "50,000 pipes": "|".repeat(50_000),
  "50,000 dots": ".".repeat(50_000),
  "50,000 underscores": "_".repeat(50_000),
  "50,000 quotes": '"'.repeat(50_000),
  "50,000 capitals": "A ".repeat(25_000),
  "grouped digits": "111 111 ".repeat(7000),
  "options and paths": "-a/b_c.d".repeat(6000),
  names: "Anna Lindholm ".repeat(4000),
  "2,000 figures": Array.from(
    { length: 2000 },
    (_, at) => `It took ${at * 17 + 3}.7 EUR [${(at % 40) + 1}].`,
  ).join(" "),
  "2,000 figures in one sentence": `${Array.from({ length: 2000 }, (_, at) => `${at * 17 + 3}.7`).join(" and ")} [1].`,
  "20,000 cells in one row": `|${" a 1 |".repeat(20_000)}`,
  "4,300 rows": `| a | b | c |\n|---|---|---|\n${"| Row | 1.2 | 3.4 |\n".repeat(4_300)}`,
  "60 rows of 200 cells": `|${" c |".repeat(200)}\n|${"---|".repeat(200)}\n${Array.from({ length: 59 }, (_, row) => `|${Array.from({ length: 200 }, (__, at) => ` ${row * at + 3.7} |`).join("")}`).join("\n")}`,
  "8,000 items without marks": "- item 5 %\n".repeat(8_000),
  "20,000 headings": "# A 1\n".repeat(17_000),
  "100 kB of prose": `${words}12.4 % [3], and more was sold in Norway. `.repeat(1300),
};

/** Milliseconds of CPU. */
function timeOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each([
  ...Object.entries(INPUTS).map(([name, answer]) => [name, answer, "markdown"] as const),
  ["50,000 quotes in JSON", '"'.repeat(50_000), "json"] as const,
  ["lists that never close in JSON", "[ ".repeat(25_000), "json"] as const,
  ["2,000 members in JSON", `{${'"a_1": 17.3, "b": "Anna [1]", '.repeat(1000)}}`, "json"] as const,
])("takes bounded CPU time: %s", (_, answer, format) => {
  for (const all of [rich, passages(answer)])
    expect(timeOf(() => answerCheck.check(answer, all, { format }))).toBeLessThan(LIMIT_MS);
});

/** Each takes less than a third of its limit alone, and without the bound far more than the limit. */
describe("takes bounded CPU time", () => {
  const repeat = <T>(count: number, build: (at: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, at) => build(at));

  test("with named operands that are named themselves", () => {
    const circle = repeat(60, () => ({ figure: "7777", operands: ["7777"] }));
    const chain = repeat(60, (at) => ({
      figure: `${at + 7000}`,
      operands: repeat(30, (by) => `${at + by + 7001}`),
    }));
    const answer = repeat(100, (at) => `It took ${at + 7000} days, and 7777 in all [1].`).join(" ");
    for (const derived of [circle, chain])
      expect(timeOf(() => answerCheck.check(answer, rich, { derived }))).toBeLessThan(LIMIT_MS);
  });

  test("with a table of 1,500 columns", () => {
    const row = (at: number): string =>
      `| row ${at} |${repeat(1500, (column) => ` ${(at * 37 + column * 91) % 997}`).join("|")}|`;
    const head = `|name|${repeat(1500, (column) => `c${column}`).join("|")}|\n|${"---|".repeat(1501)}\n`;
    const table = head + repeat(6, row).join("\n");
    const evidence = passages(repeat(80, (at) => `Site ${at} took ${at * 91 + 5} EUR.`).join("\n"));
    const budget = { candidates: 1_000_000, lookups: 0 };
    const compute = (): unknown =>
      computedCells(readSegments(table, { isKnown: () => false }), readEvidence(evidence), "en", budget);
    expect(timeOf(compute)).toBeLessThan(LIMIT_MS / 2);
    // A column costs up to 60,000.
    expect(budget.candidates).toBeGreaterThan(-60_000);
  });

  test("with percentages beside many results by year", () => {
    const years = repeat(24, (at) => `sales_${2000 + at}`);
    const results = repeat(50, (at) => ({
      id: `r${at}`,
      columns: ["region", ...years],
      rows: repeat(24, (row) => [`region ${row}`, ...years.map((_, by) => at * 31 + row * 7 + by * 3 + 1)]),
    }));
    const answer = repeat(300, (at) => `In 2012 it grew by ${at}.${at % 7}3 %.`).join(" ");
    const evidence = evidenceOf({ results });
    expect(timeOf(() => answerCheck.check(answer, evidence))).toBeLessThan(LIMIT_MS);
  });

  test("with many sentences about dates of a long passage", () => {
    const line = (at: number): string =>
      `- Site ${at} opened on Monday, ${(at % 28) + 1} May ${1900 + (at % 150)}.`;
    const evidence = evidenceOf({ citations: [{ id: "1", text: repeat(4500, line).join("\n") }] });
    const answer = repeat(
      100,
      (at) => `Clinic ${at} closed on Monday, ${(at % 28) + 1} May ${1900 + at} [1].`,
    );
    expect(timeOf(() => answerCheck.check(answer.join(" "), evidence))).toBeLessThan(LIMIT_MS);
  });
});

test("takes bounded CPU time for a piece that is repeated", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "1 ",
      "0, ",
      "1,",
      "。",
      "June ",
      "| 1 ",
      "“a. ",
      "'a ",
      "[1†",
      "[^9] ",
      "９",
      "a million ",
      "```\n",
      "x\n",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const repeated = parts.join("");
      const answer = repeated.repeat(Math.ceil(100_000 / repeated.length)).slice(0, 100_000);
      const before = process.cpuUsage();
      answerCheck.check(answer, rich);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ["2,000 sentences", "It took 3.7 EUR [1]. ".repeat(2_000), 2_000, undefined],
  ["2,001 sentences", "It took 3.7 EUR [1]. ".repeat(2_001), 2_001, "too long to compare"],
  ["200 figures of a sentence", `${"3.7 EUR, ".repeat(200)} [1].`, 1, undefined],
  ["201 figures of a sentence", `${"3.7 EUR, ".repeat(201)} [1].`, 1, "too long to compare"],
  [
    "a sentence of 25,000 characters",
    `It took 3.7 EUR ${"a ".repeat(12_500)} [1].`,
    1,
    "too long to compare",
  ],
])("compares a part of %s", (_, answer, count, detail) => {
  const checks = answerCheck.check(answer, passages("It took 3.7 EUR."));
  expect(checks).toHaveLength(count);
  expect(checks.at(-1)?.finding?.detail).toBe(detail);
});
