import { splitSentences, type Span } from "@troupe/core/text";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { contentKeys } from "../text/words.ts";
import { bestQuote, bestRun, type QuoteSentence } from "./best-quote.ts";

/** The definition: every run of sentences up to 600 characters, valued from scratch. */
function bestByDefinition(passage: string, weights: ReadonlyMap<string, number>): Span {
  const sentences = splitSentences(passage).map((span) => {
    const text = passage.slice(span.start, span.end);
    const keys = contentKeys(text);
    return { ...span, text, found: [...weights].filter(([key]) => keys.has(key)) };
  });
  let best = { start: 0, end: passage.length, value: -Infinity };
  for (let from = 0; from < sentences.length; from += 1)
    for (let to = from; to < sentences.length; to += 1) {
      const run = sentences.slice(from, to + 1);
      const [first, last] = [run[0], run.at(-1)];
      if (!first || !last || (to > from && last.end - first.start > 600)) break;
      const words = [...new Map(run.flatMap(({ found }) => found)).values()].reduce(
        (sum, one) => sum + one,
        0,
      );
      const prose = run.filter(({ text }) => /[.!?]["'”’)]*$/.test(text)).length;
      const rows = run.filter(({ text }) => text.includes(" | ")).length;
      const idle = run.filter(({ found }) => found.length === 0).length;
      const headings = [first, last].filter(({ text }) => !/[.!?:|]/.test(text) && text.length < 80).length;
      const value =
        (prose === 0 && rows === 0 ? words / 2 : words) +
        (run.some(({ text }) => /\d/.test(text)) ? 0.2 : 0) +
        Math.min(prose, 2) * 0.4 +
        Math.min(run.length, 4) * 0.1 -
        idle * 0.3 -
        headings * 0.5 -
        (rows > 0 && rows < run.length ? 0.6 : 0);
      if (value > best.value) best = { start: first.start, end: last.end, value };
    }
  return { start: best.start, end: best.end };
}

const WEIGHTS = new Map([
  ["boat", 2.3],
  ["fee", 0.7],
  ["harbour", 4.1],
  ["permit", 1.9],
]);

describe("bestQuote", () => {
  it("chooses the run of sentences with the highest value, whatever the passage", () => {
    const line = fc
      .array(
        fc.constantFrom(
          "boat",
          "fee",
          "harbour",
          "permit",
          "sail",
          "12",
          " | ",
          "row",
          "oar:",
          "long ".repeat(18),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .chain((words) => fc.constantFrom("", ".", "!").map((stop) => words.join(" ") + stop));
    const separator = fc.constantFrom("\n", " ", "\n\n");
    const passage = fc
      .array(fc.tuple(line, separator), { minLength: 1, maxLength: 30 })
      .map((parts) => parts.flat().join("").trim());
    const weights = fc.subarray([...WEIGHTS]).map((kept) => new Map(kept));
    fc.assert(
      fc.property(passage, weights, (text, words) => {
        const expected = bestByDefinition(text, words);
        // Longer ones are cut afterwards.
        fc.pre(expected.end - expected.start <= 600);
        expect(bestQuote(text, words)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["no line has a word of the query", () => [], 10],
    ["every line has one", () => [["boat", 2.3] as const], 200],
    ["every tenth line has one", (at: number) => (at % 10 === 0 ? [["boat", 2.3] as const] : []), 200],
  ])("looks at a line a bounded number of times where %s", (_case, hitsAt, most) => {
    const count = 2_000;
    let visits = 0;
    const lines = Array.from({ length: count }, (_, at): QuoteSentence => {
      const hits = hitsAt(at);
      return {
        start: at * 3,
        end: at * 3 + 2,
        get hits() {
          visits += 1;
          return hits;
        },
        prose: false,
        row: false,
        heading: true,
        figure: false,
      };
    });
    expect(bestRun(lines)).toBeDefined();
    expect(visits).toBeLessThanOrEqual(count * most * 2);
  });
});
