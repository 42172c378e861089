import { expect, it } from "vitest";

import { randomHex } from "./random-hex.ts";

it("gives as many bytes as are asked for, never the same, also from one block to the next", () => {
  const lengths = Array.from({ length: 2_000 }, (_, n) => 8 + (n % 9));
  const made = lengths.map((bytes) => randomHex(bytes));
  expect(made.map((text) => text.length)).toEqual(lengths.map((bytes) => bytes * 2));
  expect(made.every((text) => /^[0-9a-f]+$/.test(text))).toBe(true);
  expect(new Set(made.map((text) => text.slice(0, 16))).size).toBe(made.length);
});
