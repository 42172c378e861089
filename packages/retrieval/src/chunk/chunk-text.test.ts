import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "@troupe/core/text";

import { chunkText } from "./chunk-text.ts";

const sentences = (count: number): string =>
  Array.from({ length: count }, (_, at) => `s${String(at).padStart(2, "0")} ${"w".repeat(85)}.`)
    .join(" ")
    .replace(/s(\d)/g, "S$1");

const chunk = (
  text: string,
  target: number,
  overlap: number,
  min: number,
  breaks?: readonly number[],
): string[] =>
  chunkText(text, { targetChars: target, overlapChars: overlap, minChars: min }, breaks).map(
    ({ start, end }) => text.slice(start, end),
  );

describe("chunkText", () => {
  it("has nothing to say about nothing", () => {
    expect(chunk("", 300, 100, 100)).toEqual([]);
    expect(chunk(" \n ", 300, 100, 100)).toEqual([]);
  });

  it("fills chunks with whole sentences and repeats the last one", () => {
    const chunks = chunk(sentences(20), 300, 100, 100);
    expect(chunks.map((text) => text.length)).toEqual([272, 272, 272, 272, 272, 272, 272, 272, 272, 181]);
    expect(chunks[1]?.startsWith("S02")).toBe(true);
  });

  it("glues a short tail to the chunk before", () => {
    expect(chunk(sentences(7), 300, 0, 200).map((text) => text.length)).toEqual([272, 363]);
  });

  it("does not end a chunk at an abbreviation", () => {
    expect(chunk("Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today. They left.", 50, 0, 1)).toEqual([
      "Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today.",
      "They left.",
    ]);
  });

  it("starts anew at a section, unless the section before is too short to stand alone", () => {
    const text = "Intro\nA sentence that is long enough to stand.\nNext\nMore text here.";
    const next = text.indexOf("Next");
    expect(chunk(text, 300, 50, 20, [0, next])).toEqual([text.slice(0, next - 1), text.slice(next)]);
    expect(chunk(text, 300, 50, 200, [0, next])).toHaveLength(1);
  });

  it("holds every sentence in slices of the text, in order, for any text and sizes", () => {
    const word = fc.constantFrom(
      "Alpha",
      "beta.",
      "gamma!",
      "\n",
      "\n\n",
      "3.5",
      "😀😀😀😀",
      "x".repeat(70),
      "Delta?",
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 60 }),
        fc.integer({ min: 2, max: 120 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (parts, targetChars, overlapChars, minChars) => {
          const text = parts.join(" ");
          const spans = chunkText(text, { targetChars, overlapChars, minChars });
          const covered = Array.from({ length: text.length }, () => false);
          for (const [at, { start, end }] of spans.entries()) {
            expect(end).toBeGreaterThan(start);
            const before = spans[at - 1] ?? { start: -1, end: 0 };
            expect(start).toBeGreaterThan(before.start);
            expect(end).toBeGreaterThan(before.end);
            expect(text.slice(start, end).isWellFormed()).toBe(true);
            covered.fill(true, start, end);
          }
          const offsets = splitSentences(text).flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, at) => start + at),
          );
          expect(offsets.filter((at) => !covered[at] && /\S/.test(text.charAt(at)))).toEqual([]);
        },
      ),
    );
  });
});
