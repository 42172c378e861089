import * as fc from "fast-check";
import { expect, it } from "vitest";

import { beginningOf } from "./cut-text.ts";

it("ends with a paragraph, a line, a sentence or a word where one ends near", () => {
  expect(beginningOf("One two. Three four five.", 24)).toBe("One two. Three four");
  expect(beginningOf(`${"a".repeat(90)}. Then more of it`, 100)).toBe(`${"a".repeat(90)}.`);
  expect(beginningOf(`${"a".repeat(85)}\n\n${"b".repeat(50)}`, 100)).toBe("a".repeat(85));
  expect(beginningOf("a".repeat(200), 100)).toBe("a".repeat(100));
  expect(beginningOf("short", 100)).toBe("short");
});

it("is a beginning of it, not too long, and never half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(200), (text, max) => {
      const head = beginningOf(text, max);
      expect(text.startsWith(head)).toBe(true);
      expect(head.length).toBeLessThanOrEqual(max);
      expect(head.isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});
