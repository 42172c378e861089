import type { Citation } from "@troupe/stream";

import type { Statement } from "../cite/statement.ts";
import type { DocumentRef, SearchHit, SearchResult } from "../retriever.ts";
import { saysSame } from "../text/says-same.ts";
import { jaccard } from "../text/similarity.ts";
import { contentKeys } from "../text/words.ts";
import { candidatesIn, type Answering } from "./candidates.ts";
import { countIn } from "./counts.ts";
import { amountStands, holdsWanted, readQuestion, type Question } from "./question.ts";

/** What the documents say to a question, word for word. */
export interface Answer {
  /** Best first; empty where no sentence passes for an answer. */
  readonly statements: readonly Statement[];
  /** The same asked of another edition that says something else. */
  readonly otherEdition?: {
    readonly statement: Statement;
    /** That edition is the current one, and the statements are of a replaced one. */
    readonly isCurrent: boolean;
    readonly current: string;
    readonly replaced: string;
  };
  /** Where the statements come from, when it is a replaced edition. */
  readonly replacedBy?: DocumentRef;
  /** Sentences that would have been statements, were they no prompt injection. */
  readonly withheld: readonly Citation[];
  /** The places nearest to the question, for when there are no statements. */
  readonly nearest: readonly SearchHit[];
}

export interface AnswerOptions {
  /** 4 by default. */
  readonly max?: number;
  /** For a subject in place of a question: what is less near too, two statements of a document at most. */
  readonly wide?: boolean;
}

/**
 * Share of a question's weight that a sentence must hold, with its headings and title. Of the 52 questions
 * of the evaluation 0.5 and 0.6 miss none, 0.4 one, 0.7 two and 0.8 four; 0.6 is wrong less often on held-out ones.
 */
