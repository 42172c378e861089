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

  describe("a table whose header sets its columns", () => {
    const at = (texts: readonly (readonly [number, string])[], y: number): TinyPdfText[] =>
      texts.map(([x, text]) => ({ x, y, text, size: 10 }));
    const textOf = async (items: readonly TinyPdfText[]): Promise<string> =>
      (await parseDocument(tinyPdf([items]), "table.pdf")).pages[0]?.text ?? "";
    const header = at(
      [
        [56, "Risk"],
        [180, "Effect"],
        [240, "Response"],
      ],
      700,
    );

    it("joins the lines of a cell, in whichever order the file has them", async () => {
      const rows = [
        ...at([[56, "False alarms wear out"]], 680),
        ...at([[56, "trust"]], 667),
        ...at(
          [
            [180, "High"],
            [240, "Release limit"],
          ],
          680,
        ),
        ...at([[240, "of 1.0"]], 667),
        ...at(
          [
            [56, "Costs run away"],
            [180, "Low"],
            [240, "Cap"],
          ],
          647,
        ),
      ];
      const expected =
        "Risk | Effect | Response\nFalse alarms wear out trust | High | Release limit of 1.0\nCosts run away | Low | Cap";
      expect(await textOf([...header, ...rows])).toBe(expected);
      expect(await textOf([...header, ...rows.toSorted((a, b) => b.y - a.y)])).toBe(expected);
    });

    it("keeps the place of an empty cell, and what follows the table apart", async () => {
      const rows = [
        ...at(
          [
            [56, "Costs run away"],
            [180, "Low"],
            [240, "Cap"],
          ],
          684,
        ),
        ...at(
          [
            [56, "Tideline ends"],
            [240, "Escrow"],
          ],
          668,
        ),
      ];
      const after = at([[56, "The board reads this list twice a year and changes it."]], 640);
      expect(await textOf([...header, ...rows, ...after])).toBe(
        "Risk | Effect | Response\nCosts run away | Low | Cap\nTideline ends | | Escrow\n\nThe board reads this list twice a year and changes it.",
      );
    });

    it("never puts two numbers into one cell, however close the rows", async () => {
      const rows = [1, 2, 3, 4].flatMap((n) =>
        at(
          [
            [56, `Row ${n}`],
            [180, `${n}.5`],
            [240, `${n}0`],
          ],
          // The last stands further apart, as a total does.
          n === 4 ? 640 : 700 - n * 12,
        ),
      );
      expect(await textOf([...header, ...rows])).toBe(
        "Risk | Effect | Response\nRow 1 | 1.5 | 10\nRow 2 | 2.5 | 20\nRow 3 | 3.5 | 30\nRow 4 | 4.5 | 40",
      );
    });
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
