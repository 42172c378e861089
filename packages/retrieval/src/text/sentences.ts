/** A piece of a text as UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Words whose full stop does not end a sentence when another word follows. */
const ABBREVIATIONS = new Set(
  (
    "dr mr mrs ms prof sr jr st hon rev gen col capt lt vs cf ca al approx resp incl excl est dept div " +
    "fig figs no nos nr vol vols ch sec art para pp ed eds e.g i.e viz jan feb mar apr jun jul aug sep sept oct nov dec"
  ).split(" "),
);

/** May close a sentence: followed by a capital they do. */
const OPEN_ABBREVIATION = /^(?:[ap]\.m|etc|inc|ltd|co|corp)$/;

// A run of stops is tried from its beginning only: from each of its stops takes quadratic time.
const STOP = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+[”’」』）]*/gu;

/**
 * Sentences of a text, in order, without the space around them. A line break always ends one: parsers
 * keep a paragraph on one line, so a line is a heading, a list item, a table row or a paragraph.
 * Everything that is not white space lies in exactly one span.
 */
export function splitSentences(text: string): readonly Span[] {
  const spans: Span[] = [];
  let lineStart = 0;
  while (lineStart <= text.length) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    splitLine(text.slice(lineStart, lineEnd), lineStart, spans);
    lineStart = lineEnd + 1;
  }
  return spans;
}

function splitLine(line: string, offset: number, spans: Span[]): void {
  let start = 0;
  for (const stop of line.matchAll(STOP)) {
    const end = stop.index + stop[0].length;
    if (end < line.length && !endsSentence(line, start, stop.index, stop[0], end)) continue;
    pushTrimmed(line, start, end, offset, spans);
    start = end;
  }
  pushTrimmed(line, start, line.length, offset, spans);
}

function endsSentence(line: string, start: number, at: number, stop: string, end: number): boolean {
  if (/^[。！？]/u.test(stop)) return true;
  const next = /^\s*["'“‘([]*(\S)/u.exec(line.slice(end, end + 12))?.[1] ?? "";
  if (/\p{Ll}/u.test(next)) return false;
  if (!stop.startsWith(".") || stop.startsWith("..")) return true;
  const word = /[\p{L}\p{N}.]+$/u.exec(line.slice(Math.max(start, at - 24), at))?.[0] ?? "";
  if (/^\d{1,3}$/.test(word) && line.slice(start, at).trim() === word) return false;
  if (/^(?:\p{Lu}\.)*\p{Lu}$/u.test(word)) return false;
  const lower = word.toLowerCase();
  return OPEN_ABBREVIATION.test(lower) || !ABBREVIATIONS.has(lower);
}

function pushTrimmed(line: string, from: number, to: number, offset: number, spans: Span[]): void {
  let start = from;
  let end = to;
  while (start < end && isSpace(line, start)) start += 1;
  while (end > start && isSpace(line, end - 1)) end -= 1;
  if (end > start) spans.push({ start: offset + start, end: offset + end });
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}
