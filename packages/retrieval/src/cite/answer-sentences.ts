import { splitSentences } from "@troupe/core/text";

import { words } from "../text/words.ts";

export interface AnswerSentence {
  /** Without markers and Markdown. */
  readonly text: string;
  readonly citationIds: readonly string[];
  /** Those of its whole line. */
  readonly lineIds: readonly string[];
  /** It states something, so it needs a citation. */
  readonly factual: boolean;
}

const MARKER = /\[([A-Za-z0-9][\w-]{0,63}(?:\s*[,;]\s*[A-Za-z0-9][\w-]{0,63})*)\](?!\()/g;
const ABOUT_THE_SEARCH =
  /^(?:i (?:found|searched|looked|could not|couldn't|cannot|can't)|no (?:document|passage|source|information)|none of the|nothing (?:in|was)|the (?:documents|sources|passages|collection) (?:do|does|did)(?: not|n't)|there is no (?:information|mention|document|passage)|(?:unfortunately|please|let me|would you|here (?:is|are)|based on the|in summary:|summary:|sources?:|note:))/i;

/** `**In short.** The whole sentence. [2]`: what stands in bold first says the same in short. */
const LEAD = /^(\s*(?:[-*•]\s+)?)\*\*([^*\n]{1,200})\.\*\*\s+(?=\S)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
/** A heading, the rule of a table, a line across: read without the space around it. */
const NO_SENTENCE = /^(?:#{1,6}(?:\s|$)|\|?\s*:?-{3,}|[-*_]{3,}$)/;

/**
 * Sentences of an answer with the citations they carry. A marker after the full stop belongs to the
 * sentence before, the one of a line under a table to each of its rows, and a lead in bold to the
 * sentence it leads; code, headings and a closing list of sources are left out.
 */
export function answerSentences(answer: string): readonly AnswerSentence[] {
  const sentences: AnswerSentence[] = [];
  let rows: string[] = [];
  for (const line of withoutSourcesAndCode(answer).split("\n")) {
    if (NO_SENTENCE.test(line.trim()) || line.trim() === "") continue;
    if (TABLE_ROW.test(line)) {
      rows.push(line);
      continue;
    }
    const under = rows.length > 0 && /^\s*(?:table|source)\b[^.!?]*$/i.test(line) ? markersOf(line) : [];
    sentences.push(...rows.map((row) => withMarkers(toSentence(row, markersOf(row)), under)));
    rows = [];
    if (under.length > 0) continue;
    // Markers move in front of the stop they follow, so that they stay with their sentence.
    const moved = line
      .replace(LEAD, "$1$2: ")
      .replace(/([.!?]["'”’)]*)((?:\s*\[[^\]\n]{1,80}\](?!\())+)/g, "$2$1");
    // Once for all of them: a line of many sentences would be searched as many times.
    const lineIds = markersOf(line);
    for (const { start, end } of splitSentences(moved))
      sentences.push(toSentence(moved.slice(start, end), lineIds));
  }
  sentences.push(...rows.map((row) => toSentence(row, markersOf(row))));
  return sentences.filter((sentence) => sentence.text !== "");
}

const markersOf = (text: string): readonly string[] =>
  [...text.matchAll(MARKER)].flatMap((match) => (match[1] ?? "").split(/\s*[,;]\s*/));

function withMarkers(sentence: AnswerSentence, ids: readonly string[]): AnswerSentence {
  return ids.length === 0
    ? sentence
    : { ...sentence, citationIds: [...new Set([...sentence.citationIds, ...ids])] };
}

function toSentence(raw: string, lineIds: readonly string[]): AnswerSentence {
  const citationIds = markersOf(raw);
  const text = raw
    .replace(MARKER, " ")
    .replace(/^\s*(?:[-*•>]|\d{1,3}[.)])\s+/, "")
    .replace(/[*_`]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s+([.,;:!?])/g, "$1")
    .trim();
  return { text, citationIds: [...new Set(citationIds)], lineIds, factual: isFactual(text) };
}

function isFactual(text: string): boolean {
  if (/[?:]$/.test(text) || ABOUT_THE_SEARCH.test(text)) return false;
  return words(text).length >= 4 || /\d/.test(text);
}

function withoutSourcesAndCode(answer: string): string {
  const prose = answer.replace(/^(```|~~~)[\s\S]*?^\1[^\n]*$/gm, "");
  const sources = /^[ \t]*(?:#{1,6}[ \t]*|\*\*)?(?:sources|references|citations)\b[:*\s]*$/im.exec(prose);
  return sources ? prose.slice(0, sources.index) : prose;
}
