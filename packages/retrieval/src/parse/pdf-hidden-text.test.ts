import { deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { tinyPdf, type TinyPdfContent } from "../testing/tiny-pdf.ts";
import { parseDocument } from "./parse-document.ts";
import { mayHideText } from "./pdf-content-scan.ts";

const SECRET = "Visitors may enter the server room.";
const SHOWN: TinyPdfContent = { text: "Visitors stay in the lobby.", y: 700 };
const WHITE = [1, 1, 1] as const;
const NAVY = [0, 0, 0.4] as const;
const PAGE = [0, 0, 595, 842] as const;

const read = async (
  ...content: readonly TinyPdfContent[]
): Promise<{ readonly text: string; readonly hidden?: number }> => {
  const { pages } = await parseDocument(tinyPdf([content]), "a.pdf");
  return pages[0] ?? { text: "" };
};

describe("hidden text in a PDF", () => {
  it.each<readonly [string, readonly TinyPdfContent[]]>([
    ["in the invisible render mode", [SHOWN, { text: SECRET, y: 640, mode: 3 }]],
    ["invisible, drawn first", [{ text: SECRET, y: 760, mode: 3 }, SHOWN]],
    ["invisible on the same line", [SHOWN, { text: SECRET, x: 300, y: 700, mode: 3 }]],
    ["invisible over visible text", [SHOWN, { text: SECRET, y: 700, mode: 3 }]],
    [
      "invisible beside a small image",
      [{ image: [56, 720, 100, 100] }, SHOWN, { text: SECRET, y: 640, mode: 3 }],
    ],
    [
      "a line of a page with a background image",
      [{ image: PAGE }, SHOWN, { text: "Nobody else.", y: 680 }, { text: SECRET, y: 640, mode: 3 }],
    ],
    ["white", [SHOWN, { text: SECRET, y: 640, color: WHITE }]],
    ["nearly white", [SHOWN, { text: SECRET, y: 640, color: [0.99, 0.99, 1] }]],
    ["white on white", [{ rectangle: PAGE, color: WHITE }, SHOWN, { text: SECRET, y: 640, color: WHITE }]],
    [
      "white, before the first rectangle",
      [SHOWN, { text: SECRET, y: 640, color: WHITE }, { rectangle: [50, 50, 90, 20], color: NAVY }],
    ],
    ["of 1 point", [SHOWN, { text: SECRET, y: 640, size: 1 }]],
  ])("is left out and counted: %s", async (what, content) => {
    const page = await read(...content);
    const kept = what.includes("background")
      ? /^Visitors stay in the lobby\.\s+Nobody else\.$/
      : /^Visitors stay in the lobby\.$/;
    expect(page.text).toMatch(kept);
    expect(page.hidden).toBe(SECRET.length);
  });

  it("is taken out of a line that pdf.js reads as one item", async () => {
    const [hidden, shown] = ["no ", "guests"];
    const line = `(Open to ) Tj 3 Tr (${hidden}) Tj 0 Tr (${shown}.) Tj`;
    const file = Buffer.from(tinyPdf([[{ text: "@".repeat(line.length - 5), y: 700 }]])).toString("latin1");
    const page = await parseDocument(
      new Uint8Array(Buffer.from(file.replace(/\(@+\) Tj/, line), "latin1")),
      "a.pdf",
    );
    expect(page.pages[0]).toMatchObject({ text: "Open to guests.", hidden: 3 });
  });

  it("is left out beyond the edge of the page", async () => {
    expect((await read(SHOWN, { text: SECRET, y: 900 })).text).toBe("Visitors stay in the lobby.");
  });

  it.each<readonly [string, readonly TinyPdfContent[]]>([
    ["the OCR layer of a scan", [{ image: PAGE }, { text: SECRET, y: 700, mode: 3 }]],
    [
      "the OCR layer of a scan in high resolution",
      [
        { image: PAGE, pixels: 800 },
        { text: SECRET, y: 700, mode: 3 },
      ],
    ],
    ["an OCR layer below its image", [{ text: SECRET, y: 700, mode: 3 }, { image: PAGE }]],
    [
      "the OCR layer of a scan in strips",
      [{ image: [0, 421, 595, 421] }, { image: [0, 0, 595, 421] }, { text: SECRET, y: 700, mode: 3 }],
    ],
    [
      "white on a coloured rectangle",
      [
        { rectangle: [50, 690, 500, 30], color: NAVY },
        { text: SECRET, y: 700, color: WHITE },
      ],
    ],
    ["white on an image", [{ image: [50, 690, 500, 30] }, { text: SECRET, y: 700, color: WHITE }]],
    [
      "white on an image in high resolution",
      [
        { image: [50, 690, 500, 30], pixels: 800 },
        { text: SECRET, y: 700, color: WHITE },
      ],
    ],
    ["light grey", [{ text: SECRET, y: 700, color: [0.9, 0.9, 0.9] }]],
    ["white with an outline", [{ text: SECRET, y: 700, color: WHITE, mode: 2 }]],
    [
      "black after white was used",
      [
        { rectangle: PAGE, color: WHITE },
        { text: SECRET, y: 700 },
      ],
    ],
    ["small print", [{ text: SECRET, y: 700, size: 4 }]],
  ])("is not: %s", async (_what, content) => {
    const page = await read(...content);
    expect(page.text).toBe(SECRET);
    expect(page.hidden).toBeUndefined();
  });

  it("is all that a file holds", async () => {
    await expect(read({ text: SECRET, y: 700, mode: 3 })).rejects.toThrow(
      `"a.pdf" holds only hidden text (${SECRET.length} characters), which is not read.`,
    );
  });

  it("keeps a stamp beside the OCR layer of a scan", async () => {
    const page = await read(
      { image: PAGE },
      { text: SECRET, y: 700, mode: 3 },
      { text: "ACME 0001", y: 400 },
    );
    expect(page.text).toContain(SECRET);
    expect(page.text).toContain("ACME 0001");
  });
});

describe("mayHideText", () => {
  const stream = (content: string | Uint8Array, dictionary = ""): Uint8Array =>
    Buffer.concat([
      Buffer.from(`%PDF-1.4\n4 0 obj\n<< ${dictionary}/Length 1 >>\nstream\n`),
      Buffer.from(content),
      Buffer.from("\nendstream\nendobj\n"),
    ]);
  const INVISIBLE = "BT 3 Tr (a) Tj ET";

  it.each([
    ["invisible text", stream(INVISIBLE)],
    ["invisible text, compressed", stream(deflateSync(INVISIBLE), "/Filter /FlateDecode ")],
    ["white text", stream("1 g BT (a) Tj ET")],
    ["white text in CMYK", stream("0 0 0 0 k BT [(a)] TJ ET")],
    ["white text with the colour restored", stream("1 1 1 rg q 0 g Q BT (a) Tj ET")],
    ["an unknown filter", stream("a", "/Filter /LZWDecode ")],
    ["a broken stream", stream("a", "/Filter /FlateDecode ")],
    ["an encrypted file", Buffer.from("%PDF-1.4\ntrailer << /Encrypt 3 0 R >>")],
  ])("is true for %s", (_what, file) => {
    expect(mayHideText(file)).toBe(true);
  });

  it.each([
    ["black text", stream("BT (a) Tj ET")],
    ["black text after a white fill", stream("q 1 g 0 0 9 9 re f Q BT (a) Tj ET")],
    ["white text after a black fill", stream("0 0 9 9 re f 1 g BT (a) Tj ET")],
    ["text in a pattern", stream("/Pattern cs /P1 scn BT (a) Tj ET")],
    ["filled text after a stroked one", stream("BT 1 Tr (a) Tj 0 Tr (b) Tj ET")],
    ["an image", stream(INVISIBLE, "/Subtype /Image /Filter /DCTDecode ")],
    ["no stream", Buffer.from("%PDF-1.4\n")],
  ])("is false for %s", (_what, file) => {
    expect(mayHideText(file)).toBe(false);
  });
});
