import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";

import { tinyDocx } from "../testing/tiny-docx.ts";
import { tinyPdf } from "../testing/tiny-pdf.ts";
import { parseDocument } from "./parse-document.ts";
import { DEFAULT_PARSE_LIMITS } from "./parsed-document.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("parseDocument on what it cannot use", () => {
  const cases: readonly [name: string, content: Uint8Array, code: string, says: RegExp][] = [
    ["empty.md", bytes(""), "input.invalid", /"empty\.md" is empty/],
    ["blank.txt", bytes(" \n\n"), "input.invalid", /"blank\.txt" holds no text/],
    ["zero.pdf", tinyPdf([]), "input.invalid", /"zero\.pdf".*(0 pages|damaged)/],
    ["scan.pdf", tinyPdf([[]]), "input.invalid", /"scan\.pdf" has 1 page\(s\) but no text.*OCR/],
    ["locked.pdf", tinyPdf([[{ text: "x", y: 1 }]], { encrypted: true }), "input.unsupported", /password/],
    ["cut.pdf", bytes("%PDF-1.7\nand then nothing"), "input.invalid", /"cut\.pdf" cannot be read as a PDF/],
    ["really.pdf", bytes("just words"), "input.invalid", /named like a PDF, but its content is not a PDF/],
    ["really.docx", bytes("just words"), "input.invalid", /named like a Word document/],
    ["pdf.docx", tinyPdf([[]]), "input.invalid", /its content is a PDF/],
    ["old.docx", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), "input.unsupported", /encrypted or in the old/],
    ["other.docx", zipSync({ "a.txt": strToU8("x") }), "input.invalid", /not a Word document/],
    ["torn.docx", tinyDocx([{ text: "hello" }]).slice(0, 300), "input.invalid", /not a whole zip/],
    [
      "bad.docx",
      zipSync({ "word/document.xml": strToU8("<w:document><w:p>") }),
      "input.invalid",
      /damaged XML/,
    ],
    ["bytes.txt", Uint8Array.of(65, 0, 66), "input.invalid", /not text/],
    ["zip.md", tinyDocx([]), "input.invalid", /its content is a zip archive/],
    ["sheet.xlsx", bytes("x"), "input.unsupported", /Supported: \.md/],
  ];
  it.each(cases)("%s", async (name, content, code, says) => {
    await expect(parseDocument(content, name)).rejects.toMatchObject({
      name: "InputError",
      code,
      message: expect.stringMatching(says) as string,
    });
  });

  it("refuses what is larger than its limits, zip bombs included", async () => {
    const limits = { ...DEFAULT_PARSE_LIMITS, maxPages: 1, maxUnpackedBytes: 1_000_000 };
    const two = tinyPdf([[{ text: "one", y: 700 }], [{ text: "two", y: 700 }]]);
    await expect(parseDocument(two, "two.pdf", limits)).rejects.toMatchObject({ code: "input.too-large" });
    const bomb = zipSync({ "word/document.xml": new Uint8Array(30_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(parseDocument(bomb, "bomb.docx", limits)).rejects.toThrow(/"bomb\.docx" unpacks to 30 MB/);
    await expect(
      parseDocument(bytes("hello world"), "a.md", { ...limits, maxTextChars: 5 }),
    ).rejects.toMatchObject({ code: "input.too-large" });
    await expect(
      parseDocument(bytes("hello world"), "a.md", { ...limits, maxBytes: 5 }),
    ).rejects.toMatchObject({ code: "input.too-large" });
  });

  it("does not unpack more than the archive declares", async () => {
    const honest = zipSync({ "word/document.xml": new Uint8Array(30_000_000).fill(32) });
    const lying = honest.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at + 4 < lying.length; at += 1) {
      const mark = view.getUint32(at, true);
      if (mark === 0x04034b50) view.setUint32(at + 22, 1_000, true);
      if (mark === 0x02014b50) view.setUint32(at + 24, 1_000, true);
    }
    const limits = { ...DEFAULT_PARSE_LIMITS, maxUnpackedBytes: 1_000_000 };
    await expect(parseDocument(lying, "liar.docx", limits)).rejects.toMatchObject({ code: "input.invalid" });
  });
});

describe("parseDocument", () => {
  it("takes the title from the file's own metadata, its first heading or its name", async () => {
    const title = async (content: Uint8Array, name: string) => (await parseDocument(content, name)).title;
    expect(await title(bytes("---\ntitle: Plan\n---\n# Other"), "x.md")).toBe("Plan");
    expect(await title(bytes("# Main plan\n\ntext"), "x.md")).toBe("Main plan");
    expect(await title(bytes("text"), "some_small-note.txt")).toBe("some small note");
    expect(await title(tinyDocx([{ text: "x" }], { title: "From Word" }), "a.docx")).toBe("From Word");
    expect(await title(tinyPdf([[{ text: "x", y: 9 }]], { title: "a.docx" }), "my-file.pdf")).toBe("my file");
  });

  it.each([
    "(anonymous)",
    "Untitled",
    "untitled document",
    "Microsoft Word - Audit.docx",
    "PowerPoint Presentation",
    "Report",
    "Document1",
  ])("takes the first heading, else the file's name, where the title is a placeholder: %s", async (title) => {
    const body = { text: "The oven takes 58 % of the gas in this plain line of text.", y: 600 };
    const headed = tinyPdf([[{ text: "Energy audit", y: 700, size: 24 }, body]], { title });
    expect((await parseDocument(headed, "audit.pdf")).title).toBe("Energy audit");
    expect((await parseDocument(tinyPdf([[body]], { title }), "energy-audit.pdf")).title).toBe(
      "energy audit",
    );
    expect((await parseDocument(bytes(`# ${title}\n\ntext`), "energy-audit.md")).title).toBe("energy audit");
  });

  it("reads text that is not UTF-8", async () => {
    const latin = await parseDocument(Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65), "a.txt");
    expect(latin.pages[0]?.text).toBe("Größe");
    const utf16 = await parseDocument(Uint8Array.of(0xff, 0xfe, 0x48, 0x00, 0x69, 0x00), "b.txt");
    expect(utf16.pages[0]?.text).toBe("Hi");
  });
});
