import { isColored, isOn, isStrike, type DocxStyles } from "./docx-styles.ts";
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

/** Elements with paragraphs of their own beside those of the body. */
const STORIES = new Set(["w:txbxContent", "w:footnote", "w:endnote", "w:hdr", "w:ftr"]);

const RUN_PROPERTIES = new Set([
  "w:rStyle",
  "w:strike",
  "w:dstrike",
  "w:vanish",
  "w:color",
  "w:sz",
  "w:shd",
  "w:highlight",
]);
/** In half points. */
const MAX_TINY_SIZE = 2;

/** Text of a note, header or footer. */
export interface DocxStory {
  readonly text: string;
  /** Characters of hidden text that were left out. */
  readonly hidden: number;
}

/** The other parts of a document by the id with which its body refers to them; one part gives the same object. */
export interface DocxParts {
  note(kind: "footnotes" | "endnotes", id: string): DocxStory | undefined;
  /** A header or footer. */
  margin(id: string): DocxStory | undefined;
}

/** A run of text, and whether it is struck out or hidden by itself or by its style. */
interface Run {
  struck: boolean | undefined;
  struckStyle: boolean;
  hidden: boolean | undefined;
  hiddenStyle: boolean;
  white: boolean;
  shaded: boolean;
  tiny: boolean;
}

interface Table {
  row: string[];
  cell: string;
  rows: number;
  /** The row is a tracked deletion. */
  deleted: boolean;
}

interface Line {
  readonly text: string;
  /** Without an empty line above. */
  readonly tight: boolean;
}

/** The body, or an element of `STORIES`: what is open in it. */
interface Story {
  readonly kind: string;
  /** Of a note, the id with which the body refers to it. */
  readonly id: string;
  /** Its lines; those of the body go to its page. */
  readonly lines: Line[];
  text: string;
  level: number | undefined;
  item: boolean;
  lastWasItem: boolean;
  /** By the style of the paragraph. */
  struck: boolean;
  hidden: boolean;
  /** The paragraph has a background. */
  shaded: boolean;
  /** The innermost last. */
  readonly runs: Run[];
  readonly tables: Table[];
  /** Text boxes that are anchored in the open paragraph. */
  boxes: Line[];
  /** Notes whose reference was read and that come after the open paragraph or table. */
  notes: Line[];
  endsSection: boolean;
}

/**
 * Reads `word/document.xml`, and the paragraphs of its other parts. Text that is struck out is left out, as
 * `struck-out.ts` says why. Pages come from the breaks Word noted when it last laid the file out, or else
 * from hard page breaks. Text boxes and notes follow the paragraph they belong to, headers and footers the
 * section that has them.
 */
export class DocxBody {
  readonly #styles: DocxStyles;
  readonly #rendered: boolean;
  readonly #parts: DocxParts | undefined;
  readonly #pages: ParsedPage[] = [];
  readonly #stories: Story[] = [newStory("body", "")];
  /** Texts of notes, headers and footers that ended, by their id. */
  readonly #storyTexts = new Map<string, DocxStory>();
  /** Characters of hidden text in the note, header or footer that is open. */
  #hiddenInStory = 0;
  #page = new PageBuilder();
  #skip = 0;
  #inText = false;
  #coloredPage = false;
  #inRowProperties = false;
  #inParagraphProperties = false;
  #noteCount = { footnotes: 0, endnotes: 0 };
  /** Headers and footers of the open section. */
  #margins: Line[] = [];
  readonly #writtenMargins = new Set<string | DocxStory>();
  readonly #writtenNotes = new Set<DocxStory>();

  /** @param parts left out where a part itself is read */
  constructor(styles: DocxStyles, rendered: boolean, parts?: DocxParts) {
    this.#styles = styles;
    this.#rendered = rendered;
    this.#parts = parts;
  }

  read(xml: string): readonly ParsedPage[] {
    this.#readXml(xml);
    this.#endParagraph();
    this.#writeMargins();
    this.#pages.push(this.#page.build(this.#pages.length + 1));
    return this.#pages;
  }

  /** Texts of a part: of each note by its id, or of the whole header or footer under "". */
  readStories(xml: string): ReadonlyMap<string, DocxStory> {
    this.#readXml(xml);
    return this.#storyTexts;
  }

  #readXml(xml: string): void {
    readXml(xml, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => {
        if (!this.#inText || this.#skip > 0 || this.#isStruck()) return;
        if (!this.#isHidden()) this.#story.text += text;
        else if (this.#stories.length > 1 && this.#parts === undefined)
          this.#hiddenInStory += text.trim().length;
        else this.#page.hide(text.trim().length);
      },
    });
  }

  get #story(): Story {
    const story = this.#stories.at(-1);
    if (!story) throw new Error("The body of a document was closed twice.");
    return story;
  }

