import type { ToolOutput } from "@troupe/core";
import {
  formatPlace,
  type Answer,
  type Retriever,
  type SearchHit,
  type SearchResult,
} from "@troupe/retrieval";

import { count, inline } from "../present.ts";
import { findAnswer } from "./find-answer.ts";
import { line, plain, withheldNote, type Within } from "./lines.ts";

const MOST_WORDS = 12;

/** The sentences that answer a question, or that no document says it. */
export async function answer(
  index: Retriever,
  question: string,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const { found, answered } = await findAnswer(index, question, within, max);
  return answered.statements.length > 0
    ? told(answered, found.corrections)
    : notSaid(question, found, answered);
}

/** The statements of an answer with the note on editions, where there is one. */
export function told(
  { statements, otherEdition: other, replacedBy, withheld }: Answer,
  corrections: SearchResult["corrections"],
): ToolOutput {
  const documents = new Set(statements.map(({ citation }) => citation.source)).size;
  const notes = correctionNote(corrections);
  if (replacedBy !== undefined && other === undefined)
    notes.push(`Note: this edition was replaced by "${plain(replacedBy.title)}".`);
  if (other !== undefined) {
    const { statement, current, replaced, isCurrent } = other;
    const said = `"${plain(statement.text).replace(/\.$/, "")}"`;
    const theirs = `[${statement.citation.id}]`;
    const ours = `[${statements[0]?.citation.id ?? ""}]`;
    notes.push(
      isCurrent
        ? `Note: "${plain(replaced)}" ${ours} was replaced; the current "${plain(current)}" ${theirs} says ${said}.`
        : `Note: editions differ; the replaced "${plain(replaced)}" ${theirs} said ${said}, and "${plain(current)}" ${ours} is current.`,
    );
  }
  return {
    text: [statements.map(line).join("\n"), ...notes, ...withheldNote(withheld)].join("\n\n"),
    summary: `${count(statements.length, "statement")} from ${count(documents, "document")}`,
    citations: [
      ...[...statements, ...(other === undefined ? [] : [other.statement])].map(({ citation }) => citation),
      ...withheld,
    ],
  };
}

const correctionNote = (corrections: SearchResult["corrections"]): string[] =>
  corrections.length === 0
    ? []
    : [`Note: ${corrections.map(({ typed, read }) => `"${typed}" was read as "${read}"`).join(", ")}.`];

/** Says what was looked for and where, so that a reader can judge what the silence is worth. */
function notSaid(
  question: string,
  { searched, terms, unknownWords, corrections }: SearchResult,
  { nearest, withheld }: Answer,
): ToolOutput {
  const place = `${count(searched.documents, "document")} of ${searched.collections.map((name) => `"${name}"`).join(", ")}`;
  const looked = terms.slice(0, MOST_WORDS).map(({ word }) => word);
  const lines = [
    `The documents do not say: "${inline(question)}"`,
    looked.length === 0
      ? `I searched ${place}, and found no word in the question to look for.`
      : `I searched ${place} for ${looked.join(", ")}; no sentence answers with them together.`,
    ...(unknownWords.length === 0
      ? []
      : [`In none of the documents: ${unknownWords.slice(0, MOST_WORDS).join(", ")}.`]),
    ...(nearest.length === 0
      ? []
      : [
          `Nearest to it: ${nearest.map(({ citation }) => `${placeOf(citation)} [${citation.id}]`).join("; ")}.`,
        ]),
    ...correctionNote(corrections),
    ...withheldNote(withheld),
  ];
  return {
    text: lines.join("\n"),
    summary: "the documents do not say",
    citations: [...nearest.map(({ citation }) => citation), ...withheld],
    data: { absent: true },
  };
}

function placeOf(citation: SearchHit["citation"]): string {
  const place = formatPlace(citation);
  const { section } = citation;
  return inline(section === undefined || place.includes(section) ? place : `${place}, "${section}"`);
}
