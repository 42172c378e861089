import type { Citation } from "@troupe/stream";

import type { SearchHit } from "../retriever.ts";
import { findDates } from "../text/dates.ts";
import { saysSame } from "../text/says-same.ts";
import { contentKeys, words } from "../text/words.ts";
import { chapterBody, hitsAbout, inChapter, meets } from "./chapter.ts";
import { candidateAt, type Candidate } from "./candidate.ts";
import { isPromptInjection, withheldIn } from "./prompt-injection.ts";
import { readableSentences } from "./readable-sentences.ts";
import { runInHeads } from "./run-in-heads.ts";
import type { Statement } from "./statement.ts";

export interface StatementOptions {
  /** One side of the subject, such as `goals targets`: words of a heading. */
  readonly aspect: string;
  /** 5 by default. */
  readonly max?: number;
}

interface Ranked extends Candidate {
  /** The last date it names that lies after the document's own, ISO; else empty. */
  readonly date: string;
  readonly section: string;
  /** Position in its document: page, then offset. */
  readonly at: readonly [page: number, start: number];
  readonly score: number;
}

/**
 * What a sentence gains that binds, where rules are asked for; that opens its section; for each word it
 * shares with its heading; for a figure. With them the overviews of the evaluation tell 53 of 60 things,
 * without the first 52, without the second 46; the others keep the introduction of a chapter behind its sections.
 */
const GAINS = { binding: 2, opening: 1.6, heading: 0.7, figure: 0.8 };
/** Aspects that ask when: they take statements with dates after the document's own, in order of date. */
const TIME_ASPECTS = contentKeys("timeline schedule roadmap milestones dates deadlines");
/** Aspects that ask what holds: sentences that bind or forbid say it. */
const RULE_ASPECTS = contentKeys("governance compliance principles rules oversight");
const BINDS = /\b(?:must|shall|never|no|nobody|only|may not|cannot)\b/i;
const MOST_LEAD_WORDS = 12;
const NUMBERING =
  /^(?:\d+(?:\.\d+)*[.)]?\s+|(?:goal|objective|target|phase|step|stage|pillar|principle|risk|initiative|action|measure|milestone|chapter|section|part)\s+\d+\s*[:.–-]\s*)/i;
/**
 * What the documents about a subject say in their chapters on one aspect of it, one statement from
 * each section, in their order; an aspect that asks when takes their dated statements. The sentences
 * are quoted, not written, so their citations hold by construction. Editions that a newer one replaced
 * are left out. Empty where no document about the subject has such a chapter.
 */
export function keyStatements(
  hits: readonly SearchHit[],
  subject: string,
  { aspect, max = 5 }: StatementOptions,
): readonly Statement[] {
  const aspectKeys = contentKeys(aspect);
  const about = hitsAbout(hits, subject);
  const focus = new Set([...contentKeys(subject), ...aspectKeys]);
  if (meets(TIME_ASPECTS, aspectKeys)) {
    const dated = distinct(
      candidatesOf(about, focus).filter((candidate) => candidate.date !== ""),
      max,
    );
    if (dated.length >= Math.min(2, max))
      return dated.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map(toStatement);
  }
  return withLeads(onePerSection(chapterBody(candidatesOf(about, focus), aspect), max));
}

/** What the same chapters say and no answer tells, for its marks of prompt injection. */
export const withheldStatements = (
  hits: readonly SearchHit[],
  subject: string,
  aspect: string,
): readonly Citation[] =>
  inChapter(withheldIn(hitsAbout(hits, subject)), aspect).map(({ citation }) => citation);

/** Statements from under some headings of a document, one from each section first, in their order. */
export function statementsUnder(
  hits: readonly SearchHit[],
  under: (path: readonly string[]) => boolean,
  { subject, max }: { readonly subject: string; readonly max: number },
): readonly Statement[] {
  const candidates = candidatesOf(hits, contentKeys(subject)).filter(({ path }) => under(path));
  return withLeads(onePerSection(candidates, max));
}

function candidatesOf(hits: readonly SearchHit[], focus: ReadonlySet<string>): readonly Ranked[] {
  const weights = weigh(hits, focus);
  const rules = meets(RULE_ASPECTS, focus);
  return hits.flatMap((hit) => {
    const heads = runInHeads(hit.text);
    const sentences = readableSentences(hit.text).filter(({ start }) => !heads.at.has(start));
    const openings = new Set(
      hit.sections.map((section) => sentences.find(({ start }) => start >= section.start)?.start),
    );
    return sentences.map(({ start, end }) => {
      const candidate = candidateAt(hit, { start, end });
      const head = heads.before.get(start);
      const { text, path } = candidate;
      const dates = findDates(text).map((date) => date.iso);
      return {
        ...candidate,
        ...(head === undefined ? {} : { lead: head }),
        date: dates.toSorted().findLast((date) => date > (hit.published ?? "")) ?? "",
        section: [hit.documentId, ...path, ...(head === undefined ? [] : [head])].join("\0"),
        at: [hit.citation.page ?? 1, hit.start + start] as const,
        score: scoreOf(candidate, { weights, rules, opens: openings.has(start) }),
      };
    });
  });
}

