import type { ToolOutput } from "@troupe/core";
import {
  formatPlace,
  hasTable,
  type Answer,
  type Retriever,
  type SearchHit,
  type SearchResult,
} from "@troupe/retrieval";

import { count, inline, shownAs } from "../present.ts";
import { findAnswer } from "./find-answer.ts";
import { citationsOf, line, plain, withheldCitations, withheldNote, type Within } from "./lines.ts";

const MOST_WORDS = 12;

export const NOTHING_FOUND = "no sentence found that answers it";
export const noSentence = (asked: string): string => `No sentence found that answers: "${inline(asked)}"`;

/** The sentences that answer a question, or the places nearest to it. */
export async function answer(
  index: Retriever,
  question: string,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const { found, answered } = await findAnswer(index, question, within, max);
  return answered.statements.length > 0
    ? told(answered, found.corrections)
    : notFound(question, found, answered);
}

/** The statements of an answer with the note on editions, where there is one. */
export function told(
  { statements, otherEdition: other, replacedBy, withheld }: Answer,
  corrections: SearchResult["corrections"],
): ToolOutput {
  const documents = new Set(statements.map(({ citation }) => citation.source)).size;
  const notes = correctionNote(corrections);
  let cited = citationsOf([...statements, ...(other === undefined ? [] : [other.statement])], undefined);
  const [first, ...more] = cited;
  if (first !== undefined && replacedBy !== undefined && other === undefined) {
    const replaced = `was replaced by "${plain(replacedBy.title)}".`;
    notes.push(`Note: this edition [${first.id}] ${replaced}`);
    cited = [shownAs(first, `${first.passage ?? first.quote}\n${replaced}`), ...more];
  }
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
    citations: [...cited, ...withheldCitations(withheld)],
  };
}

const correctionNote = (corrections: SearchResult["corrections"]): string[] =>
  corrections.length === 0
    ? []
    : [`Note: ${corrections.map(({ typed, read }) => `"${typed}" was read as "${read}"`).join(", ")}.`];

/** Says what was looked for and where. It may be there all the same, in other words or in a table. */
function notFound(
  question: string,
  { searched, terms, unknownWords, corrections }: SearchResult,
  { nearest, withheld }: Answer,
): ToolOutput {
  const place = `${count(searched.documents, "document")} of ${searched.collections.map((name) => `"${name}"`).join(", ")}`;
  const looked = terms.slice(0, MOST_WORDS).map(({ word }) => word);
  const lines = [
    noSentence(question),
    looked.length === 0
      ? `I searched ${place}, and found no word in the question to look for.`
      : `I searched ${place} for ${looked.join(", ")}; no sentence with them together answers it.`,
    ...(unknownWords.length === 0
      ? []
      : [`In none of the documents: ${unknownWords.slice(0, MOST_WORDS).join(", ")}.`]),
    ...(nearest.length === 0
      ? []
      : [`Nearest to it: ${nearest.map((hit) => `${placeOf(hit)} [${hit.citation.id}]`).join("; ")}.`]),
    ...correctionNote(corrections),
    ...withheldNote(withheld),
  ];
  const text = lines.join("\n");
  return {
    text,
    summary: NOTHING_FOUND,
    citations: [
      // Their places are shown and not their text: only what is said here can rest on them.
      ...nearest.map(({ citation }) => shownAs(citation, text)),
      ...withheldCitations(withheld),
    ],
    data: { unanswered: true },
  };
}

function placeOf(hit: SearchHit): string {
  const { citation } = hit;
  const place = formatPlace(citation);
  const { section } = citation;
  const named = section === undefined || place.includes(section) ? place : `${place}, "${section}"`;
  return inline(hasTable(hit) ? `${named}, with a table` : named);
}
