import * as fc from "fast-check";
import { expect, it } from "vitest";

import type { Citation } from "../citation.ts";
import { SourceNumbers } from "./source-numbers.ts";

const cite = (id: string): Citation => {
  return { id, document: "d", source: "s", collection: "c", chunkId: id, quote: "q", start: 0, end: 1 };
};
const sources = (...ids: readonly string[]) => new SourceNumbers((id) => ids.includes(id));

it("numbers sources from 1 in the order in which the text names them", () => {
  const numbers = sources("2", "7", "5", "research/1");
  expect(numbers.rewrite("Late [7], early [2], late again [7], handed on [research/1].")).toBe(
    "Late [1], early [2], late again [1], handed on [3].",
  );
  expect(numbers.order(["2", "5", "7"].map(cite)).map(({ id, chunkId }) => [id, chunkId])).toEqual([
    ["1", "7"],
    ["2", "2"],
    ["4", "5"],
  ]);
});

it("leaves brackets that name no source as they are, and gives their number to none", () => {
  const numbers = sources("7");
  numbers.reserve("Later there is [2].");
  expect(numbers.rewrite("No source [1], a chart [chart-1], a source [7].")).toBe(
    "No source [1], a chart [chart-1], a source [3].",
  );
});

it("keeps the number of a bracket that was shown before it named a source", () => {
  const known = new Set<string>(["7"]);
  const numbers = new SourceNumbers((id) => known.has(id));
  expect(numbers.rewrite("Perhaps [2], surely [7].")).toBe("Perhaps [2], surely [1].");
  known.add("2").add("8");
  expect(numbers.rewrite("Now [2] and [8].")).toBe("Now [2] and [3].");
  expect(numbers.order([cite("2"), cite("7"), cite("8")]).map(({ chunkId }) => chunkId)).toEqual([
    "7",
    "2",
    "8",
  ]);
});

it("holds text back only while it may be a reference", () => {
  const stream = sources("7").stream();
  const pieces = ["So", " [", "7", "] and [a", "\n", "[".padEnd(121, "x"), "x", "[7", ""];
  expect(pieces.map((piece) => stream.push(piece))).toEqual([
    "So",
    " ",
    "",
    "[1] and ",
    "[a\n",
    "",
    "[".padEnd(122, "x"),
    "",
    "",
  ]);
  expect(stream.end()).toBe("[7");
});

it("rewrites a text cut into any pieces as it does the whole", () => {
  const words = fc.constantFrom(
    "[",
    "]",
    "[1]",
    "[12]",
    "[9]",
    "[note]",
    "text ",
    "\n",
    "[long ".padEnd(130, "x"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(words, fc.nat(3))), (parts) => {
      const text = parts.map(([word]) => word).join("");
      const stream = sources("1", "12").stream();
      let streamed = "";
      let at = 0;
      for (const [, length] of parts) {
        streamed += stream.push(text.slice(at, at + length));
        at += length;
      }
      streamed += stream.push(text.slice(at)) + stream.end();
      expect(streamed).toBe(sources("1", "12").rewrite(text));
    }),
  );
});
