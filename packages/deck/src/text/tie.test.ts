import * as fc from "fast-check";
import { expect, test } from "vitest";

import { textWidth } from "./measure.ts";
import { tied } from "./tie.ts";

/** With `_` for a no-break space. */
const seen = (text: string): string => tied(text).replaceAll("\u00a0", "_");

test.each([
  ["Next, 31 December 2026: it ends", "Next, 31_December_2026: it ends"],
  ["Am 3. Dezember 2026 endet es", "Am 3._Dezember_2026 endet es"],
  ["EUR 14.4 million over 3 years", "EUR_14.4_million over 3 years"],
  ["rose 38.6 % in 72 hours", "rose 38.6_% in 72_hours"],
  ["640 customers in 2025", "640 customers in 2025"],
])("%j is kept together as %j", (text, expected) => {
  expect(seen(text)).toBe(expected);
});

test("changes spaces only, and a no-break space is as wide as a space", () => {
  const word = fc.constantFrom("31", "December", "2026", "EUR", "4.5", "million", "%", "in", "€", ".");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join(" ");
      expect(tied(text).replaceAll("\u00a0", " ")).toBe(text);
      expect(tied(tied(text))).toBe(tied(text));
      expect(textWidth(tied(text), 20)).toBeCloseTo(textWidth(text, 20), 6);
    }),
  );
});
