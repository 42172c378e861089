import type { Heading, ParsedPage } from "./parsed-document.ts";

/** Collects the lines of one page, so that heading offsets are right by construction. */
export class PageBuilder {
  readonly #lines: string[] = [];
  readonly #headings: Heading[] = [];
  #length = 0;
  #hidden = 0;

  /** A paragraph, row or list item; line breaks inside become spaces. Blank text is left out. */
  line(text: string, options: { readonly tight?: boolean } = {}): void {
    const clean = oneLine(text);
    if (clean === "") return;
    if (this.#lines.length > 0 && options.tight !== true) this.#push("");
    this.#push(clean);
  }

  heading(level: number, text: string): void {
    const clean = oneLine(text);
    if (clean === "") return;
    if (this.#lines.length > 0) this.#push("");
    this.#headings.push({ level, text: clean, start: this.#length });
    this.#push(clean);
  }

  /** Counts characters of text that readers of the page do not see. */
  hide(characters: number): void {
    this.#hidden += characters;
  }

  get empty(): boolean {
    return this.#lines.length === 0;
  }

  build(number: number, label?: string): ParsedPage {
    return {
      number,
      ...(label === undefined || label === String(number) ? {} : { label }),
      text: this.#lines.join("\n"),
      headings: this.#headings,
      ...(this.#hidden === 0 ? {} : { hidden: this.#hidden }),
    };
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }
}

/** Soft hyphens, zero-width spaces, and the tags and variation selectors in which text can be smuggled. */
const INVISIBLE = /[\u00AD\u180E\u200B\u2060-\u2064\u206A-\u206F\uFEFF\u{E0000}-\u{E01EF}]/gu;

/** One line without control characters; what a document's author put in is never markup for us. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(INVISIBLE, "")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .trim();
}
