import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitSentences } from "./sentences.ts";

const split = (text: string): string[] =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe("splitSentences", () => {
  it("does not end a sentence at an abbreviation, an initial or a decimal point", () => {
    expect(split("Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today. They left.")).toEqual([
      "Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today.",
      "They left.",
    ]);
    expect(split("See Fig. 3 and No. 12 by J. K. Berg. It cost 1.5 million.")).toHaveLength(2);
  });

  it("ends one after a year, a quote, a bracket and in scripts without spaces", () => {
    expect(split("It began in 2024. The rest followed (see below.) Done.")).toEqual([
      "It began in 2024.",
      "The rest followed (see below.)",
      "Done.",
    ]);
    expect(split("これは文です。次の文です。")).toHaveLength(2);
  });

  it("keeps a list number with its item and ends at every line break", () => {
    expect(split("1. Open the valve.\n2. Close it\n\nThen wait.")).toEqual([
      "1. Open the valve.",
      "2. Close it",
      "Then wait.",
    ]);
  });

  it("reads a long run of full stops, as a leader of a table of contents has, in linear time", () => {
    expect(splitSentences(`Contents${".".repeat(300_000)}7`)).toHaveLength(1);
  });

  it("puts everything but white space into exactly one span, in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("A", "b.", " ", "\n", "3.", "!", "é", "😀", '."', "No.", "。")),
        (parts) => {
          const text = parts.join("");
          const spans = splitSentences(text);
          let last = 0;
          for (const { start, end } of spans) {
            expect(text.slice(last, start).trim()).toBe("");
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end).trim()).toHaveLength(end - start);
            last = end;
          }
          expect(text.slice(last).trim()).toBe("");
        },
      ),
    );
  });
});
