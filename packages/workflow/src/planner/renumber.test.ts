import type { Citation } from "@troupe/stream";
import { array, assert, constantFrom, property, uniqueArray } from "fast-check";
import { expect, it } from "vitest";

import { inOrderOfAppearance } from "./renumber.ts";

const cite = (id: string): Citation => {
  return { id, document: "d", source: "s", collection: "c", chunkId: id, quote: "q", start: 0, end: 1 };
};
const ids = ["1", "2", "3", "7", "12", "note"];

const words = array(constantFrom(...ids, ""), { minLength: 1 });
const textOf = (named: readonly string[]) => named.map((id) => (id === "" ? "word" : `[${id}]`)).join(" ");

it("keeps who is cited where", () => {
  assert(
    property(uniqueArray(constantFrom(...ids)), words, (known, named) => {
      const result = inOrderOfAppearance({ content: textOf(named), citations: known.map(cite), tables: [] });
      const places = new Map(result.citations.map(({ id, chunkId }) => [id, chunkId]));
      const told = result.content.split(" ").map((word) => places.get(word.slice(1, -1)) ?? "");
      expect(told).toEqual(named.map((id) => (known.includes(id) ? id : "")));
    }),
  );
});

it("counts passages and tables together", () => {
  const table = { columns: [], rows: [] };
  const { content, citations, tables } = inOrderOfAppearance({
    content: "[7] [result-1] [2]",
    citations: [cite("2"), cite("7")],
    tables: [
      { ...table, id: "result-1", number: "result-1" },
      { ...table, id: "result-2" },
    ],
  });
  expect(content).toBe("[1] [2] [3]");
  expect(citations.map(({ id, chunkId }) => [id, chunkId])).toEqual([
    ["1", "7"],
    ["3", "2"],
  ]);
  expect(tables.map(({ number }) => number)).toEqual(["2", undefined]);
});

it("numbers from 1 without a gap", () => {
  assert(
    property(words, (named) => {
      const result = inOrderOfAppearance({ content: textOf(named), citations: ids.map(cite), tables: [] });
      expect(result.citations.map(({ id }) => Number(id))).toEqual(ids.map((_, index) => index + 1));
      const first = new Set(result.content.match(/\d+/g));
      expect([...first].map(Number)).toEqual([...first].map((_, index) => index + 1));
    }),
  );
});
