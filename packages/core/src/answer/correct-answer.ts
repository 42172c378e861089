import { findReferences, rewriteOutsideCode, type SentenceCheck } from "@troupe/stream";

import type { AnswerEvidence } from "../ports/answer-check.ts";

/** A sentence of an answer, word for word, and what takes its place. An empty text deletes it. */
export interface Replacement {
  readonly sentence: string;
  readonly text: string;
}

/** Replacements that are applied, and characters of each; further ones count as missing. */
const MAX_REPLACEMENTS = 40;
const MAX_CHARS = 2_000;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The answer with these sentences replaced, each where it first occurs; the same sentence named again means
 * its next occurrence. White space may differ, and a sentence may be named with the mark of a list or in quotes; the
 * mark of its own line stays. `missing` are the sentences that are not in the answer.
 */
export function replaceSentences(
  answer: string,
  replacements: readonly Replacement[],
): { readonly text: string; readonly missing: readonly string[] } {
  const ranges: Range[] = [];
  const missing: string[] = [];
  const collapsed = collapse(answer);
  for (const [index, { sentence, text }] of replacements.entries()) {
    const isTooMuch = index >= MAX_REPLACEMENTS || Math.max(sentence.length, text.length) > MAX_CHARS;
    const found = isTooMuch ? undefined : findNamed(collapsed, sentence, ranges);
    if (found === undefined) missing.push(sentence);
    else ranges.push(text.trim() === "" ? deletion(answer, found) : withoutMark(answer, { ...found, text }));
  }
  ranges.sort((a, b) => a.start - b.start);
  let corrected = "";
  let at = 0;
  for (const { start, end, text } of ranges) {
    corrected += answer.slice(at, Math.max(at, start)) + text;
    at = Math.max(at, end);
  }
  return { text: corrected + answer.slice(at), missing };
}

/** A text with one space for each run of white space, and where each of its characters stands in the original. */
interface Collapsed {
  readonly text: string;
  readonly places: readonly number[];
}

function collapse(text: string): Collapsed {
  const parts: string[] = [];
  const places: number[] = [];
  for (const { 0: part, index } of text.matchAll(/\s+|\S+/g)) {
    const isSpace = part.trim() === "";
    parts.push(isSpace ? " " : part);
    for (let n = 0; n < (isSpace ? 1 : part.length); n++) places.push(index + n);
  }
  return { text: parts.join(""), places };
}

