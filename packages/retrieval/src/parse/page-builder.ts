import type { Heading, ParsedPage } from "./parsed-document.ts";

/** Collects the lines of one page, so that heading offsets are right by construction. */
export class PageBuilder {
  readonly #lines: string[] = [];
  readonly #headings: Heading[] = [];
  #length = 0;

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

  get empty(): boolean {
    return this.#lines.length === 0;
  }

  build(number: number, label?: string): ParsedPage {
    return {
      number,
      ...(label === undefined || label === String(number) ? {} : { label }),
      text: this.#lines.join("\n"),
      headings: this.#headings,
    };
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }
}

/** One line without control characters; what a document's author put in is never markup for us. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\u00AD\u200B\uFEFF]/g, "")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .trim();
}
