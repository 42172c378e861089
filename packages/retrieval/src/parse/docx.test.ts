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
