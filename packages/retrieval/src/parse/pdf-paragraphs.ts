import { PageBuilder } from "./page-builder.ts";
import type { ParsedPage } from "./parsed-document.ts";
import type { TextLine } from "./pdf-lines.ts";

/** What holds for the whole document and is needed to read one page of it. */
export interface TextStyle {
  /** Font size of most of the text. */
  readonly bodySize: number;
  /** Larger sizes, largest first; the place in the list is the heading's level. */
  readonly headingSizes: readonly number[];
  /** Every word in lower case, to tell a broken word from a hyphenated one. */
  readonly vocabulary: ReadonlySet<string>;
  /** So many lines end in a hyphen that whoever set the text broke words. */
  readonly breaksWords: boolean;
}

/** Text that is set without breaking words still ends about one line in a hundred at a hyphen it has anyway. */
const BROKEN_LINES = 0.03;

const BULLET = /^(?:[•●▪◦‣·–—*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+/;
const NUMBERED_HEADING = /^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+\p{Lu}[^.!?|]{2,70}$/u;

export function measureStyle(pages: readonly (readonly TextLine[])[]): TextStyle {
  const weight = new Map<number, number>();
  const vocabulary = new Set<string>();
  for (const line of pages.flat()) {
    const size = roundSize(line.size);
    weight.set(size, (weight.get(size) ?? 0) + line.text.length);
    for (const word of line.text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*(?!-$)(?![\p{L}\p{N}])/gu) ?? [])
      vocabulary.add(word);
  }
  const broken = pages.flat().filter((line) => /\p{Ll}-$/u.test(line.text)).length;
  const bodySize = [...weight].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
  const headingSizes = [...weight.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a);
  const breaksWords = broken > BROKEN_LINES * pages.flat().length;
  return { bodySize, headingSizes, vocabulary, breaksWords };
}

/** Joins the lines of a page to paragraphs, rows, items and headings. */
export function toPage(
  lines: readonly TextLine[],
  style: TextStyle,
  number: number,
  label: string | undefined,
): ParsedPage {
  const page = new PageBuilder();
  const gap = typicalGap(lines);
  const rightEdge = Math.max(0, ...lines.map((line) => line.right));
  let open: { text: string; last: TextLine; tight: boolean } | undefined;
  let lastRow: TextLine | undefined;

  const flush = (): void => {
    if (open) page.line(open.text, { tight: open.tight });
    open = undefined;
  };

  for (const [at, line] of lines.entries()) {
    const level = headingLevel(line, style, lines[at - 1], gap);
    if (level !== undefined) {
      flush();
      page.heading(Math.min(level, 6), line.text);
      lastRow = undefined;
    } else if (line.cells > 1) {
      flush();
      page.line(line.text, { tight: lastRow !== undefined });
      lastRow = line;
    } else if (open && continues(open.last, line, gap, rightEdge)) {
      open.text = joinLines(open.text, line.text, style);
      open.last = line;
    } else {
      const tight = open !== undefined && BULLET.test(line.text) && BULLET.test(open.text);
      flush();
      open = { text: line.text, last: line, tight };
      lastRow = undefined;
    }
  }
  flush();
  return page.build(number, label);
}

function headingLevel(
  line: TextLine,
  style: TextStyle,
  before: TextLine | undefined,
  gap: number,
): number | undefined {
  if (line.cells > 1 || line.text.length > 120 || !/\p{L}/u.test(line.text)) return undefined;
  const size = roundSize(line.size);
  const place = style.headingSizes.indexOf(size);
  if (place >= 0 && !/[.,;]$/.test(line.text)) return place + 1;
  const apart = before === undefined || before.y - line.y > gap * 1.25;
  if (place < 0 && apart && NUMBERED_HEADING.test(line.text))
    return (
      style.headingSizes.length +
      1 +
      (/^[\d.]+/.exec(line.text)?.[0].split(".").filter(Boolean).length ?? 1) -
      1
    );
  return undefined;
}

function continues(last: TextLine, line: TextLine, gap: number, rightEdge: number): boolean {
  if (BULLET.test(line.text) || Math.abs(last.size - line.size) > 1) return false;
  const drop = last.y - line.y;
  const unfinished = !/[.!?:;]["'”’)]*$/.test(last.text);
  if (drop <= 0) return unfinished && /^\p{Ll}/u.test(line.text);
  if (drop > gap * 1.3) return false;
  const short = last.right < rightEdge - 0.25 * (rightEdge - last.x);
  return !(short && (!unfinished || /^\p{Lu}/u.test(line.text)));
}

/**
 * A word broken at the line's end is mended. What the document has elsewhere decides whether it
 * loses its hyphen (`deci-sion`, `long-term`); without such evidence, whether its setter breaks words.
 */
function joinLines(text: string, next: string, { vocabulary, breaksWords }: TextStyle): string {
  const head = /[\p{L}\p{N}-]*[\p{L}\p{N}](?=-$)/u.exec(text)?.[0].toLowerCase();
  const tail = /^[\p{L}\p{N}][\p{L}\p{N}-]*/u.exec(next)?.[0].toLowerCase();
  if (head === undefined || tail === undefined) return `${text} ${next}`;
  const broken = /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next);
  const wordsOfItsOwn = vocabulary.has(head) && vocabulary.has(tail);
  const compound =
    vocabulary.has(`${head}-${tail}`) || (!vocabulary.has(head + tail) && (wordsOfItsOwn || !breaksWords));
  return broken && !compound ? text.slice(0, -1) + next : text + next;
}

/** The distance between two lines of one paragraph: the most frequent one, not the average. */
function typicalGap(lines: readonly TextLine[]): number {
  const counts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const drop = before === undefined ? 0 : Math.round((before.y - line.y) * 2) / 2;
    if (before !== undefined && drop > 0 && drop < 4 * line.size)
      counts.set(drop, (counts.get(drop) ?? 0) + 1);
  }
  const best = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  return best ?? (lines[0]?.size ?? 10) * 1.3;
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}
