import { findReferences, isSourceId, linesWithoutCode, type Reference } from "@troupe/stream";

import { monthOf } from "./dates.ts";
import { readFacts } from "./facts.ts";
import { blankSpans, fold, withAsciiDigits } from "./fold.ts";
import { quotesOf, type Quote } from "./quotes.ts";
import { scaleOf, unitOf } from "./units.ts";

/** A sentence, heading or table row of an answer. */
export interface Segment {
  readonly kind: "heading" | "head" | "row" | "caption" | "item" | "quote" | "text";
  /** Verbatim from the answer. */
  readonly raw: string;
  /** Without citation marks and emphasis, on one line. */
  readonly text: string;
  /** Ids of the citation marks it contains. */
  readonly marks: readonly string[];
  /** Its marks that match no source. */
  readonly unknown: readonly string[];
  /** Number of its paragraph, list (with its intro) or table (with its caption). */
  readonly block: number;
  /** Number of its line: sentences of one list item share it. */
  readonly line: number;
}

/** Tells the citation marks of an answer from other brackets. */
export interface Sources {
  readonly isKnown: (id: string) => boolean;
  /** Whether brackets, such as `[12]`, are words of a source. */
  readonly isQuoted?: (brackets: string) => boolean;
}

/** Also an id that no tool returns, such as `[S99]`. */
function isId(id: string): boolean {
  return isSourceId(id) || (/^[A-Za-z][\w./:-]{0,63}$/.test(id) && /\d/.test(id));
}

const CODE_SPAN = /`[^`\n]*`/g;

function referencesIn(text: string, sources: Sources): readonly Reference[] {
  const prose = text.replace(CODE_SPAN, (code) => " ".repeat(code.length));
  return findReferences(prose, { ...sources, isId });
}

/** Ids in citation marks: `[1]`, `[2, 3]`, `[result-1a2b]`. */
export function marksOf(text: string, sources: Sources): readonly string[] {
  return referencesIn(text, sources).flatMap(({ ids }) => ids);
}

/** Text of the same length without citation marks. */
export function withoutMarks(text: string, sources: Sources): string {
  return blankSpans(text, referencesIn(text, sources), " ");
}

/** Text without citation marks and Markdown emphasis, with ASCII digits. Other brackets stay: `[12.4]` is a figure. */
export function plainText(text: string, sources: Sources): string {
  const plain = withoutMarks(text, sources)
    .replace(CODE_SPAN, (code) => code.replace(/(?<=[\p{L}\p{N}_)\]])\[\d{1,3}\]/gu, ""))
    .replace(/\[([^[\]\n]{1,200})\]\([^()\s]{1,500}\)/g, "$1")
    .replace(/\*\*|__|`|<\/?[a-z]{1,10}>/g, "")
    .replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|$|[.,;:!?])/g, "$1")
    // The unit of `[12.4] million` is behind the brackets.
    .replace(/\[(\d[\d.,]{0,30})\](?=\s?[\p{L}%])/gu, " $1 ");
  return withAsciiDigits(plain);
}

/** A caption under a table has marks and few other letters. */
const MAX_CAPTION_LETTERS = 25;
const LIST_ITEM = /^(?:[-*•]|\d{1,3}[.)])\s+/;
/** A line that was wrapped by hand is about this long. */
const MIN_WRAPPED_LINE = 50;

type LineKind = "row" | "item" | "quote" | "text";

interface Cursor {
  readonly segments: Segment[];
  readonly sources: Sources;
  block: number;
  line: number;
  previous: LineKind | "row-gap" | "";
}

/** Splits an answer in Markdown into sentences, with the marks of each. Code blocks are left out. */
export function readSegments(answer: string, sources: Sources): readonly Segment[] {
  const lines = joinWrappedLines(linesWithoutCode(answer));
  const cursor: Cursor = { segments: [], sources, block: 0, line: 0, previous: "" };
  for (const [index, line] of lines.entries()) addLine(cursor, line.trim(), lines[index + 1] ?? "");
  return cursor.segments;
}

/** Lines of one paragraph that was wrapped by hand become one. The text between stays verbatim. */
function joinWrappedLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let parts: string[] = [];
  const flush = (): void => {
    if (parts.length > 0) joined.push(parts.join("\n"));
    parts = [];
  };
  for (const line of lines) {
    const previous = parts.at(-1);
    if (previous === undefined || !continues(previous, line)) flush();
    parts.push(line);
  }
  flush();
  return joined;
}