  #open(name: string, attributes: { readonly [name: string]: string }): void {
    if (name === "w:del" && this.#inRowProperties) this.#deleteRow();
    if (name === "w:headerReference" || name === "w:footerReference") this.#addMargin(name, attributes);
    if (SKIPPED.has(name)) this.#skip += 1;
    if (this.#skip > 0) return;
    const value = attributes["w:val"] ?? "";
    const story = this.#story;
    if (name === "w:t") this.#inText = true;
    else if (name === "w:tab" || name === "w:cr") story.text += " ";
    else if (name === "w:noBreakHyphen") story.text += "-";
    else if (name === "w:br") this.#lineBreak(attributes["w:type"] ?? "");
    else if (name === "w:lastRenderedPageBreak" && this.#rendered) this.#pageBreak();
    else if (name === "w:r") story.runs.push(newRun());
    else if (RUN_PROPERTIES.has(name)) this.#setRun(name, attributes);
    else if (name === "w:pPr") this.#inParagraphProperties = true;
    else if (name === "w:pStyle") this.#setParagraphStyle(value);
    else if (name === "w:outlineLvl" && /^[0-8]$/.test(value)) story.level = Number(value) + 1;
    else if (name === "w:numPr") story.item = true;
    else if (name === "w:pageBreakBefore" && !this.#rendered && value !== "0" && value !== "false")
      this.#pageBreak();
    else if (name === "w:tbl") story.tables.push({ row: [], cell: "", rows: 0, deleted: false });
    else if (name === "w:trPr") this.#inRowProperties = true;
    else if (name === "w:background") this.#coloredPage = true;
    else if (name === "w:footnoteReference") this.#addNote("footnotes", attributes["w:id"] ?? "");
    else if (name === "w:endnoteReference") this.#addNote("endnotes", attributes["w:id"] ?? "");
    else if (STORIES.has(name)) this.#stories.push(newStory(name, attributes["w:id"] ?? ""));
  }

  #setParagraphStyle(style: string): void {
    const story = this.#story;
    story.level = this.#styles.headings.get(style) ?? story.level;
    story.struck = this.#styles.struck.get(style) ?? false;
    story.hidden = this.#styles.hidden.get(style) ?? false;
    story.shaded = this.#styles.shaded.get(style) ?? false;
  }

  /** Outside a run it is the mark at the end of a paragraph that is set so. */
  #setRun(name: string, attributes: { readonly [name: string]: string }): void {
    const run = this.#story.runs.at(-1);
    if (run === undefined) {
      if (name === "w:shd") this.#story.shaded ||= isColored(attributes);
      return;
    }
    const value = attributes["w:val"] ?? "";
    if (name === "w:rStyle") {
      run.struckStyle = this.#styles.struck.get(value) ?? false;
      run.hiddenStyle = this.#styles.hidden.get(value) ?? false;
      run.shaded ||= this.#styles.shaded.get(value) ?? false;
    } else if (isStrike(name)) run.struck = isOn(attributes) || run.struck === true;
    else if (name === "w:vanish") run.hidden = isOn(attributes);
    else if (name === "w:color") run.white = /^f{6}$/i.test(value);
    else if (name === "w:sz") run.tiny = value !== "" && Number(value) <= MAX_TINY_SIZE;
    else run.shaded ||= name === "w:highlight" || isColored(attributes);
  }

  #isStruck(): boolean {
    const story = this.#story;
    const run = story.runs.at(-1);
    return run?.struck ?? (run?.struckStyle === true || story.struck);
  }

