import { PageBuilder } from "./page-builder.ts";
import type { ParsedPage } from "./parsed-document.ts";
import type { TextLine } from "./pdf-text.ts";

/** What holds for the whole document and is needed to read one page of it. */
export interface TextStyle {
  /** Font size of most of the text. */
  readonly bodySize: number;
  /** Larger sizes, largest first; the place in the list is the heading's level. */
  readonly headingSizes: readonly number[];
  /** From one line of a paragraph to the next, in points, where the document has paragraphs. */
  readonly bodyGap: number | undefined;
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
    for (const word of wholeWords(line.text.toLowerCase())) vocabulary.add(word);
  }
  const broken = pages.flat().filter((line) => /\p{Ll}-$/u.test(line.text)).length;
  const bodySize = [...weight].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
  const headingSizes = [...weight.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a);
  const breaksWords = broken > BROKEN_LINES * pages.flat().length;
  const bodyGap = pages.map((lines) => paragraphGaps(lines, bodySize)).flat();
  return { bodySize, headingSizes, bodyGap: mostFrequent(bodyGap), vocabulary, breaksWords };
}

/** Words with the hyphens inside them; of one that the end of the line breaks what stands before its last hyphen. */
function* wholeWords(line: string): Iterable<string> {
  for (const { 0: word, index } of line.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)) {
    const isBroken = line.endsWith("-") && index + word.length === line.length - 1;
    const whole = isBroken ? word.slice(0, Math.max(0, word.lastIndexOf("-"))) : word;
    if (whole !== "") yield whole;
  }
}

/** Joins the lines of a page to paragraphs, rows, items and headings. */
export function toPage(
  lines: readonly TextLine[],
  style: TextStyle,
  number: number,
  label: string | undefined,
): ParsedPage {
  const page = new PageBuilder();
  const gap = style.bodyGap ?? typicalGap(lines);
  const rightEdge = Math.max(0, ...lines.map((line) => line.right));
  // In pieces: only the last one says how the next is joined, and a long paragraph is put together once.
  let open: { pieces: string[]; last: TextLine; tight: boolean } | undefined;
  let lastRow: TextLine | undefined;
  let title: { text: string; last: TextLine; level: number } | undefined;

  const flush = (): void => {
    if (title) page.heading(Math.min(title.level, 6), title.text);
    if (open) page.line(open.pieces.join(""), { tight: open.tight });
    title = undefined;
    open = undefined;
  };

  for (const [at, line] of lines.entries()) {
    const level = headingLevel(line, style, lines[at - 1], lines[at + 1], gap);
    if (level !== undefined && title?.level === level && isWrapped(title.last, line)) {
      title = { text: `${title.text} ${line.text}`, last: line, level };
    } else if (level !== undefined) {
      flush();
      title = { text: line.text, last: line, level };
      lastRow = undefined;
    } else if (line.cells > 1) {
      flush();
      page.line(line.text, { tight: lastRow !== undefined });
      lastRow = line;
    } else if (open && continues(open.last, line, gap, rightEdge)) {
      open.pieces.push(...joinLines(open.pieces.pop() ?? "", line.text, style));
      open.last = line;
    } else {
      const tight = open !== undefined && BULLET.test(line.text) && BULLET.test(open.pieces[0] ?? "");
      flush();
      open = { pieces: [line.text], last: line, tight };
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
  after: TextLine | undefined,
  gap: number,
): number | undefined {
  if (line.cells > 1 || line.text.length > 120 || !/\p{L}/u.test(line.text)) return undefined;
  const size = roundSize(line.size);
  const place = style.headingSizes.indexOf(size);
  if (place >= 0 && !/[.,;]$/.test(line.text)) return place + 1;
  const apart = [before, after].every(
    (other) => other === undefined || Math.abs(other.y - line.y) > gap * 1.25,
  );
  if (place < 0 && apart && NUMBERED_HEADING.test(line.text))
    return (
      style.headingSizes.length +
      1 +
      (/^[\d.]+/.exec(line.text)?.[0].split(".").filter(Boolean).length ?? 1) -
      1
    );
  return undefined;
}

/** A heading that goes on in the next line, close below. */
function isWrapped(last: TextLine, line: TextLine): boolean {
  const drop = last.y - line.y;
  return drop > 0 && drop < 1.6 * line.size && !NUMBERED_HEADING.test(line.text);
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
 * Two lines as they stand one after the other. A word broken at the line's end is mended. What the
 * document has elsewhere decides whether it loses its hyphen (`deci-sion`, `long-term`); without such
 * evidence, whether its setter breaks words.
 */
function joinLines(line: string, next: string, style: TextStyle): readonly [string, string] {
  const { vocabulary, breaksWords } = style;
  const end = line.slice(-MOST_WORD);
  const head = line.endsWith("-") ? /[\p{L}\p{N}][\p{L}\p{N}-]*$/u.exec(end)?.[0].slice(0, -1) : undefined;
  const tail = /^[\p{L}\p{N}][\p{L}\p{N}-]*/u.exec(next.slice(0, MOST_WORD))?.[0].toLowerCase();
  if (head === undefined || head.endsWith("-") || tail === undefined) return [`${line} `, next];
  const first = head.toLowerCase();
  const broken = /\p{Ll}-$/u.test(end) && /^\p{Ll}/u.test(next);
  const wordsOfItsOwn = vocabulary.has(first) && vocabulary.has(tail);
  const compound =
    vocabulary.has(`${first}-${tail}`) || (!vocabulary.has(first + tail) && (wordsOfItsOwn || !breaksWords));
  return [broken && !compound ? line.slice(0, -1) : line, next];
}

/** Characters of the longest word that is mended; without an end, a line of nothing else is searched for long. */
const MOST_WORD = 100;

/** Distances between neighbouring lines of running text, table rows left out. */
function paragraphGaps(lines: readonly TextLine[], bodySize: number): readonly number[] {
  return lines.flatMap((line, at) => {
    const before = lines[at - 1];
    if (!before || line.cells > 1 || before.cells > 1 || Math.abs(line.x - before.x) > 2) return [];
    if (roundSize(line.size) !== bodySize || roundSize(before.size) !== bodySize) return [];
    const drop = Math.round((before.y - line.y) * 2) / 2;
    return drop > 0.9 * bodySize && drop < 2.2 * bodySize ? [drop] : [];
  });
}

/** For a page of a document that has hardly any running text. */
function typicalGap(lines: readonly TextLine[]): number {
  const drops = lines.flatMap((line, at) => {
    const drop = Math.round(((lines[at - 1]?.y ?? line.y) - line.y) * 2) / 2;
    return drop > 0 && drop < 4 * line.size ? [drop] : [];
  });
  return mostFrequent(drops) ?? (lines[0]?.size ?? 10) * 1.3;
}

/** The smallest of those that come most often. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}