const LEAST_COVERAGE = 0.6;
/** A word in the heading, in those above it or in the title is worth less than one in the sentence. */
const IN_HEADING = 0.9;
const FURTHER_OFF = 0.6;
/** What the first sentence under a heading on the question gains at most, and one with a reason where that is asked. */
const OPENS = 0.2;
/** Its word, or a second sentence that goes on about the first. */
const REASON =
  /\b(?:because|since|so that|therefore|due to|owing to|caused?|reason)\b|[.!?]["'”’)]*\s+\p{Lu}/u;
/** Words that must stand in the sentence or its heading, beside those of the title: one alone is chance. */
const LEAST_HELD = 2;
/** What falls this far behind the best answer is left out. */
const NEAR_BEST = 0.85;
/** Another edition says it in other words and under other headings. */
const NEAR_BEST_OTHER = 0.7;
const NEAR_BEST_WIDE = 0.6;
const PER_DOCUMENT_WIDE = 2;
const NEAREST = 3;
const ROW = /^.+ \| .+$/m;

/**
 * Answers a question by the sentences that hold its distinctive words, weighed by how rare they are:
 * names must all be there, and so must an amount, a number or a time where the question asks for one.
 * It understands nothing, and rather says nothing than something else.
 */
export function answerQuestion(text: string, result: SearchResult, options: AnswerOptions = {}): Answer {
  const { max = 4, wide = false } = options;
  const question = readQuestion(text, result);
  const all = result.hits.flatMap((hit) => score(hit, question));
  const scored = all.filter(({ candidate }) => !candidate.isInjection);
  const old = scored.filter(({ candidate }) => isOld(candidate.hit));
  const asked = askedEditions(question, text, old);
  const current = scored.filter(({ candidate }) => !isOld(candidate.hit));
  const first = asked.length > 0 ? asked : current;
  const chosen = pick(first.length > 0 ? first : old, max, wide);
  const [best] = chosen;
  const injected = all.filter(
    (one) => one.candidate.isInjection && one.score >= (best?.score ?? 0) * NEAR_BEST,
  );
  const withheld = pick(injected, max, wide).map(({ candidate }) => candidate.citation);
  if (best === undefined) return { statements: [], withheld, nearest: nearestTo(result.hits, question) };
  const { newerVersion } = best.candidate.hit;
  const other = otherEdition(best, result.hits, withoutYear(question, asked.length > 0));
  return {
    statements: chosen.map(({ candidate: { text: said, citation } }) => ({ text: said, citation })),
    withheld,
    nearest: [],
    ...(newerVersion === undefined ? {} : { replacedBy: newerVersion }),
    ...(other === undefined ? {} : { otherEdition: other }),
  };
}

interface Scored {
  readonly candidate: Answering;
  readonly score: number;
}

const isOld = (hit: SearchHit): boolean => hit.newerVersion !== undefined || hit.withdrawn;

function score(hit: SearchHit, question: Question): readonly Scored[] {
  const total = [...question.weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const share = (holds: (key: string) => number): number =>
    [...question.weights].reduce((sum, [key, weight]) => sum + weight * holds(key), 0) / total;
  return candidatesIn(hit).flatMap((candidate) => {
    const { text, keys, heading, above, title, opens } = candidate;
    const asked = [...question.weights.keys()];
    const held = asked.filter(
      (key) => keys.has(key) || heading.has(key) || amountStands(key, text, question),
    ).length;
    const counts = question.counted === undefined ? 1 : countIn(text, question.counted, candidate.isRow);
    if (counts === 0) return [];
    const open = asked.filter((key) => !title.has(key) && !skips(key, question)).length;
    if (held < Math.max(1, Math.min(LEAST_HELD, open))) return [];
    const near = (key: string): number =>
      Math.max(
        keys.has(key) ? 1 : 0,
        heading.has(key) ? IN_HEADING : 0,
        above.has(key) || title.has(key) ? FURTHER_OFF : 0,
        amountStands(key, text, question) ? FURTHER_OFF : 0,
      );
    const own = share((key) => (keys.has(key) ? 1 : heading.has(key) ? IN_HEADING : 0));
    const coverage = share(near);
    if (coverage < LEAST_COVERAGE) return [];
    const isNamed = (key: string): boolean => [keys, heading, above, title].some((set) => set.has(key));
    if (![...question.names].every(isNamed)) return [];
    if (question.years.some((year) => near(year) === 0 && hit.published?.startsWith(year) !== true))
      return [];
    if (isOfOtherYear(text, title, question)) return [];
    if (question.versions.some((version) => !text.includes(version))) return [];
    if (question.labels.some((label) => !`${candidate.path.join(" ")} ${text}`.toLowerCase().includes(label)))
      return [];
    if (question.counted === undefined && !holdsWanted(text, question)) return [];
    const opening = opens ? 1 + OPENS * Math.min(1, 2 * share((key) => (heading.has(key) ? 1 : 0))) : 1;
    const reason = question.wanted === "reason" && REASON.test(text) ? 1 + OPENS : 1;
    return [{ candidate, score: (coverage + own / 2) * opening * reason * counts }];
  });
}

/** It names years and none of those asked for, unless that only says which document is meant: "the 2024 strategy". */
function isOfOtherYear(text: string, title: ReadonlySet<string>, { years, weights }: Question): boolean {
  const named: readonly string[] = text.match(/(?<!\bthan (?:in )?)\b(?:19|20)\d{2}\b/g) ?? [];
  if (years.length === 0 || named.length === 0 || years.some((year) => named.includes(year))) return false;
  return ![...weights.keys()].some((key) => title.has(key) && !years.includes(key));
}

/** A count of the thing is proof enough that a sentence is on the question: it need not name what all documents are about. */
const skips = (key: string, { counted, common }: Question): boolean =>
  counted !== undefined && common.has(key);

/** What stands in the replaced editions that the question asks for; empty when it asks for none. */
function askedEditions({ old }: Question, text: string, scored: readonly Scored[]): readonly Scored[] {
  if (old === undefined) return [];
  const { year } = old;
  if (year === undefined) return scored;
  const asked = contentKeys(text);
  return scored.filter(({ candidate: { hit, title } }) => {
    const ofYear = title.has(year) || hit.published?.startsWith(year) === true;
    return ofYear && [...title].some((key) => key !== year && asked.has(key));
  });
}

function pick(scored: readonly Scored[], max: number, wide: boolean): readonly Scored[] {
  const ordered = scored.toSorted((a, b) => b.score - a.score);
  const least = (ordered[0]?.score ?? 0) * (wide ? NEAR_BEST_WIDE : NEAR_BEST);
  const perDocument = wide ? PER_DOCUMENT_WIDE : max;
  const chosen: Scored[] = [];
  for (const one of ordered) {
    if (chosen.length === max || one.score < least) break;
    const { hit } = one.candidate;
    const ofDocument = chosen.filter(({ candidate }) => candidate.hit.documentId === hit.documentId).length;
    if (ofDocument < perDocument && !chosen.some(({ candidate }) => repeats(candidate, one.candidate)))
      chosen.push(one);
  }
  return chosen;
}

/** The other edition is asked the same, save for the year that only said which edition is meant. */
function withoutYear(question: Question, yearIsEdition: boolean): Question {
  const year = question.old?.year;
  if (!yearIsEdition || year === undefined) return question;
  const { weights, names } = question;
  return {
    ...question,
    weights: new Map([...weights].filter(([key]) => key !== year)),
    names: new Set([...names].filter((key) => key !== year)),
    years: question.years.filter((one) => one !== year),
  };
}

/** The best sentence of the edition before or after, where it says something else. */
function otherEdition(
  { candidate }: Scored,
  hits: readonly SearchHit[],
  question: Question,
): Answer["otherEdition"] {
  const { hit } = candidate;
  const others = hits.filter((that) =>
    isOld(hit)
      ? hit.newerVersion?.documentId === that.documentId
      : that.newerVersion?.documentId === hit.documentId,
  );
  const least = score(hit, question).find((one) => one.candidate.text === candidate.text)?.score ?? 0;
  const [other] = others
    .flatMap((that) => score(that, question))
    .filter((one) => !one.candidate.isInjection)
    .filter((one) => candidate.isRow || !one.candidate.isRow)
    .toSorted((a, b) => likeness(b, candidate) - likeness(a, candidate));
  if (other === undefined || other.score < least * NEAR_BEST_OTHER || saysSame(candidate, other.candidate))
    return undefined;
  const { text, citation } = other.candidate;
  const titles = [hit.citation.document, citation.document];
  const [current = "", replaced = ""] = isOld(hit) ? titles.toReversed() : titles;
  return { statement: { text, citation }, isCurrent: isOld(hit), current, replaced };
}

/** How well it answers, and how much it speaks of the same thing as what it is set against. */
const likeness = ({ candidate, score: value }: Scored, to: Answering): number =>
  value + jaccard(candidate.keys, to.keys) / 2;

const repeats = (a: Answering, b: Answering): boolean => overlaps(a, b) || saysSame(a, b);

/** The rows of one table stand in one place, and say different things. */
const overlaps = (a: Answering, b: Answering): boolean =>
  a.citation.chunkId === b.citation.chunkId &&
  a.citation.start < b.citation.end &&
  b.citation.start < a.citation.end &&
  !a.citation.quote.includes(" | ");

/** Rows of a table are lines with bars between their cells. */
export const hasTable = (hit: SearchHit): boolean => ROW.test(hit.text);

/** The passages that hold most of the question: of a document one with a table and one without, at most. */
function nearestTo(hits: readonly SearchHit[], { weights, names }: Question): readonly SearchHit[] {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const rated = hits.flatMap((hit) => {
    const keys = contentKeys(`${hit.citation.document} ${hit.citation.section ?? ""} ${hit.text}`);
    const held = [...weights].reduce((sum, [key, weight]) => sum + (keys.has(key) ? weight : 0), 0);
    return held / total >= 0.4 || [...names].some((key) => keys.has(key)) ? [{ hit, held }] : [];
  });
  const best = new Map<string, SearchHit>();
  for (const { hit } of rated.toSorted((a, b) => b.held - a.held)) {
    const key = `${hit.documentId} ${hasTable(hit)}`;
    if (!best.has(key)) best.set(key, hit);
  }
  return [...best.values()].slice(0, NEAREST);
}
