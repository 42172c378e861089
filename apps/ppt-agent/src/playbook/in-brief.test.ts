import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { choose, inBrief } from "./in-brief.ts";

describe("inBrief", () => {
  it.each([
    [
      "Norrvik invests EUR 14.4 million in AI over three years: EUR 4.2 million in 2026.",
      "Norrvik invests EUR 14.4 million in AI over three years",
    ],
    [
      "In the pilot, our own models caught 79 of 88 events, and the licensed ones 62.",
      "In the pilot, our own models caught 79 of 88 events",
    ],
    [
      "Nordics leads with 36.8 % of revenue, 80.3 million EUR of 218.",
      "Nordics leads with 36.8 % of revenue",
    ],
    // What follows belongs to the clause: a list, or words set between commas.
    [
      "Foresight 2 forecasts oxygen, turbidity, nitrate and algae.",
      "Foresight 2 forecasts oxygen, turbidity, nitrate and algae",
    ],
    [
      "The AI governance policy, version 2, has been in force since 2025.",
      "The AI governance policy, version 2, has been in force since 2025",
    ],
    ["According to the plan of 2025, costs stay flat.", "According to the plan of 2025, costs stay flat"],
    // What stands before the colon announces the rest.
    [
      "The strategy has one ambition: a warning that is early and seldom wrong.",
      "The strategy has one ambition: a warning that is early and seldom wrong",
    ],
    ["One clause.", "One clause"],
  ])("of %j is %j", (text, brief) => {
    expect(inBrief(text)).toBe(brief);
  });

  it("is always the beginning of the statement", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(text.slice(0, inBrief(text).length)).toBe(inBrief(text));
      }),
    );
  });
});

describe("choose", () => {
  const pick = (lengths: readonly number[], words: number, most = 9) =>
    choose(lengths, (n) => n, words, most);

  it("takes as many as fit, earlier ones where there is a choice", () => {
    expect(pick([11, 16, 14, 20, 13], 39)).toEqual([11, 14, 13]);
    expect(pick([10, 12, 10], 25)).toEqual([10, 12]);
    expect(pick([5, 5, 5, 5], 99, 3)).toEqual([5, 5, 5]);
  });

  it("takes the first where none fits", () => {
    expect(pick([60, 50], 40)).toEqual([60]);
    expect(pick([], 40)).toEqual([]);
  });

  it("never takes more than is allowed, nor fewer than could be", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        lengths,
        fc.integer({ min: 30, max: 60 }),
        fc.integer({ min: 1, max: 5 }),
        (all, words, most) => {
          const taken = pick(all, words, most);
          expect(taken.length).toBeLessThanOrEqual(most);
          expect(taken.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(words);
          const shortest = all.toSorted((a, b) => a - b).slice(0, taken.length + 1);
          const oneMore = shortest.reduce((a, b) => a + b, 0);
          expect(taken.length === Math.min(most, all.length) || oneMore > words).toBe(true);
        },
      ),
    );
  });
});
