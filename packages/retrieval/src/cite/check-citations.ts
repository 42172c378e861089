import type { Citation } from "@troupe/stream";

import { findDates } from "../text/dates.ts";
import { figureStands, findFigures } from "../text/figures.ts";
import { words } from "../text/words.ts";
import { answerSentences, type AnswerSentence } from "./answer-sentences.ts";

export type CitationProblemCode =
  | "unknown-citation"
  | "missing-citation"
  | "figure-not-in-quote"
  | "date-not-in-quote";

export interface CitationProblem {
  readonly code: CitationProblemCode;
  /** The sentence it is about. */
  readonly sentence: string;
  /** What is wrong and what to do, for a model to act on. */
  readonly message: string;
}

/**
 * What does not hold in an answer, in the order of its sentences; empty when everything does. Every
 * `[id]` is known, every factual sentence carries one, and the figures and dates of a sentence stand
 * in the quotes it cites. It compares what can be compared without a model; it does not understand.
 */
export function checkCitations(answer: string, citations: readonly Citation[]): readonly CitationProblem[] {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  return answerSentences(answer).flatMap((sentence) => checkSentence(sentence, known));
}

function checkSentence(
  sentence: AnswerSentence,
  known: ReadonlyMap<string, Citation>,
): readonly CitationProblem[] {
  const problem = (code: CitationProblemCode, message: string): CitationProblem => ({
    code,
    sentence: sentence.text,
    message,
  });
  const shown = clip(sentence.text);
  const unknown = sentence.citationIds.filter((id) => !known.has(id));
  const problems = unknown.map((id) =>
    problem("unknown-citation", `[${id}] in "${shown}" is not a citation of this run. ${listKnown(known)}`),
  );
  const cited = sentence.citationIds.flatMap((id) => known.get(id) ?? []);
  if (cited.length === 0) {
    if (sentence.factual && unknown.length === 0 && !isQuoted(sentence, known))
      problems.push(
        problem(
          "missing-citation",
          `"${shown}" states something without a citation. Add the [id] of the passage it rests on, or take it out.`,
        ),
      );
    return problems;
  }
  const said = cited
    .map((citation) => `${citation.quote}\n${citation.document}\n${citation.section ?? ""}`)
    .join("\n");
  const ids = cited.map((citation) => `[${citation.id}]`).join("");
  for (const date of missingDates(sentence.text, said))
    problems.push(
      problem(
        "date-not-in-quote",
        `"${shown}" gives the date "${date}", which does not stand in ${ids}. Use the date of the quote, cite the passage that has it, or take it out.`,
      ),
    );
  for (const figure of missingFigures(sentence.text, said))
    problems.push(
      problem(
        "figure-not-in-quote",
        `"${shown}" gives the figure "${figure}", which does not stand in ${ids}. Use the figure of the quote, cite the passage that has it, or take it out.`,
      ),
    );
  return problems;
}

/** It stands word for word in a passage that its line cites: the first of two sentences quoted in one. */
function isQuoted({ text, lineIds }: AnswerSentence, known: ReadonlyMap<string, Citation>): boolean {
  const said = words(text).join(" ");
  return lineIds.some((id) =>
    words(known.get(id)?.quote ?? "")
      .join(" ")
      .includes(said),
  );
}

/** A date written less exactly than in the quote stands. */
function missingDates(sentence: string, said: string): readonly string[] {
  const there = findDates(said).map((date) => date.iso);
  return findDates(sentence)
    .filter((date) => !there.some((iso) => iso.startsWith(date.iso)))
    .map((date) => sentence.slice(date.start, date.end));
}

function missingFigures(sentence: string, said: string): readonly string[] {
  // A year may stand in the quote as part of a date.
  const years = findDates(said).map((date) => Number(date.iso.slice(0, 4)));
  return findFigures(sentence)
    .filter((figure) => !figureStands(figure, said) && !figure.values.some((value) => years.includes(value)))
    .map((figure) => figure.text);
}

function listKnown(known: ReadonlyMap<string, Citation>): string {
  const ids = [...known.keys()];
  if (ids.length === 0) return "There are none: search first, then cite what was found.";
  const more = ids.length > 12 ? " ..." : "";
  return `Known: ${ids
    .slice(0, 12)
    .map((id) => `[${id}]`)
    .join(" ")}${more}.`;
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 117).trimEnd()}...`;
}