const BULLET = /^\s*[-*+•>]\s+/;
const LIST_MARK = /^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/;
const QUOTED = /^\s*["“„«'](.+)["”“»']\s*$/s;

/**
 * The sentence as it is named, else without the mark of a list, else without quotes around it; one that was clipped where
 * it was shown, up to its end.
 */
function findNamed(answer: Collapsed, sentence: string, taken: readonly Range[]): Range | undefined {
  const bare = sentence.replace(LIST_MARK, "");
  const unquoted = QUOTED.exec(bare)?.[1] ?? bare;
  for (const words of new Set([sentence, bare, unquoted])) {
    const found = findSentence(answer, words, taken);
    if (found !== undefined) return found;
  }
  const shown = sentence.endsWith("…") && sentence.length >= MIN_CLIPPED ? sentence.slice(0, -1) : "";
  const found = findSentence(answer, shown, taken);
  if (found === undefined) return undefined;
  const from = answer.places.indexOf(found.end - 1) + 1;
  const rest = SENTENCE_END.exec(answer.text.slice(from))?.[0].length ?? answer.text.length - from;
  return { ...found, end: (answer.places[from + rest - 1] ?? found.end - 1) + 1 };
}

/** Characters of a sentence that is shortened where it is shown to a model. */
const MIN_CLIPPED = 1_900;
const SENTENCE_END = /^[^]*?[.!?]["”)]?(?:\s?\[[^\]]{1,40}\])*(?=\s|$)/;

/** In a list the mark of the line stays, and the new text repeats none. Elsewhere it begins no list. */
function withoutMark(answer: string, { start, end, text }: Range): Range {
  const lineStart = answer.lastIndexOf("\n", start - 1) + 1;
  const mark = LIST_MARK.exec(answer.slice(lineStart, end))?.[0] ?? "";
  const isFirst = mark !== "" && start <= lineStart + mark.length;
  // `12. May` begins with a number of its own.
  const plain = text.replace(/\d/.test(mark) ? LIST_MARK : BULLET, "").trim();
  return { start: isFirst ? lineStart + mark.length : start, end, text: plain };
}

/** The first place that is not taken, in time linear in the answer (Knuth, Morris, Pratt). */
function findSentence(answer: Collapsed, sentence: string, taken: readonly Range[]): Range | undefined {
  const words = sentence.trim().replaceAll(/\s+/g, " ");
  if (words === "") return undefined;
  const borders = [0];
  for (let at = 1, length = 0; at < words.length; at++) {
    while (length > 0 && words[at] !== words[length]) length = borders[length - 1] ?? 0;
    if (words[at] === words[length]) length++;
    borders.push(length);
  }
  for (let at = 0, length = 0; at < answer.text.length; at++) {
    while (length > 0 && answer.text[at] !== words[length]) length = borders[length - 1] ?? 0;
    if (answer.text[at] === words[length]) length++;
    if (length < words.length) continue;
    const start = answer.places[at - length + 1] ?? 0;
    const end = (answer.places[at] ?? 0) + 1;
    if (taken.every((range) => end <= range.start || start >= range.end)) return { start, end, text: "" };
    length = borders[length - 1] ?? 0;
  }
  return undefined;
}

/** Nothing but the mark of a list, a quotation or a heading. */
const BARE_LINE = /^\s*(?:[-*+>]|\d+[.)]|#+)?\s*$/;

/** The sentence with the white space, or the otherwise empty line, that would be left of it. */
function deletion(answer: string, { start, end }: Range): Range {
  const lineStart = answer.lastIndexOf("\n", start - 1) + 1;
  const newline = answer.indexOf("\n", end);
  const lineEnd = newline === -1 ? answer.length : newline;
  if (BARE_LINE.test(answer.slice(lineStart, start) + answer.slice(end, lineEnd))) {
    const blankBefore = lineStart === 0 || answer.slice(0, lineStart).endsWith("\n\n");
    const after = answer.slice(lineEnd, lineEnd + 2);
    return { start: lineStart, end: lineEnd + (blankBefore && after === "\n\n" ? 2 : 1), text: "" };
  }
  const space = /^[ \t]+/.exec(answer.slice(end, lineEnd));
  if (space !== null) return { start, end: end + space[0].length, text: "" };
  return { start: lineStart + answer.slice(lineStart, start).trimEnd().length, end, text: "" };
}

/** How some models write a citation: `【14】`, `【14†source】`. */
const OTHER_BRACKETS = /[【［]([^【】［］\n]{1,120})[】］]/g;

const FENCED = /^```\w*\n([^]*)\n```$/;

/** An answer that is one JSON object or list, in a fence or not: nobody can put a citation into it. */
export function isJsonAnswer(answer: string): boolean {
  const text = answer.trim();
  const json = FENCED.exec(text)?.[1] ?? text;
  try {
    return typeof JSON.parse(json) === "object";
  } catch {
    return false;
  }
}

/** The answer with citations in square brackets, outside code. */
export function withSquareBrackets(answer: string): string {
  return rewriteOutsideCode(answer, (part) =>
    part.replace(OTHER_BRACKETS, (whole) => {
      const [reference] = findReferences(whole, { isKnown: () => false });
      return reference === undefined ? whole : `[${reference.ids.join(", ")}]`;
    }),
  );
}

/**
 * The answer without the references to sources that are not known, outside code and JSON; `unknown` names them. Known ones
 * are written as `[1, 2]`, however the model wrote them. `findReferences` defines what a reference is.
 */
export function removeUnknownReferences(
  answer: string,
  isKnown: (id: string) => boolean,
  sources: readonly string[] = [],
): { readonly text: string; readonly unknown: readonly string[] } {
  if (isJsonAnswer(answer)) return { text: answer, unknown: [] };
  const unknown = new Set<string>();
  const isQuoted = quotedIn(sources);
  const text = rewriteOutsideCode(answer, (part) => {
    let cleaned = "";
    let at = 0;
    for (const { start, end, ids, isPlain } of findReferences(part, { isKnown, isQuoted })) {
      const known = ids.filter(isKnown);
      if (known.length === ids.length && isPlain) continue;
      for (const id of ids) if (!isKnown(id)) unknown.add(id);
      const before = part.slice(at, start);
      cleaned += known.length === 0 ? before.replace(/[ \t]$/, "") : `${before}[${known.join(", ")}]`;
      at = end;
    }
    return cleaned + part.slice(at);
  });
  return { text, unknown: [...unknown] };
}

/** Whether one of these texts contains the brackets; results are cached. */
function quotedIn(sources: readonly string[]): (brackets: string) => boolean {
  const known = new Map<string, boolean>();
  return (brackets) => {
    const isQuoted = known.get(brackets) ?? sources.some((source) => source.includes(brackets));
    known.set(brackets, isQuoted);
    return isQuoted;
  };
}

/** Texts whose brackets an answer may repeat. */
export function sourceTexts({ citations, given }: AnswerEvidence): readonly string[] {
  return [...given, ...citations.map(({ passage, quote }) => passage ?? quote)];
}

export const hasFinding = (check: SentenceCheck): boolean => check.finding !== undefined;