  /** White text is hidden on the white of the page only; tables, text boxes and shading may have a colour. */
  #isHidden(): boolean {
    const story = this.#story;
    const run = story.runs.at(-1);
    if (run === undefined) return false;
    if (run.hidden ?? (run.hiddenStyle || story.hidden)) return true;
    const onPage = !run.shaded && !story.shaded && !this.#coloredPage && story.kind !== "w:txbxContent";
    return run.tiny || (run.white && onPage && story.tables.length === 0);
  }

  #deleteRow(): void {
    const table = this.#story.tables.at(-1);
    if (table) table.deleted = true;
  }

  #addNote(kind: "footnotes" | "endnotes", id: string): void {
    if (this.#isStruck()) return;
    this.#noteCount[kind] += 1;
    const note = this.#parts?.note(kind, id);
    // One that is referred to again is not repeated.
    if (note === undefined || this.#writtenNotes.has(note)) return;
    this.#writtenNotes.add(note);
    this.#page.hide(note.hidden);
    const label = kind === "footnotes" ? "Footnote" : "Endnote";
    if (note.text !== "")
      this.#story.notes.push({ text: `${label} ${this.#noteCount[kind]}: ${note.text}`, tight: false });
  }

  /** One that says the same as an earlier one, or only a page number, is left out. */
  #addMargin(name: string, attributes: { readonly [name: string]: string }): void {
    const margin = this.#parts?.margin(attributes["r:id"] ?? "");
    if (margin === undefined || this.#writtenMargins.has(margin)) return;
    this.#writtenMargins.add(margin);
    this.#page.hide(margin.hidden);
    const text = `${name === "w:headerReference" ? "Header" : "Footer"}: ${margin.text}`;
    if (this.#writtenMargins.has(text) || !/: .*\p{L}/u.test(text)) return;
    this.#writtenMargins.add(text);
    this.#margins.push({ text, tight: false });
  }

  #close(name: string): void {
    if (name === "w:sectPr" && this.#skip === 1) this.#endSection();
    if (SKIPPED.has(name)) this.#skip -= 1;
    if (this.#skip > 0) return;
    const story = this.#story;
    const table = story.tables.at(-1);
    if (name === "w:t") this.#inText = false;
    else if (name === "w:r") story.runs.pop();
    else if (name === "w:pPr") this.#inParagraphProperties = false;
    else if (name === "w:trPr") this.#inRowProperties = false;
    else if (name === "w:p") this.#endParagraph();
    else if (name === "w:tc" && table) {
      table.row.push(table.cell.trim());
      table.cell = "";
    } else if (name === "w:tr" && table) this.#endRow(table);
    else if (name === "w:tbl") {
      story.tables.pop();
      this.#writeNotes();
    } else if (STORIES.has(name)) this.#endStory();
  }

  #endStory(): void {
    const story = this.#stories.pop();
    if (!story) return;
    if (story.kind === "w:txbxContent") this.#story.boxes.push(...story.lines);
    else {
      const text = story.lines.map((line) => line.text.trim()).join(" ");
      this.#storyTexts.set(story.id, { text, hidden: this.#hiddenInStory });
      this.#hiddenInStory = 0;
    }
  }

  /** Properties in a paragraph are of the section that ends with it, those of the body of the last one. */
  #endSection(): void {
    if (this.#inParagraphProperties) this.#story.endsSection = true;
    else this.#writeMargins();
  }

  #lineBreak(type: string): void {
    if (type !== "page") this.#story.text += " ";
    else if (!this.#rendered) this.#pageBreak();
  }

  /** What stands before the break inside a paragraph stays on its page. */
  #pageBreak(): void {
    if (this.#stories.length > 1) return;
    if (this.#story.tables.length === 0) {
      this.#flushText();
      this.#writeNotes();
    }
    if (this.#page.empty && this.#pages.length === 0) return;
    this.#pages.push(this.#page.build(this.#pages.length + 1));
    this.#page = new PageBuilder();
  }

  #endParagraph(): void {
    const story = this.#story;
    const table = story.tables.at(-1);
    const { boxes } = story;
    story.boxes = [];
    if (table) {
      table.cell += [story.text, ...boxes.map(({ text }) => text), ""].join(" ");
      story.text = "";
    } else {
      this.#flushText();
      for (const box of boxes) this.#write(box);
      if (boxes.length > 0) story.lastWasItem = false;
      this.#writeNotes();
    }
    if (story.endsSection) this.#writeMargins();
    story.endsSection = false;
    story.level = undefined;
    story.struck = false;
    story.hidden = false;
    story.shaded = false;
    story.item = false;
  }

  #flushText(): void {
    const story = this.#story;
    const { text, item, level } = story;
    story.text = "";
    if (text.trim() === "") return;
    if (level !== undefined && story.kind === "body") this.#page.heading(level, text);
    else this.#write({ text: item ? `- ${text}` : text, tight: item && story.lastWasItem });
    story.lastWasItem = item && level === undefined;
  }

  #writeNotes(): void {
    const story = this.#story;
    if (story.tables.length > 0 || story.notes.length === 0) return;
    for (const note of story.notes) this.#write(note);
    story.notes = [];
    story.lastWasItem = false;
  }

  #writeMargins(): void {
    for (const margin of this.#margins) this.#write(margin);
    this.#margins = [];
  }

  #write(line: Line): void {
    if (this.#stories.length > 1) this.#story.lines.push(line);
    else this.#page.line(line.text, { tight: line.tight });
  }

  /** A row of a table inside a cell becomes text of that cell. */
  #endRow(table: Table): void {
    const outer = this.#story.tables.at(-2);
    const empty = table.deleted || table.row.every((cell) => cell === "");
    const text = empty ? "" : table.row.join(" | ");
    table.row = [];
    table.deleted = false;
    if (outer) outer.cell += `${text} `;
    else {
      this.#write({ text, tight: table.rows > 0 });
      this.#story.lastWasItem = false;
    }
    table.rows += 1;
  }
}

const newRun = (): Run => ({
  struck: undefined,
  struckStyle: false,
  hidden: undefined,
  hiddenStyle: false,
  white: false,
  shaded: false,
  tiny: false,
});

function newStory(kind: string, id: string): Story {
  return {
    kind,
    id,
    lines: [],
    text: "",
    level: undefined,
    item: false,
    lastWasItem: false,
    struck: false,
    hidden: false,
    shaded: false,
    runs: [],
    tables: [],
    boxes: [],
    notes: [],
    endsSection: false,
  };
}
