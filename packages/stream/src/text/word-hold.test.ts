import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { WordHold } from "./word-hold.ts";

function pass(pieces: readonly string[]): readonly string[] {
  const hold = new WordHold();
  return [...pieces.map((piece) => hold.push(piece)), hold.end()];
}

describe("WordHold", () => {
  it("lets whole words through, the last one at the end", () => {
    expect(pass(["Hello wor", "ld, how are", " you?"])).toEqual(["Hello ", "world, how ", "are ", "you?"]);
    expect(pass(["a\nb", "\n"])).toEqual(["a\n", "b\n", ""]);
  });

  it("does not hold more than a long word", () => {
    const word = "x".repeat(40);
    expect(pass([word, word, "y z"])).toEqual(["", word + word, "y ", "z"]);
    expect(pass([`a ${word}${word}`])).toEqual([`a ${word}${word}`, ""]);
  });

  it("loses nothing and repeats nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 90 })), (pieces) => {
        expect(pass(pieces).join("")).toBe(pieces.join(""));
      }),
    );
  });

  it("is linear in text without a blank", () => {
    const hold = new WordHold();
    expect(hold.push("x".repeat(1_000_000))).toHaveLength(1_000_000);
  });
});