/** Rare words of the focus weigh more. */
function weigh(hits: readonly SearchHit[], focus: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sets = hits.map((hit) => contentKeys(hit.text));
  const weights = new Map<string, number>();
  for (const key of focus) {
    const holding = sets.filter((set) => set.has(key)).length;
    if (holding > 0) weights.set(key, Math.log(1 + sets.length / holding));
  }
  return weights;
}

interface Focus {
  readonly weights: ReadonlyMap<string, number>;
  /** Rules are asked for. */
  readonly rules: boolean;
  /** The sentence is the first of its section. */
  readonly opens: boolean;
}

function scoreOf({ text, keys, figures, path }: Candidate, { weights, rules, opens }: Focus): number {
  const heading = contentKeys(path.at(-1) ?? "");
  let score = 0.4;
  for (const [key, weight] of weights) if (keys.has(key)) score += weight;
  if (figures !== "") score += GAINS.figure;
  if (rules && BINDS.test(text)) score += GAINS.binding;
  if (opens) score += GAINS.opening;
  score += GAINS.heading * [...heading].filter((key) => keys.has(key)).length;
  return score;
}

/** One statement from each section, in the order of the document; then, when there is room, more of the best. */
function onePerSection(candidates: readonly Ranked[], max: number): readonly Ranked[] {
  const best = candidates.toSorted((a, b) => b.score - a.score);
  const first: Ranked[] = [];
  for (const candidate of best) {
    if (first.length === max) break;
    if (!first.some((other) => other.section === candidate.section || saysSame(other, candidate)))
      first.push(candidate);
  }
  const more: Ranked[] = [];
  for (const candidate of best) {
    const chosen = [...first, ...more];
    if (chosen.length === max) break;
    if (!chosen.includes(candidate) && !chosen.some((other) => saysSame(other, candidate)))
      more.push(candidate);
  }
  // Of one section alone nothing comes first but what stands first.
  if (first.length === 1) return [...first, ...more].toSorted(byPlace);
  return [...first.toSorted(byPlace), ...more.toSorted(byPlace)];
}

const byPlace = (a: Ranked, b: Ranked): number =>
  (a.citation.source < b.citation.source ? -1 : a.citation.source > b.citation.source ? 1 : 0) ||
  a.at[0] - b.at[0] ||
  a.at[1] - b.at[1];

function distinct(candidates: readonly Ranked[], max: number): readonly Ranked[] {
  const chosen: Ranked[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    if (chosen.length === max) break;
    if (!chosen.some((other) => saysSame(other, candidate))) chosen.push(candidate);
  }
  return chosen;
}

const toStatement = ({ text, citation }: Ranked): Statement => ({ text, citation });

/** Headings lead where they are messages; where most are, the others lead too, so that the set is whole. */
function withLeads(candidates: readonly Ranked[]): readonly Statement[] {
  const headings = new Map(candidates.map(({ section, path }) => [section, path.at(-1) ?? ""]));
  const led = [...headings.values()].filter((heading) => leadOf(heading) !== undefined).length;
  const whole = led > headings.size / 2 && led >= LEAST_LED;
  return candidates.map((candidate) => {
    const heading = candidate.path.at(-1) ?? "";
    const lead = candidate.lead ?? leadOf(heading) ?? (whole ? shortHeading(heading) : undefined);
    return { ...toStatement(candidate), ...(lead === undefined ? {} : { lead }) };
  });
}

/** Sections with a message that make a set. */
const LEAST_LED = 2;

function shortHeading(heading: string): string | undefined {
  const lead = withoutNumber(heading);
  return words(lead).length > MOST_LEAD_WORDS || lead === "" || isPromptInjection(lead) ? undefined : lead;
}

const withoutNumber = (heading: string): string => heading.replace(NUMBERING, "").trim();

/** Numbering and words like "Goal 3:" go; what is left says something when it is long enough. */
function leadOf(heading: string): string | undefined {
  const lead = withoutNumber(heading);
  const count = words(lead).length;
  if (isPromptInjection(lead)) return undefined;
  return count <= MOST_LEAD_WORDS && (count >= 5 || (count >= 4 && lead.includes(": "))) ? lead : undefined;
}
