import { expect, test } from "vitest";

import { sampleCitation } from "../testing/samples.ts";
import { createCitationBook, fullSource, placeOf, rangesOf, sourceLineOf } from "./citation-book.ts";

test("a page keeps its number, whatever is quoted from it, and another page gets its own", () => {
  const book = createCitationBook();
  const a = sampleCitation("1", 4, "a");
  expect(book.mark([a])).toEqual([1]);
  expect(book.mark([{ ...a, id: "99", quote: "b" }, sampleCitation("2", 5, "a")])).toEqual([1, 2]);
  expect(book.all().map((entry) => entry.n)).toEqual([1, 2]);
  expect(book.get(1).map(({ citation }) => citation.quote)).toEqual(["a", "b"]);
});

test("without pages the section is the place", () => {
  const book = createCitationBook();
  const { page: _, ...unpaged } = sampleCitation("1", 4, "a");
  const goals = { ...unpaged, section: "Goals" };
  expect(book.mark([goals, { ...goals, quote: "b" }, { ...goals, section: "Risks" }])).toEqual([1, 2]);
});

test("a place is the printed page, the page of the file, or the heading", () => {
  const citation = sampleCitation("1", 6, "q");
  expect(placeOf(citation)).toBe("p. 6");
  expect(placeOf({ ...citation, pageLabel: "iv" })).toBe("p. iv");
  const { page: _, ...unpaged } = citation;
  expect(placeOf({ ...unpaged, section: "Goals" })).toBe("§ Goals");
  expect(fullSource({ n: 1, citation: { ...citation, pageLabel: "iv", section: "Goals" } })).toBe(
    "[1] AI Strategy 2026, p. iv (page 6 of the file), Goals: “q”",
  );
});

test("a document is named once in a row", () => {
  const cited = [4, 9].map((page, i) => ({ n: i + 1, citation: sampleCitation(String(i), page, "q") }));
  expect(sourceLineOf(cited)).toBe("[1] AI Strategy 2026, p. 4   [2] p. 9");
});

test("numbers in a row are a range", () => {
  expect(rangesOf([1])).toBe("[1]");
  expect(rangesOf([1, 2])).toBe("[1][2]");
  expect(rangesOf([1, 2, 3, 7])).toBe("[1]–[3][7]");
});
