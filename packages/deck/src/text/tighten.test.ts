import * as fc from "fast-check";
import { expect, test } from "vitest";

import { tighten } from "./tighten.ts";
import { countWords } from "./words.ts";

test("keeps what is short enough as it is", () => {
  expect(tighten("Visits fall by a third", 5)).toBe("Visits fall by a third");
});

test("ends at a sentence, else at a clause, else after a word", () => {
  expect(tighten("Visits fall by a third. Customers notice it at once.", 7)).toBe("Visits fall by a third.");
  expect(tighten("Visits fall by a third, because drift is seen early enough", 8)).toBe(
    "Visits fall by a third",
  );
  expect(tighten("Visits fall by more than a third in all of the pilot regions", 6)).toBe(
    "Visits fall by more than a…",
  );
});

test("a decimal point is not the end of a sentence", () => {
  expect(tighten("The board approved EUR 4.2 million for the whole programme in March", 8)).toBe(
    "The board approved EUR 4.2 million for the…",
  );
});

test("nor is the stop of an abbreviation", () => {
  const text = "Der Umsatz lag 2025 bei 12,4 Mio. Euro und damit ca. 9 % über dem Vorjahr. Wir wachsen.";
  expect(tighten(text, 9)).toBe("Der Umsatz lag 2025 bei 12,4 Mio. Euro und…");
  expect(tighten(text, 16)).toBe(text.slice(0, text.indexOf(" Wir")));
});

test("never gives more words than asked for", () => {
  fc.assert(
    fc.property(
      fc.lorem({ mode: "sentences", maxCount: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (text, max) => {
        expect(countWords(tighten(text, max))).toBeLessThanOrEqual(max);
        expect(tighten(text, max)).not.toBe("");
      },
    ),
  );
});

// At this length what takes quadratic time never ends, on any machine.
test.each([" ", "\t", ".", ". ", ", ", " – ", " -", ")"])(
  "is linear in the length of its text: %j",
  (piece) => {
    const text = `${"word ".repeat(9)}${piece.repeat(Math.ceil(1_000_000 / piece.length))}x y`;
    expect(countWords(tighten(text, 8))).toBeLessThanOrEqual(8);
    expect(countWords(tighten(text, 10))).toBeLessThanOrEqual(10);
  },
);
