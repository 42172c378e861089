import { describe, expect, it } from "vitest";

import { parseMarkdown } from "../parse/markdown.ts";
import { chunkDocument, documentIdOf } from "./chunk-document.ts";
import { sectionAt, trackSections } from "./sections.ts";

const long = "A sentence about one thing that goes on for a while and then ends. ".repeat(5);

describe("chunkDocument", () => {
  it("gives each chunk its slice, its section and an id of its own that stays", () => {
    const { pages } = parseMarkdown(`# Policy\n\n${long}\n\n## Travel\n\n${long}\n\n## Meals\n\n${long}`);
    const [first] = chunkDocument("doc", pages);
    expect(first?.chunks.map((chunk) => chunk.section)).toEqual([
      ["Policy"],
      ["Policy", "Travel"],
      ["Policy", "Meals"],
    ]);
    const ids = first?.chunks.map((chunk) => chunk.id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(chunkDocument("doc", pages)[0]?.chunks.map((chunk) => chunk.id)).toEqual(ids);
    expect(documentIdOf("a", "b")).not.toBe(documentIdOf("ab", ""));
  });

  it("carries a section over to the next page", () => {
    const marks = trackSections([
      {
        number: 1,
        text: "One\nTwo",
        headings: [
          { level: 1, text: "One", start: 0 },
          { level: 2, text: "Two", start: 4 },
        ],
      },
      { number: 2, text: "text\nThree", headings: [{ level: 2, text: "Three", start: 5 }] },
    ]);
    expect(sectionAt(marks[1] ?? [], 0)).toEqual(["One", "Two"]);
    expect(sectionAt(marks[1] ?? [], 6)).toEqual(["One", "Three"]);
  });

  it("keeps the start of a heading that is as long as a document", () => {
    const [marks] = trackSections([
      { number: 1, text: "", headings: [{ level: 1, text: "a".repeat(100_000), start: 0 }] },
    ]);
    expect(sectionAt(marks ?? [], 5)).toEqual(["a".repeat(200)]);
  });
});
