import { isOn, isStrike, type DocxStyles } from "./docx-styles.ts";
import { PageBuilder } from "./page-builder.ts";
import type { ParsedPage } from "./parsed-document.ts";
import { readXml } from "./xml.ts";

/** Inside these nothing is text of the document: deleted text, field codes, the copy for old readers, how it was set before. */
const SKIPPED = new Set([
  "w:del",
  "w:moveFrom",
  "w:instrText",
  "w:delText",
  "mc:Fallback",
  "w:sectPr",
  "w:rPrChange",
  "w:pPrChange",
]);

/** A run of text, and whether it is struck out by itself or by its style. */
interface Run {
  own: boolean | undefined;
  style: boolean;
}

interface Table {
  row: string[];
  cell: string;
  rows: number;
  /** The row is a tracked deletion. */
  deleted: boolean;
}

/**
 * Reads `word/document.xml`. Text that is struck out is left out, as `struck-out.ts` says why. Pages come from the breaks Word noted when it last laid the file out, or
 * else from hard page breaks.
 */
export class DocxBody {
  readonly #styles: DocxStyles;
  readonly #rendered: boolean;
  readonly #pages: ParsedPage[] = [];
  #page = new PageBuilder();
  #text = "";
  #level: number | undefined;
  #item = false;
  #lastWasItem = false;
  #skip = 0;
  #inText = false;
  #inRowProperties = false;
  /** By the style of the paragraph. */
  #struck = false;
  /** The innermost last: a text box stands inside a run and has runs of its own. */
  #runs: Run[] = [];
  #tables: Table[] = [];

  constructor(styles: DocxStyles, rendered: boolean) {
    this.#styles = styles;
    this.#rendered = rendered;
  }

  read(xml: string): readonly ParsedPage[] {
    readXml(xml, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => {
        if (this.#inText && this.#skip === 0 && !this.#isStruck()) this.#text += text;
      },
    });
    this.#endParagraph();
    this.#pages.push(this.#page.build(this.#pages.length + 1));
    return this.#pages;
  }

  #open(name: string, attributes: { readonly [name: string]: string }): void {
    if (name === "w:del" && this.#inRowProperties) this.#deleteRow();
    if (SKIPPED.has(name)) this.#skip += 1;
    if (this.#skip > 0) return;
    const value = attributes["w:val"] ?? "";
    if (name === "w:t") this.#inText = true;
    else if (name === "w:tab" || name === "w:cr") this.#text += " ";
    else if (name === "w:noBreakHyphen") this.#text += "-";
    else if (name === "w:br") this.#lineBreak(attributes["w:type"] ?? "");
    else if (name === "w:lastRenderedPageBreak" && this.#rendered) this.#pageBreak();
    else if (name === "w:r") this.#runs.push({ own: undefined, style: false });
    else if (name === "w:rStyle" || isStrike(name)) this.#setRun(name, attributes);
    else if (name === "w:pStyle") this.#setParagraphStyle(value);
    else if (name === "w:outlineLvl" && /^[0-8]$/.test(value)) this.#level = Number(value) + 1;
    else if (name === "w:numPr") this.#item = true;
    else if (name === "w:pageBreakBefore" && !this.#rendered && value !== "0" && value !== "false")
      this.#pageBreak();
    else if (name === "w:tbl") this.#tables.push({ row: [], cell: "", rows: 0, deleted: false });
    else if (name === "w:trPr") this.#inRowProperties = true;
  }

  #setParagraphStyle(style: string): void {
    this.#level = this.#styles.headings.get(style) ?? this.#level;
    this.#struck = this.#styles.struck.get(style) ?? false;
  }

  /** Outside a run it is the mark at the end of a paragraph that is set so. */
  #setRun(name: string, attributes: { readonly [name: string]: string }): void {
    const run = this.#runs.at(-1);
    if (run === undefined) return;
    if (name === "w:rStyle") run.style = this.#styles.struck.get(attributes["w:val"] ?? "") ?? false;
    else run.own = isOn(attributes) || run.own === true;
  }

  #isStruck(): boolean {
    const run = this.#runs.at(-1);
    return run?.own ?? (run?.style === true || this.#struck);
  }

  #deleteRow(): void {
    const table = this.#tables.at(-1);
    if (table) table.deleted = true;
  }

  #close(name: string): void {
    if (SKIPPED.has(name)) this.#skip -= 1;
    if (this.#skip > 0) return;
    const table = this.#tables.at(-1);
    if (name === "w:t") this.#inText = false;
    else if (name === "w:r") this.#runs.pop();
    else if (name === "w:trPr") this.#inRowProperties = false;
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
    this.#struck = false;
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
  #endRow(table: Table): void {
    const outer = this.#tables.at(-2);
    const empty = table.deleted || table.row.every((cell) => cell === "");
    const text = empty ? "" : table.row.join(" | ");
    table.row = [];
    table.deleted = false;
    if (outer) outer.cell += `${text} `;
    else {
      this.#page.line(text, { tight: table.rows > 0 });
      this.#lastWasItem = false;
    }
    table.rows += 1;
  }
}
