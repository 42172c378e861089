import { describe, expect, it } from "vitest";

import { tinyPdf, type TinyPdfText } from "../testing/tiny-pdf.ts";
import { parseDocument } from "./parse-document.ts";

const body = (lines: readonly string[], top = 700): TinyPdfText[] =>
  lines.map((text, at) => ({ text, y: top - at * 14 }));

describe("parsePdf", () => {
  it("joins lines to paragraphs, mends broken words and tracks headings", async () => {
    const file = tinyPdf([
      [
        { text: "AI Policy", y: 780, size: 24 },
        { text: "1 Scope", y: 740, size: 16 },
        ...body([
          "This policy covers every system that makes or supports a deci-",
          "sion about people, products or money in the long-term plan of",
          "the group.",
        ]),
        ...body(
          ["A second paragraph starts after a wider gap and names the", "long-", "term plan again."],
          640,
        ),
      ],
    ]);
    const { pages, title, paged } = await parseDocument(file, "policy.pdf");
    expect(pages[0]?.text).toBe(
      "AI Policy\n\n1 Scope\n\nThis policy covers every system that makes or supports a decision about people, products or money in the long-term plan of the group.\n\nA second paragraph starts after a wider gap and names the long-term plan again.",
    );
    expect(pages[0]?.headings.map(({ level, text }) => [level, text])).toEqual([
      [1, "AI Policy"],
      [2, "1 Scope"],
    ]);
    expect(title).toBe("AI Policy");
    expect(paged).toBe(true);
  });

  it("keeps a table row a line with its cells apart", async () => {
    const row = (cells: readonly string[], y: number): TinyPdfText[] =>
      cells.map((text, at) => ({ text, y, x: 56 + at * 120 }));
    const file = tinyPdf([[...row(["Region", "2024", "2025"], 700), ...row(["Nordics", "4.1", "5.2"], 684)]]);
    const { pages } = await parseDocument(file, "table.pdf");
    expect(pages[0]?.text).toBe("Region | 2024 | 2025\nNordics | 4.1 | 5.2");
  });

  it("drops running heads and feet, and takes the printed number from them", async () => {
    const pages = [11, 12, 13, 14].map((printed, at) => [
      { text: "Handbook", y: 810, size: 9 },
      ...body([`Chapter ${"abcd".charAt(at)} tells its own story in a full sentence.`]),
      { text: `Page ${printed} of 14`, y: 30, size: 9 },
    ]);
    const document = await parseDocument(tinyPdf(pages), "handbook.pdf");
    expect(document.pages.map((page) => [page.number, page.label, page.text])).toEqual([
      [1, "11", "Chapter a tells its own story in a full sentence."],
      [2, "12", "Chapter b tells its own story in a full sentence."],
      [3, "13", "Chapter c tells its own story in a full sentence."],
      [4, "14", "Chapter d tells its own story in a full sentence."],
    ]);
  });

  it("prefers the labels the file declares and leaves out those that equal the page", async () => {
    const pages = ["front", "back", "one", "two"].map((word) => body([`Words of the ${word} page.`]));
    const labelled = await parseDocument(
      tinyPdf(pages, {
        labels: [
          { page: 1, style: "r", first: 1 },
          { page: 3, style: "D", first: 1 },
        ],
      }),
      "labels.pdf",
    );
    expect(labelled.pages.map((page) => page.label)).toEqual(["i", "ii", "1", "2"]);
    const plain = await parseDocument(tinyPdf(pages), "plain.pdf");
    expect(plain.pages.map((page) => page.label)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
