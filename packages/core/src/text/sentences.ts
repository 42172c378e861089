/** A piece of a text as UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Words whose full stop does not end a sentence when another word follows. */
const ABBREVIATIONS = new Set(
  (
    "dr mr mrs ms prof sr jr st hon rev gen col capt lt vs cf ca al approx resp incl excl est dept div " +
    "fig figs no nos nr vol vols ch sec art para pp ed eds e.g i.e viz jan feb mar apr jun jul aug sep sept oct nov dec " +
    "abs bspw bzgl bzw dez dipl einschl evtl ggf ing inkl mrz mär okt sog tel vgl zzgl zzt"
  ).split(" "),
);

/** What may close a sentence too, and does before a word that opens one: "12,4 Mio. Euro", "8,2 Mio. Der Rest". */
const CLOSING_ABBREVIATION = /^(?:mio|mrd|tsd|std|stk|usw|\p{L}*str)$/u;
/** English writes what follows these small, unless it is a currency. */
const SCALE = /^(?:bn|mn)$/;
const CURRENCY = /^(?:\p{Lu}{3}|Euros?|Dollars?|Pounds?|Franken|Kron(?:a|or|er))$/u;
/** Words that are written with a capital at the beginning of a sentence only, in German too. */
const OPENING = new Set(
  (
    "der die das den dem des ein eine einem einen einer wir sie er es ich man ihr ihre unser unsere dies diese dieser " +
    "dieses alle jede jeder jedes kein keine ab am an auf aus bei bis durch für im in mit nach seit über um unter vom " +
    "von vor zu zum zur als auch da dabei dafür daher damit davon dazu dort hier nur so wenn weil " +
    "the a we it they he she i you this that these those its their our his her all each every both no one at by for " +
    "from on to with after before since there if when while as but and or also however"
  ).split(" "),
);
/** Before a day or an ordinal: "am 1. Juli", "im 3. Quartal". */
const BEFORE_ORDINAL = /^(?:ab|am|bis|das|dem|den|der|des|die|im|ins|seit|vom|zum|zur)$/;
const MONTH =
  /^(?:januar|jänner|februar|feber|märz|april|mai|juni|juli|august|september|oktober|november|dezember)$/;

/** May close a sentence: followed by a capital they do. */
const OPEN_ABBREVIATION = /^(?:[ap]\.m|etc|inc|ltd|co|corp)$/;

// A run of stops is tried from its beginning only: from each of its stops takes quadratic time.
const STOP = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s|$)|[。｡！？।]+[”’」』）]*/gu;

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
  if (/^[。｡！？।]/u.test(stop)) return true;
  const [, next = "", rest = ""] = /^\s*["'“‘([]*(\S)(\p{L}*)/u.exec(line.slice(end, end + 24)) ?? [];
  if (/\p{Ll}/u.test(next)) return false;
  if (!stop.startsWith(".") || stop.startsWith("..")) return true;
  const [, previous = "", word = ""] =
    /(?:([\p{L}\p{N}.,]+)\s+)?["'“‘(]*([\p{L}\p{N}.]+)$/u.exec(line.slice(Math.max(start, at - 40), at)) ??
    [];
  if (/^\d{1,3}$/.test(word) && line.slice(start, at).trim() === word) return false;
  return wordEnds(word, previous, next + rest);
}

/** Whether a full stop behind a word ends the sentence, where the next word has a capital. */
function wordEnds(word: string, previous: string, next: string): boolean {
  const lower = word.toLowerCase();
  const opens = OPENING.has(next.toLowerCase());
  if (/^\d{1,2}$/.test(word))
    return opens || !(BEFORE_ORDINAL.test(previous.toLowerCase()) || MONTH.test(next.toLowerCase()));
  if (OPEN_ABBREVIATION.test(lower)) return true;
  if (/^(?:\p{Lu}\.)*\p{Lu}$/u.test(word)) return false;
  // "z. B. Anlage", "d.h. Euro". Of "we chose option a. Next came …" it makes one long sentence, which is
  // true as a quote; the two halves of a cut one are not. Behind a number it is a unit: "12 m. Beams …".
  if (/^(?:\p{L}\.)*\p{L}$/u.test(word)) return opens || /^\d[\d.,]*$/.test(previous);
  if (SCALE.test(lower)) return !CURRENCY.test(next);
  if (CLOSING_ABBREVIATION.test(lower)) return opens;
  return !ABBREVIATIONS.has(lower);
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
