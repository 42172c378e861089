import * as fc from "fast-check";
import { expect, test } from "vitest";

import { paginate, splitText } from "./paginate.ts";

const weight = (run: readonly number[]): number => run.reduce((a, b) => a + b, 0);

test("keeps every item in order, and every run fits unless one item alone does not", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 })), fc.integer({ min: 1, max: 90 }), (items, most) => {
      const { runs } = paginate(items, (run) => weight(run) <= most);
      expect(runs.flat()).toEqual(items);
      expect(runs.filter((run) => run.length > 1 && weight(run) > most)).toEqual([]);
    }),
  );
});

test("says how many have room, and evens runs out instead of leaving one item over", () => {
  expect(paginate([5, 5, 5, 5, 5, 5, 5], (run) => run.length <= 6)).toEqual({
    runs: [
      [5, 5, 5, 5],
      [5, 5, 5],
    ],
    room: 6,
  });
});

test("an item that does not fit alone is split until it does", () => {
  const halve = (n: number): readonly [number, number] => [4, n - 4];
  expect(paginate([2, 11, 1], (run) => weight(run) <= 4, halve)).toEqual({
    runs: [[2], [4], [4], [3, 1]],
    room: 1,
  });
});

test("a text is cut after a sentence, else after a word, and no character is broken", () => {
  const cut = (text: string, most: number) => splitText(text, (head) => head.length <= most);
  expect(cut("It rose. It fell again later", 10)).toEqual(["It rose.", "It fell again later"]);
  expect(cut("Visits fall by a third", 14)).toEqual(["Visits fall by", "a third"]);
  expect(cut("👩‍👩‍👧👩‍👩‍👧", 10)).toEqual(["👩‍👩‍👧", "👩‍👩‍👧"]);
  expect(cut("x", 1)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 2, maxLength: 80 }), fc.nat(80), (text, most) => {
      const parts = cut(text.trim(), most) ?? [text];
      expect(parts.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
  );
});
