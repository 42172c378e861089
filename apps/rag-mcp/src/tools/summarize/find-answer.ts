import { asksQuestion, saidAbout } from "@troupe/core/request";
import {
  answerQuestion,
  corrected,
  documentCalled,
  documentsAbout,
  fileNamedIn,
  outline,
  readQuestion,
  sectionsOn,
  wantedBy,
  type Answer,
  type DocumentInfo,
  type Retriever,
  type SearchResult,
  type Statement,
} from "@troupe/retrieval";

import type { Within } from "./lines.ts";

/** Passages looked through for an answer. */
const POOL = 50;
/** A title that holds all of a question and little else, or stands whole in it, names the document asked about. */
const NAMED = { share: 0.99, precision: 0.5, whole: 0.99 };

/** An answer, and what was searched for it. */
export interface FoundAnswer {
  readonly found: SearchResult;
  readonly answered: Answer;
}

/**
 * The sentences that answer a question. One that names a file, or asks what a document says about
 * something, is answered from that document. One that names a document, and at most a chapter of it
 * ("what are the risks of the AI strategy"), is answered from that chapter, or from where the document
 * sums up.
 */
export async function findAnswer(
  index: Retriever,
  question: string,
  within: Within,
  max: number,
): Promise<FoundAnswer> {
  const documents = await index.documents(within.collection);
  const file = fileNamedIn(question, documents);
  const said = saidAbout(file === undefined ? question : question.replaceAll(/\s+/g, " "));
  const document =
    file?.document ?? (said?.where === undefined ? undefined : documentCalled(said.where, documents));
  if (document !== undefined)
    return inDocument(index, document, said?.subject ?? file?.rest ?? "", within, max);
  const found = await index.search(question, { limit: POOL, ...within });
  return answerFrom(index, corrected(question, found.corrections), found, within, max);
}

async function answerFrom(
  index: Retriever,
  question: string,
  found: SearchResult,
  within: Within,
  max: number,
): Promise<FoundAnswer> {
  const answered = answerQuestion(question, found, { max, wide: !asksQuestion(question) });
  const statements = await fromChapters(index, question, found, within, max);
  return { found, answered: statements.length > 0 ? toldOf(answered, statements) : answered };
}

/** What one document says to a question; without one, what it says where it sums up. */
async function inDocument(
  index: Retriever,
  { documentId, title, collection }: DocumentInfo,
  typed: string,
  within: Within,
  max: number,
): Promise<FoundAnswer> {
  const passages = await index.passages(documentId);
  const searched = { collections: [collection], documents: 1, passages: passages.length };
  if (!/[\p{L}\p{N}]/u.test(typed)) {
    const found = { hits: [], terms: [], searched, unknownWords: [], corrections: [] };
    const parts = await outline(index, title, { ...within, documentId, perPart: max, narrow: true });
    const statements = parts.flatMap((part) => part.statements).slice(0, max);
    return { found, answered: { statements, withheld: [], nearest: [] } };
  }
  const all = await index.search(typed, { limit: POOL, ...within });
  const asked = corrected(typed, all.corrections);
  // Passages of the edition before are there to be set against it, and answer nothing by themselves.
  const before = all.hits.filter(({ newerVersion }) => newerVersion?.documentId === documentId);
  const found = { ...all, searched, hits: [...passages, ...before] };
  const answered = answerQuestion(asked, found, { max, wide: !asksQuestion(asked) });
  const own = answered.statements[0]?.citation.source === passages[0]?.citation.source;
  const statements = asksQuestion(asked) ? [] : sectionsOn(passages, readQuestion(asked, all), max);
  if (statements.length > 0) return { found, answered: toldOf(answered, statements) };
  return { found, answered: own ? answered : { statements: [], withheld: [], nearest: answered.nearest } };
}

/** What else was found on the editions, where it is on the document that the statements are from. */
function toldOf(answered: Answer, statements: readonly Statement[]): Answer {
  const { otherEdition, replacedBy, withheld } = answered;
  const told = { statements, withheld, nearest: [] };
  if (answered.statements[0]?.citation.source !== statements[0]?.citation.source) return told;
  return {
    ...told,
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
