import { BEFORE_FIRST, readBlockLine } from "./blocks.ts";
import { codeRuns } from "./code-spans.ts";

const TOKEN = /\\(?:`+|[^\n])|`+|<!--|\n/g;
/** What may be in front of a comment that starts its line. */
const MARKS = /^[\s>|*+\-\d.)]*$/;

/**
 * Markdown without its HTML comments. In code, fenced, indented or between backticks, they are text. One in
 * the middle of a line ends within its paragraph, or it is text too. Linear in the length of the text.
 */
export function withoutComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  const remover = new CommentRemover(markdown);
  let before = BEFORE_FIRST;
  let block = 0;
  let at = 0;
  while (at <= markdown.length) {
    const newline = markdown.indexOf("\n", at);
    const end = newline === -1 ? markdown.length : newline;
    const line = readBlockLine(markdown.slice(at, end), before);
    if (line.startsBlock) {
      const commentEnd = remover.remove(block, at);
      block = Math.max(at, commentEnd);
      if (commentEnd > at) {
        // What seemed to start a block is in a comment that began before it.
        at = commentEnd;
        continue;
      }
    }
    if (line.isCode) block = end;
    before = line;
    at = end + 1;
    // The last block ends with the text, unless a comment in it begins.
    if (at > markdown.length) remover.remove(block, markdown.length);
  }
  return remover.kept();
}

class CommentRemover {
  readonly #markdown: string;
  #kept = "";
  #from = 0;
  /** Of the end last looked for, so that no part is searched twice. */
  #close = -1;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  /** Removes the comments that begin in a block; returns where the last of them ends, 0 without one. */
  remove(start: number, end: number): number {
    const block = this.#markdown.slice(start, end);
    if (!block.includes("<!--")) return 0;
    const codeEnds = new Map(codeRuns(block).map((run) => [run.start, run.end]));
    let last = 0;
    let lineStart = 0;
    TOKEN.lastIndex = 0;
    for (let token = TOKEN.exec(block); token !== null; token = TOKEN.exec(block)) {
      if (token[0].startsWith("`")) TOKEN.lastIndex = codeEnds.get(token.index) ?? TOKEN.lastIndex;
      if (token[0] === "\n") lineStart = TOKEN.lastIndex;
      if (token[0] !== "<!--") continue;
      const commentEnd = this.#endOf(start + token.index);
      const startsLine = (): boolean => MARKS.test(block.slice(lineStart, token.index));
      if (commentEnd === undefined || (commentEnd > end && !startsLine())) continue;
      this.#kept += this.#markdown.slice(this.#from, start + token.index);
      this.#from = last = commentEnd;
      if (commentEnd >= end) break;
      TOKEN.lastIndex = commentEnd - start;
    }
    return last;
  }

  kept(): string {
    return this.#kept + this.#markdown.slice(this.#from);
  }

  #endOf(comment: number): number | undefined {
    // `<!-->` is a comment as well.
    if (this.#close < comment + 2) {
      const found = this.#markdown.indexOf("-->", comment + 2);
      this.#close = found === -1 ? Infinity : found;
    }
    return this.#close === Infinity ? undefined : this.#close + 3;
  }
}
