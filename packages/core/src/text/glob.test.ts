import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { matchesGlob } from "./glob.ts";

describe("a pattern", () => {
  it.each([
    ["delete_*", "delete_repo", true],
    ["delete_*", "delete_", true],
    ["delete_*", "undelete_repo", false],
    ["*", "", true],
    ["", "", true],
    ["", "x", false],
    ["a*b*c", "a--b--b--c", true],
    ["a*b*c", "a--c--b", false],
    ["a.c", "abc", false],
    ["*.md", "notes.md.txt", false],
  ])("%j on %j: %j", (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it("means what the regular expression means that it stands for", () => {
    const short = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 8 });
    fc.assert(
      fc.property(short, short, (pattern, text) => {
        const regexp = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/\*+/g, "[^]*")}$`);
        expect(matchesGlob(pattern, text)).toBe(regexp.test(text));
      }),
    );
  });
});
