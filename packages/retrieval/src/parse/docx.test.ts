import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";

import { tinyDocx } from "../testing/tiny-docx.ts";
import { parseDocument } from "./parse-document.ts";

describe("parseDocx", () => {
  it("reads headings, lists and tables", async () => {
    const { pages, paged } = await parseDocument(
      tinyDocx([
        { text: "Budget & plan", style: "Heading1" },
        { text: "We spend <less>." },
        { text: "one", item: true },
        { text: "two", item: true },
        {
          rows: [
            ["Year", "Cost"],
            ["2025", "1,200"],
          ],
        },
      ]),
      "a.docx",
    );
    expect(pages[0]?.text).toBe(
      "Budget & plan\n\nWe spend <less>.\n\n- one\n- two\n\nYear | Cost\n2025 | 1,200",
    );
    expect(pages[0]?.headings).toEqual([{ level: 1, text: "Budget & plan", start: 0 }]);
    expect(paged).toBe(false);
  });

  it("takes pages from the breaks Word noted, else from hard breaks", async () => {
    const noted = await parseDocument(
      tinyDocx([
        { text: "a" },
        { page: "hard" },
        { page: "rendered" },
        { text: "b" },
        { page: "rendered" },
        { text: "c" },
      ]),
      "a.docx",
    );
    expect(noted.pages.map((page) => page.text)).toEqual(["a", "b", "c"]);
    const hard = await parseDocument(tinyDocx([{ text: "a" }, { page: "hard" }, { text: "b" }]), "b.docx");
    expect(hard.pages.map((page) => page.text)).toEqual(["a", "b"]);
    expect(hard.paged).toBe(true);
  });

  it("leaves out deleted text, field codes and the copy for old readers; splits a paragraph at a page", async () => {
    const xml = `<w:document xmlns:w="w" xmlns:mc="mc"><w:body><w:p><w:r><w:t>kept</w:t></w:r>
      <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r>
      <w:r><w:tab/><w:t>too</w:t></w:r><mc:AlternateContent><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:p>
      <w:p><w:r><w:t>first half</w:t><w:lastRenderedPageBreak/><w:t>second half</w:t></w:r></w:p>
      <w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc>
      <w:tc><w:p><w:r><w:t>out</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>`;
    const { pages } = await parseDocument(zipSync({ "word/document.xml": strToU8(xml) }), "a.docx");
    expect(pages.map((page) => page.text)).toEqual(["kept too\n\nfirst half", "second half\n\nin | out"]);
  });

  describe("text that is struck out", () => {
    const run = (properties: string, text: string): string =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const read = async (body: string): Promise<string | undefined> => {
      const styles = `<w:styles xmlns:w="w"><w:style w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>
        <w:style w:styleId="Older"><w:basedOn w:val="Old"/></w:style>
        <w:style w:styleId="Kept"><w:basedOn w:val="Old"/><w:rPr><w:strike w:val="0"/></w:rPr></w:style></w:styles>`;
      const document = `<w:document xmlns:w="w"><w:body>${body}<w:p><w:r><w:t>End.</w:t></w:r></w:p></w:body></w:document>`;
      const parts = { "word/document.xml": strToU8(document), "word/styles.xml": strToU8(styles) };
      return (await parseDocument(zipSync(parts), "a.docx")).pages[0]?.text;
    };

    it.each([
      ["once", "<w:strike/>"],
      ["twice", '<w:dstrike w:val="true"/>'],
      ["by its style", '<w:rStyle w:val="Old"/>'],
      ["by a style based on it", '<w:rStyle w:val="Older"/>'],
    ])("is left out: %s", async (_how, properties) => {
      const body = `<w:p>${run("", "It costs ")}${run(properties, "EUR 5 ")}${run("", "EUR 6.")}</w:p>`;
      expect(await read(body)).toBe("It costs EUR 6.\n\nEnd.");
    });

    it.each([
      ["a run that turns it off", '<w:strike w:val="false"/>', ""],
      ["a style that turns it off", '<w:rStyle w:val="Kept"/>', ""],
      ["the paragraph's own mark", "", "<w:rPr><w:strike/></w:rPr>"],
      ["what was so before", "<w:rPrChange><w:rPr><w:strike/></w:rPr></w:rPrChange>", ""],
      ["the style it had before", "", '<w:pPrChange><w:pPr><w:pStyle w:val="Old"/></w:pPr></w:pPrChange>'],
    ])("is not: %s", async (_what, properties, paragraph) => {
      const body = `<w:p><w:pPr>${paragraph}</w:pPr>${run(properties, "It costs EUR 6.")}</w:p>`;
      expect(await read(body)).toBe("It costs EUR 6.\n\nEnd.");
    });

    it("is left out by the style of a paragraph, except where a run turns it off", async () => {
      const old = '<w:pPr><w:pStyle w:val="Older"/></w:pPr>';
      const body = `<w:p>${old}${run("", "gone ")}${run('<w:strike w:val="0"/>', "kept")}</w:p><w:p>${old}${run("", "gone")}</w:p>`;
      expect(await read(body)).toBe("kept\n\nEnd.");
    });

    it("is a row of a table that was deleted, also where its text is not marked", async () => {
      const cells = (text: string): string =>
        `<w:tc><w:p>${run("", text)}</w:p></w:tc><w:tc><w:p>${run("", "5")}</w:p></w:tc>`;
      const body = `<w:tbl><w:tr>${cells("a")}</w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cells("b")}</w:tr><w:tr>${cells("c")}</w:tr></w:tbl>`;
      expect(await read(body)).toBe("a | 5\nc | 5\n\nEnd.");
    });
  });

  it("follows styles based on a heading, in a circle too", async () => {
    const styles = `<w:styles xmlns:w="w"><w:style w:styleId="H"><w:name w:val="heading 2"/></w:style>
      <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H"/></w:style>
      <w:style w:styleId="O"><w:name w:val="o"/><w:pPr><w:outlineLvl w:val="3"/></w:pPr></w:style>
      <w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>`;
    const paragraph = (style: string): string =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${style} text</w:t></w:r></w:p>`;
    const body = `<w:document xmlns:w="w"><w:body>${["Mine", "O", "A"].map(paragraph).join("")}</w:body></w:document>`;
    const { pages } = await parseDocument(
      zipSync({ "word/document.xml": strToU8(body), "word/styles.xml": strToU8(styles) }),
      "a.docx",
    );
    expect(pages[0]?.headings.map(({ level, text }) => [level, text])).toEqual([
      [2, "Mine text"],
      [4, "O text"],
    ]);
  });
});
