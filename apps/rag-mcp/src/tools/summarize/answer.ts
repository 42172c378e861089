import type { ToolOutput } from "@troupe/core";
import {
  answerQuestion,
  documentsAbout,
  formatPlace,
  outline,
  wantedBy,
  type Answer,
  type Retriever,
  type SearchHit,
  type SearchResult,
  type Statement,
} from "@troupe/retrieval";

import { count, inline } from "../present.ts";
import { line, plain, withheldNote, type Within } from "./lines.ts";

/** Passages looked through for an answer. */
const POOL = 50;
const MOST_WORDS = 12;
/** Other texts are subjects: what is said about them may be wider. */
const ASKS =
  /\?\s*$|^(?:what|who|whom|whose|when|where|which|why|how|is|are|am|do|does|did|has|have|had|can|could|may|must|should|will|would|was|were)\b/i;
/** A title that holds all of a question and little else, or stands whole in it, names the document asked about. */
const NAMED = { share: 0.99, precision: 0.5, whole: 0.99 };

/**
 * The sentences that answer a question. One that names a document, and at most a chapter of it ("what
 * are the risks of the AI strategy"), is answered from that chapter, or from where the document sums up.
 */
export async function answer(
  index: Retriever,
  question: string,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const found = await index.search(question, { limit: POOL, ...within });
  const answered = answerQuestion(question, found, {
    max,
    ...(ASKS.test(question) ? {} : { wide: true }),
  });
  const statements = await fromChapters(index, question, found, within, max);
  const { withheld } = answered;
  if (statements.length > 0)
    return told({ ...notesOf(answered, statements), statements, withheld, nearest: [] });
  return answered.statements.length > 0 ? told(answered) : notSaid(question, found, answered);
}

/** What else was found on the editions, where it is on the document that the statements are from. */
function notesOf(answered: Answer, statements: readonly Statement[]): Partial<Answer> {
  const { otherEdition, replacedBy } = answered;
  if (answered.statements[0]?.citation.source !== statements[0]?.citation.source) return {};
  return {
    ...(otherEdition === undefined ? {} : { otherEdition }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  };
}

async function fromChapters(
  index: Retriever,
  question: string,
  found: SearchResult,
  within: Within,
  max: number,
): Promise<readonly Statement[]> {
  const [named] = documentsAbout(question, found);
  if (named === undefined || found.terms.length < 2 || wantedBy(question) !== undefined) return [];
  const { share, precision } = named;
  if ((share < NAMED.share || precision < NAMED.precision) && precision < NAMED.whole) return [];
  const parts = await outline(index, question, { ...within, parts: max, perPart: max, narrow: true });
  const each = Math.ceil(max / Math.max(1, parts.length));
  return parts.flatMap((part) => part.statements.slice(0, each)).slice(0, max);
}

function told({ statements, otherEdition: other, replacedBy, withheld }: Answer): ToolOutput {
  const documents = new Set(statements.map(({ citation }) => citation.source)).size;
  const notes: string[] = [];
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

/** Says what was looked for and where, so that a reader can judge what the silence is worth. */
function notSaid(
  question: string,
  { searched, terms, unknownWords }: SearchResult,
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
