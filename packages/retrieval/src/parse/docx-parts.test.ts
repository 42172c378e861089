import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { memoryIndex } from "../testing/memory-index.ts";
import { docxOfParts } from "../testing/tiny-docx.ts";
import { parseDocument } from "./parse-document.ts";
import { DEFAULT_PARSE_LIMITS } from "./parsed-document.ts";

const p = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;
const t = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const ref = (kind: "footnote" | "endnote", id: number): string =>
  `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
const box = (...paragraphs: readonly string[]): string =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraphs.join("")}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>${p(t("copy for old readers"))}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
const section = (...references: readonly string[]): string => `<w:sectPr>${references.join("")}</w:sectPr>`;
const header = (id: string): string => `<w:headerReference w:type="default" r:id="${id}"/>`;
const footer = (id: string): string => `<w:footerReference w:type="default" r:id="${id}"/>`;
const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join("")}</w:tr>`;

const textsOf = async (parts: Parameters<typeof docxOfParts>[0]): Promise<readonly string[]> =>
  (await parseDocument(docxOfParts(parts), "a.docx")).pages.map(({ text }) => text);

describe("parts of a Word document beside its body", () => {
  it("sets a note behind the paragraph or table that refers to it", async () => {
    const body =
      p(t("The budget"), ref("footnote", 3), t(" is five million."), ref("endnote", 2)) +
      `<w:tbl>${row(t("Year"), t("Cost") + ref("footnote", 2))}${row(t("2025"), t("5"))}</w:tbl>` +
      p(t("End."));
    const footnotes = { 2: p(t("In euros.")), 3: p(t("Without the quokka.")) + p(t("Nor the emu.")) };
    expect(await textsOf({ body, footnotes, endnotes: { 2: p(t("See the minutes.")) } })).toEqual([
      [
        "The budget is five million.",
        "Footnote 1: Without the quokka. Nor the emu.",
        "Endnote 1: See the minutes.",
        "Year | Cost\n2025 | 5",
        "Footnote 2: In euros.",
        "End.",
      ].join("\n\n"),
    ]);
  });

  it("keeps a note on the page of its reference", async () => {
    const body = p(t("One."), ref("footnote", 1), '<w:r><w:br w:type="page"/></w:r>', t("Two."));
    expect(await textsOf({ body, footnotes: { 1: p(t("A note.")) } })).toEqual([
      "One.\n\nFootnote 1: A note.",
      "Two.",
    ]);
  });

  it("has headers and footers once, at the end of their section, and page numbers never", async () => {
    const body =
      p(`<w:pPr>${section(header("h1"), footer("f1"))}</w:pPr>`, t("First section.")) +
      p(`<w:pPr>${section(header("h1"), footer("f2"))}</w:pPr>`, t("Second section.")) +
      p(t("Third section.")) +
      section(header("h2"));
    const headers = { h1: p(t("The walrus report")), h2: p(t("Annex")) };
    const footers = { f1: p(t("Confidential")), f2: p(t("12")) };
    expect(await textsOf({ body, headers, footers })).toEqual([
      "First section.\n\nHeader: The walrus report\n\nFooter: Confidential\n\nSecond section.\n\nThird section.\n\nHeader: Annex",
    ]);
  });

  it("sets a text box behind the paragraph or into the cell that holds it", async () => {
    const body =
      p(t("Before "), box(p(t("In the box.")), p(t("More."))), t("and after.")) +
      `<w:tbl>${row(t("Cell") + box(p(t("boxed"))), t("5"))}</w:tbl>`;
    expect(await textsOf({ body })).toEqual(["Before and after.\n\nIn the box.\n\nMore.\n\nCell boxed | 5"]);
  });

  it("leaves out deleted text and its notes, and keeps inserted text", async () => {
    const body = p(
      t("Kept."),
      `<w:del><w:r><w:delText>Gone.</w:delText></w:r>${ref("footnote", 1)}</w:del>`,
      `<w:ins>${t(" New.")}${ref("footnote", 2)}</w:ins>`,
    );
    const footnotes = { 1: p(t("Old note.")), 2: p(`<w:ins>${t("New note.")}</w:ins>`) };
    expect(await textsOf({ body, footnotes })).toEqual(["Kept. New.\n\nFootnote 1: New note."]);
  });

  it("has a note once, at the first of its references", async () => {
    const body = p(t("One."), ref("footnote", 1)) + p(t("Two."), ref("footnote", 1));
    expect(await textsOf({ body, footnotes: { 1: p(t("A note.")) } })).toEqual([
      "One.\n\nFootnote 1: A note.\n\nTwo.",
    ]);
  });

  it("reads no part that nothing refers to", async () => {
    expect(await textsOf({ body: p(t("One.")), headers: { h: "<w:p><broken" } })).toEqual(["One."]);
  });

  it("limits what all parts together unpack to", async () => {
    const bytes = docxOfParts({ body: p(t("a".repeat(600))), headers: { h: p(t("b".repeat(600))) } });
    const sizes = { ...DEFAULT_PARSE_LIMITS, maxUnpackedBytes: 2_500 };
    await expect(parseDocument(bytes, "a.docx", sizes)).rejects.toMatchObject({ code: "input.too-large" });
  });

  it("makes every text of every part searchable", async () => {
    const kinds = fc.constantFrom(
      "paragraph",
      "footnote",
      "endnote",
      "header",
      "footer",
      "box",
      "cell",
      "inserted",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 12 }), async (blocks) => {
        const word = (at: number): string => `quokka${at}word`;
        const parts = { footnotes: {}, endnotes: {}, headers: {}, footers: {} } as Record<
          "footnotes" | "endnotes" | "headers" | "footers",
          Record<string, string>
        >;
        const body = blocks.map((kind, at) => {
          const own = t(word(at));
          if (kind === "footnote" || kind === "endnote") {
            parts[`${kind}s`][at] = p(own);
            return p(t("Text."), ref(kind, at));
          }
          if (kind === "header" || kind === "footer") {
            parts[`${kind}s`][`r${at}`] = p(own);
            return p(
              `<w:pPr>${section((kind === "header" ? header : footer)(`r${at}`))}</w:pPr>`,
              t("Text."),
            );
          }
          if (kind === "box") return p(box(p(own)));
          if (kind === "cell") return `<w:tbl>${row(own, t("5"))}</w:tbl>`;
          return p(kind === "inserted" ? `<w:ins>${own}</w:ins>` : own);
        });
        const [page = ""] = await textsOf({ body: body.join(""), ...parts });
        const index = await memoryIndex({ docs: { "a.txt": page } });
        for (const at of blocks.keys()) expect((await index.search(word(at))).hits).not.toEqual([]);
        await index.close();
      }),
      { numRuns: 60 },
    );
  });
});