function continues(previous: string, line: string): boolean {
  const before = previous.trimEnd();
  const next = line.trim();
  if (next === "" || before === "" || !isRunning(next) || /^\s*[|#>]/.test(previous)) return false;
  if (/[.!?:;|\]…]$/.test(before) || / {2}$/.test(previous)) return false;
  return /^\p{Ll}/u.test(next) || before.length >= MIN_WRAPPED_LINE;
}

function isRunning(line: string): boolean {
  return !/^(?:[-*•|#>]|\d{1,3}[.)]\s)/.test(line);
}

function addLine(cursor: Cursor, line: string, next: string): void {
  cursor.line++;
  if (line === "") {
    // An intro such as `By region [1]:` and the list or table below it are one block.
    if (cursor.previous === "text" && isIntro(cursor.segments.at(-1))) return;
    if (cursor.previous !== "row") cursor.block++;
    cursor.previous = cursor.previous === "row" || cursor.previous === "row-gap" ? "row-gap" : "";
  } else if (/^(?:[-*_] {0,3}){3,}$/.test(line) || isDelimiterRow(line)) {
    return;
  } else if (/^#{1,6}\s/.test(line)) {
    cursor.block++;
    push(cursor, "heading", line, line.replace(/^#+\s/, ""));
    cursor.block++;
    cursor.previous = "";
  } else if (line.length > 1 && line.startsWith("|") && line.endsWith("|")) {
    const introduced = cursor.previous === "text" && isIntro(cursor.segments.at(-1));
    if (cursor.previous !== "row" && !introduced) cursor.block++;
    push(cursor, isDelimiterRow(next) ? "head" : "row", line, line);
    cursor.previous = "row";
  } else {
    addProse(cursor, line);
  }
}

/** Whether a line is the one below the header of a Markdown table: dashes, colons and bars alone. */
export function isDelimiterRow(line: string): boolean {
  return /^[-:|\s]{2,2000}$/.test(line) && line.includes("--");
}

function addProse(cursor: Cursor, line: string): void {
  const last = cursor.segments.at(-1);
  const followsTable = cursor.previous === "row" || cursor.previous === "row-gap";
  if (
    last !== undefined &&
    (followsTable ? isCaption(line, cursor.sources) : isSourceLine(line, cursor.sources) && mayCite(last))
  ) {
    // The blank line before it has begun a new block.
    const { block } = cursor;
    push({ ...cursor, block: last.block }, "caption", line, "");
    cursor.block = block + 1;
    cursor.previous = "";
    return;
  }
  if (followsTable) cursor.block++;
  const prefix = (LIST_ITEM.exec(line) ?? /^>\s?/.exec(line))?.[0] ?? "";
  const kind: LineKind = prefix === "" ? "text" : prefix.startsWith(">") ? "quote" : "item";
  const introducesList = kind === "item" && cursor.previous === "text";
  if (kind !== cursor.previous && cursor.previous !== "" && !introducesList) cursor.block++;
  for (const sentence of splitSentences(line.slice(prefix.length)))
    push(cursor, kind, sentence, sentence.replace(BOLD_LEAD, "$1: "));
  cursor.previous = kind;
}

function isIntro(segment: Segment | undefined): boolean {
  return segment?.kind === "text" && /:\s*$/.test(segment.text);
}

/** A line of marks and few other letters, below a table. One with a figure or date is a claim, as is the item of a list. */
function isCaption(line: string, sources: Sources): boolean {
  if (marksOf(line, sources).length === 0 || LIST_ITEM.test(line)) return false;
  const text = plainText(line, sources);
  if (text.replace(/[^\p{L}]/gu, "").length >= MAX_CAPTION_LETTERS) return false;
  const { figures, dates, times, multiples } = readFacts(text);
  return figures.length + dates.length + times.length + multiples.length === 0;
}

/** A line of marks alone, such as `[1][2]` or `Source: [1]`. */
function isSourceLine(line: string, sources: Sources): boolean {
  const rest = plainText(line, sources).trim();
  return marksOf(line, sources).length > 0 && /^\(?(?:\p{L}[\p{L} ]{0,30}\s?:)?[\s,;.)]*$/u.test(rest);
}

/** The list or paragraph before a line of marks belongs to it where it has none of its own. */
function mayCite({ kind, marks }: Segment): boolean {
  return marks.length === 0 && (kind === "item" || kind === "text" || kind === "quote");
}

const BOLD_LEAD = /^\*\*([^*\n]{1,80})[.:]\*\*\s+/;

function push(
  { segments, sources, block, line }: Cursor,
  kind: Segment["kind"],
  raw: string,
  text: string,
): void {
  const plain = plainText(text, sources);
  const marks = marksOf(raw, sources);
  segments.push({
    kind,
    raw: raw.trim(),
    text: kind === "row" || kind === "head" ? plain : plain.replace(/\s+/g, " ").trim(),
    marks,
    unknown: marks.filter((id) => !sources.isKnown(id)),
    block,
    line,
  });
}

/** The end of a sentence, with the marks that follow the full stop: they belong to it. */
const SENTENCE_END =
  /([.!?…]["'”’»)\]*_]{0,8})((?:[ \t]{0,3}\[[^\]\n]{1,80}\](?!\()){0,40})(\s+|$)|[。！？](?:\[[^\]\n]{1,80}\]){0,40}/g;

/** The parts of a line that end with a sentence, with the space behind it. */
export function splitSentences(line: string): readonly string[] {
  const sentences: string[] = [];
  const lead = BOLD_LEAD.exec(line)?.[0].length ?? 0;
  let from = 0;
  const quotes = quotesOf(line).filter(isPaired(line));
  let quoteAt = 0;
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    while ((quotes[quoteAt]?.end ?? end) < end) quoteAt++;
    const quote = quotes[quoteAt];
    if (quote !== undefined && quote.start < match.index && end < quote.end) continue;
    const before = line.slice(Math.max(from, match.index - 40), match.index);
    const rest = line.slice(end, end + 40);
    if (end <= lead) continue;
    if (match[1] === "." && match[2] === "" && rest !== "" && !endsSentence(before, rest)) continue;
    sentences.push(line.slice(from, end));
    from = end;
  }
  sentences.push(line.slice(from));
  return sentences.filter((sentence) => sentence.trim() !== "");
}

/** Excludes words between two inch marks, or between a closing and an opening quote. */
function isPaired(line: string): (quote: Quote) => boolean {
  return ({ start, end }) => {
    const isStraight = line[start] === '"' || line[start] === "'";
    return !isStraight || !/^\s|\s$/.test(line.slice(start + 1, end - 1));
  };
}

/** Whether a full stop between two texts ends a sentence: not after initials, days or abbreviations. */
function endsSentence(before: string, rest: string): boolean {
  if (/^\p{Ll}/u.test(rest)) return false;
  const token = /(\S+)$/.exec(before)?.[1] ?? "";
  if (/^[("„“«]?\p{L}$/u.test(token) || /^(?:\p{L}\.)+\p{L}$/u.test(token)) return false; // H. Peter, z.B.
  const next = /^\p{L}+/u.exec(rest)?.[0] ?? "";
  if (/^\d{1,2}$/.test(token) && monthOf(fold(next)) !== undefined) return false; // 14. Juni
  // am 13. Tag
  const isOrdinal = /(?<!\p{L})(?:de[mnrs]|die|das|a[mb]|im|vom|zu[mr])\s$/iu.test(
    before.slice(0, -token.length),
  );
  if (/^\d{1,2}$/.test(token) && isOrdinal && /^\p{Lu}/u.test(rest)) return false;
  // in the EU. Revenue, but Karl II. Felix
  if (/^\p{Lu}{2}$/u.test(token) && !/^[IVX]+$/.test(token) && /^\p{Lu}/u.test(rest)) return true;
  const number = /\d\s?$/.test(before.slice(0, before.length - token.length));
  if (/^\p{L}{1,3}$/u.test(token) && number && /^[\p{Lu}€$]/u.test(rest)) return isWholeUnit(token); // 36,0 Mio. EUR
  if (
    /^(?:No|Nr|Art|Abs|Fig|Abb|Sec|St|vs|ca|approx|Inc|Ltd|Co|Corp|env|max|min)$/i.test(token) &&
    /^[\p{Lu}\d]/u.test(rest)
  )
    return !/^\d/.test(rest) && !/^(?:St|vs)$/i.test(token);
  return !(/^\p{Lu}\p{L}$/u.test(token) && /^\p{Lu}/u.test(rest)); // Dr. Ek
}

/** Units that are abbreviated with a full stop, which may then end no sentence. */
const ABBREVIATED_UNITS = /^(?:std|min|sek?|sec|hrs?|mon|jr|ct|pct|pkt|oz|lbs?|ft|yd)$/i;

/** `36 km. The toll`, not `36,0 Mio. EUR` or `5 Std. Arbeit`. */
function isWholeUnit(token: string): boolean {
  return unitOf(token) !== undefined && scaleOf(fold(token)) === undefined && !ABBREVIATED_UNITS.test(token);
}
