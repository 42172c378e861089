import { PageBuilder } from "./page-builder.ts";
import type { ParsedPage } from "./parsed-document.ts";
import { readXml } from "./xml.ts";

/** Inside these nothing is text of the document: deleted text, field codes, the copy for old readers. */
const SKIPPED = new Set([
  "w:del",
  "w:moveFrom",
  "w:instrText",
  "w:delText",
  "mc:Fallback",
  "w:sectPr",
  "w:rPrChange",
]);

/**
 * Reads `word/document.xml`. Pages come from the breaks Word noted when it last laid the file out, or
 * else from hard page breaks.
 */
export class DocxBody {
  readonly #headingStyles: ReadonlyMap<string, number>;
  readonly #rendered: boolean;
  readonly #pages: ParsedPage[] = [];
  #page = new PageBuilder();
  #text = "";
  #level: number | undefined;
  #item = false;
  #lastWasItem = false;
  #skip = 0;
  #inText = false;
  #tables: { row: string[]; cell: string; rows: number }[] = [];

  constructor(headingStyles: ReadonlyMap<string, number>, rendered: boolean) {
    this.#headingStyles = headingStyles;
    this.#rendered = rendered;
  }

  read(xml: string): readonly ParsedPage[] {
    readXml(xml, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => {
        if (this.#inText && this.#skip === 0) this.#text += text;
      },
    });
    this.#endParagraph();
    this.#pages.push(this.#page.build(this.#pages.length + 1));
    return this.#pages;
  }

  #open(name: string, attributes: { readonly [name: string]: string }): void {
    if (SKIPPED.has(name)) this.#skip += 1;
    if (this.#skip > 0) return;
    const value = attributes["w:val"] ?? "";
    if (name === "w:t") this.#inText = true;
    else if (name === "w:tab" || name === "w:cr") this.#text += " ";
    else if (name === "w:noBreakHyphen") this.#text += "-";
    else if (name === "w:br") this.#lineBreak(attributes["w:type"] ?? "");
    else if (name === "w:lastRenderedPageBreak" && this.#rendered) this.#pageBreak();
    else if (name === "w:pStyle") this.#level = this.#headingStyles.get(value) ?? this.#level;
    else if (name === "w:outlineLvl" && /^[0-8]$/.test(value)) this.#level = Number(value) + 1;
    else if (name === "w:numPr") this.#item = true;
    else if (name === "w:pageBreakBefore" && !this.#rendered && value !== "0" && value !== "false")
      this.#pageBreak();
    else if (name === "w:tbl") this.#tables.push({ row: [], cell: "", rows: 0 });
  }

  #close(name: string): void {
    if (SKIPPED.has(name)) this.#skip -= 1;
    if (this.#skip > 0) return;
    const table = this.#tables.at(-1);
    if (name === "w:t") this.#inText = false;
    else if (name === "w:p") this.#endParagraph();
    else if (name === "w:tc" && table) {
      table.row.push(table.cell.trim());
      table.cell = "";
    } else if (name === "w:tr" && table) this.#endRow(table);
    else if (name === "w:tbl") this.#tables.pop();
  }

  #lineBreak(type: string): void {
    if (type !== "page") this.#text += " ";
    else if (!this.#rendered) this.#pageBreak();
  }

  /** What stands before the break inside a paragraph stays on its page. */
  #pageBreak(): void {
    if (this.#tables.length === 0) this.#flushText();
    if (this.#page.empty && this.#pages.length === 0) return;
    this.#pages.push(this.#page.build(this.#pages.length + 1));
    this.#page = new PageBuilder();
  }

  #endParagraph(): void {
    const table = this.#tables.at(-1);
    if (table) {
      table.cell += `${this.#text} `;
      this.#text = "";
    }
    this.#flushText();
    this.#level = undefined;
    this.#item = false;
  }

  #flushText(): void {
    const text = this.#text;
    this.#text = "";
    if (text.trim() === "") return;
    if (this.#level !== undefined) this.#page.heading(this.#level, text);
    else this.#page.line(this.#item ? `- ${text}` : text, { tight: this.#item && this.#lastWasItem });
    this.#lastWasItem = this.#item && this.#level === undefined;
  }

  /** A row of a table inside a cell becomes text of that cell. */
  #endRow(table: { row: string[]; rows: number }): void {
    const outer = this.#tables.at(-2);
    const text = table.row.every((cell) => cell === "") ? "" : table.row.join(" | ");
    table.row = [];
    if (outer) outer.cell += `${text} `;
    else {
      this.#page.line(text, { tight: table.rows > 0 });
      this.#lastWasItem = false;
    }
    table.rows += 1;
  }
}
