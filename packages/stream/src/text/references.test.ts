import * as fc from "fast-check";
import { expect, it } from "vitest";

import { findReferences, referencedIds, referenceStream, rewriteReferences } from "./references.ts";

const numbers: { readonly [id: string]: string } = { "2": "2", "research/1": "4", "data/1": "5" };
const idOf = (id: string): string | undefined => numbers[id];

it("rewrites ids of sources, alone and in lists, and nothing else", () => {
  expect(rewriteReferences("A [research/1], both [research/1, data/1], mixed [2; data/1].", idOf)).toBe(
    "A [4], both [4, 5], mixed [2, 5].",
  );
  for (const text of ["[2]", "list[2]", "[2;2]", "[9]", "[research/1, note]", "[^1]", "[research/1\n]"])
    expect(rewriteReferences(text, idOf)).toBe(text);
});

it("finds each id of a list", () => {
  expect(referencedIds("See [1], [2, 3] and [a/1; b/2].")).toEqual(["1", "2", "3", "a/1", "b/2"]);
});

it("holds text back only while it may be a reference", () => {
  const stream = referenceStream(idOf);
  const pieces = ["So", " [", "research/1", "] and [a", "\n", "[".padEnd(121, "x"), "x", "[data/1", ""];
  expect(pieces.map((piece) => stream.push(piece))).toEqual([
    "So",
    " ",
    "",
    "[4] and ",
    "[a\n",
    "",
    "[".padEnd(122, "x"),
    "",
    "",
  ]);
  expect(stream.end()).toBe("[data/1");
});

it("rewrites a text cut into any pieces as it does the whole", () => {
  const words = fc.constantFrom(
    "[",
    "]",
    "[2]",
    "[data/1]",
    "[research/1, 2]",
    "[note]",
    "text ",
    "\n",
    "[long ".padEnd(130, "x"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(words, fc.nat(3))), (parts) => {
      const text = parts.map(([word]) => word).join("");
      const stream = referenceStream(idOf);
      let streamed = "";
      let at = 0;
      for (const [, length] of parts) {
        streamed += stream.push(text.slice(at, at + length));
        at += length;
      }
      streamed += stream.push(text.slice(at)) + stream.end();
      expect(streamed).toBe(rewriteReferences(text, idOf));
    }),
  );
});

it.each([
  ["[99]", ["99"]],
  ["[[99]]", ["99"]],
  ["[99†source]", ["99"]],
  ["【99†L1-L4】", ["99"]],
  ["［99］", ["99"]],
  ["［９９］", ["99"]],
  ["[Source 99]", ["99"]],
  ["[sources: 1, 99]", ["1", "99"]],
  ["[doc 99]", ["99"]],
  ["[doc:99]", ["99"]],
  ["[#99]", ["99"]],
  ["[ref99]", ["99"]],
  ["[99–101]", ["99", "100", "101"]],
  ["[1-99]", ["1", "99"]],
  ["[99, p. 4]", ["99"]],
  ["[1, p. 99]", ["1"]],
  ["[1,99,]", ["1", "99"]],
  ["[99a]", ["99"]],
  ["[^99]", ["99"]],
  ["[**99**]", ["99"]],
  ["[a/99; chart-2]", ["a/99", "chart-2"]],
])("%s is a reference", (mark, ids) => {
  const text = `It rose ${mark}.`;
  const [found] = findReferences(text, { isKnown: () => false });
  expect(found).toMatchObject({ start: 8, end: 8 + mark.length, ids });
});

it.each([
  "[Figure 1]",
  "[x[3]]",
  "x[3]",
  "[0.5, 0.7]",
  "[0, 1]",
  "[-2, 4]",
  "[2024]",
  "[3](https://a.example)",
  "[x]",
  "[ ]",
  "\n[3]: https://a.example",
  "rose[^1].\n\n[^1]: Annual report",
])("%j is none", (text) => {
  expect(findReferences(text, { isKnown: () => false })).toEqual([]);
});

it("reads an id that is known as it is written", () => {
  expect(findReferences("[1-2] [ref3]", { isKnown: (id) => ["1-2", "ref3"].includes(id) })).toMatchObject([
    { ids: ["1-2"] },
    { ids: ["ref3"] },
  ]);
});
