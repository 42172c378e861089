import { statementsUnder } from "../cite/key-statements.ts";
import type { Statement } from "../cite/statement.ts";
import { tableUnder } from "../cite/key-table.ts";
import { meets } from "../cite/chapter.ts";
import { isPromptInjection, withheldIn } from "../cite/prompt-injection.ts";
import type { Retriever, SearchHit, SearchResult } from "../retriever.ts";
import { contentKeys } from "../text/words.ts";
import { documentsAbout, sectionAbout, type DocumentAbout } from "./about.ts";
import type { OutlinePart } from "./outline-part.ts";
import { definitionIn } from "./overview/definition.ts";
import { arrange, type PlacedPart } from "./overview/arrange.ts";
import { thingsIn, topicOf } from "./overview/topic.ts";
import { readQuestion, type Question } from "./question.ts";

export interface OutlineOptions {
  readonly collection?: string;
  /** Parts at most; 8 by default. */
  readonly parts?: number;
  /** Statements of a part at most; 3 by default. */
  readonly perPart?: number;
  /**
   * Only chapters whose headings have all that the subject says beyond the title, such as the risks of a
   * strategy; where it says no more, those that sum up. Off by default.
   */
  readonly narrow?: boolean;
  /** The document that is meant, in place of those whose title is about the subject. */
  readonly documentId?: string;
}

const POOL = 50;
/** Documents about one subject that are told of. */
const MOST_DOCUMENTS = 3;
/** The same of an overview, which chooses among their chapters. */
const MOST_TOLD = 5;
/** A title with more other words than that is about more than the subject: others speak of it too. */
const PRECISE = 0.5;
/** One with a smaller share names the subject in passing. */
const LEAST_PRECISE = 0.25;
const NUMBER = /^(?:(?:chapter|section|part)\s+)?(?:\d+(?:\.\d+)*|[ivx]+)[.):]?\s+(?=\p{Lu})/iu;
/** Chapters that say nothing of the subject. */
const APPARATUS =
  /^(?:(?:table of )?contents|document (?:control|history)|(?:change|revision|version) (?:log|history)|imprint|index|contacts?|whom do i ask\??|release notes|glossary|(?:terms|words|wording)(?: to use\b.*| and definitions)?|references|sources|annex\b.*|appendix\b.*)$/i;
/** Titles of documents on the whole of a company, a school, a club. */
const COMPANY = /\b(?:annual report|company (?:profile|brochure)|about us|who we are)\b/i;
/** Titles of lists of words. */
const GLOSSARY = /\b(?:glossary|vocabulary|terminology)\b/i;

/**
 * What the documents say about a subject, under their own headings: the chapters of the documents whose
 * title is about it; where there are none, the sections whose heading is. One that joins things no
 * document has together ("our products and how customers use them") is told thing by thing. Empty where
 * there is neither.
 */
export async function outline(
  index: Retriever,
  subject: string,
  options: OutlineOptions = {},
): Promise<readonly OutlinePart[]> {
  const { parts = 8, perPart = 3, narrow = false } = options;
  const topic = narrow || options.documentId !== undefined ? subject : topicOf(subject);
  const whole = await outlineOf(index, topic, { ...options, parts, perPart, narrow });
  const things = thingsIn(topic);
  if (whole.length > 0 || narrow || things.length < 2) return whole;
  const each = { ...options, parts: Math.ceil(parts / things.length), perPart, narrow };
  const told = await Promise.all(things.map((thing) => outlineOf(index, thing, each)));
  return unique(told.flat()).slice(0, parts);
}

type Settled = OutlineOptions & Required<Pick<OutlineOptions, "parts" | "perPart" | "narrow">>;

async function outlineOf(
  index: Retriever,
  subject: string,
  options: Settled,
): Promise<readonly OutlinePart[]> {
  const { collection, parts, perPart, narrow } = options;
  const result = await index.search(subject, {
    limit: POOL,
    ...(collection === undefined ? {} : { collection }),
  });
  const question = readQuestion(subject, result);
  const named = await aboutOf(index, subject, result, options.documentId);
  const whole = narrow ? [] : await onCompany(index, question, named, collection);
  const about = narrow ? named : whole.length > 0 ? whole : named.filter((one) => isFit(one, question));
  const best = about[0];
  const chosen = nearestOf(about, narrow ? MOST_DOCUMENTS : MOST_TOLD);
  const most = narrow ? Math.ceil(parts / Math.max(1, chosen.length)) : Infinity;
  const found = await chaptersOfAll(index, chosen, question, { most, perPart, narrow });
  if (narrow) return unique(found).slice(0, parts);
  if (best === undefined || best.precision < PRECISE) {
    const others = result.hits.filter(
      (hit) =>
        hit.newerVersion === undefined &&
        !hit.withdrawn &&
        !chosen.some(({ documentId }) => documentId === hit.documentId),
    );
    const sections = sectionsOf(others, (hit) => sectionAbout(hit, question), perPart);
    const fit = sections.filter(
      ({ heading, title }) => isFitting(heading, question) && !GLOSSARY.test(title),
    );
    found.push(...fit);
    if (found.length === 0 && named.length > 0)
      found.push(
        ...(await chaptersOfAll(index, nearestOf(named, MOST_TOLD), question, { most, perPart, narrow })),
      );
    if (found.length === 0) found.push(...sections);
  }
  const main = mainOf(chosen, question);
  const definition = definitionIn(result.hits, subject);
  return unique(
    arrange(unique(found), {
      subject: new Set(question.weights.keys()),
      parts,
      perPart,
      ...(main === undefined ? {} : { main }),
      ...(definition === undefined ? {} : { definition }),
    }),
  );
}

/** A list of words is no document about one of them, nor is one that names it among much else or in its subtitle. */
const isFit = ({ title, precision }: DocumentAbout, { weights }: Question): boolean =>
  !GLOSSARY.test(title) &&
  precision >= LEAST_PRECISE &&
  [...contentKeys(title.split(": ")[0] ?? "")].some((key) => weights.has(key));

/** A name that stands all over the documents is their owner's: it is told by what reports on the whole of it. */
async function onCompany(
  index: Retriever,
  question: Question,
  named: readonly DocumentAbout[],
  collection: string | undefined,
): Promise<readonly DocumentAbout[]> {
  const { weights, common } = question;
  const isAll = weights.size > 0 && [...weights.keys()].every((key) => common.has(key));
  if (!isAll || named.some((one) => isFit(one, question))) return [];
  const documents = await index.documents(collection);
  return documents
    .filter(({ title, withdrawn, newerVersion }) => COMPANY.test(title) && !withdrawn && !newerVersion)
    .map(({ documentId, title }) => ({ documentId, title, share: 1, precision: 1 }));
}

const nearestOf = (about: readonly DocumentAbout[], most: number): readonly DocumentAbout[] =>
  about.filter(({ share }) => share >= 0.9 * (about[0]?.share ?? 0)).slice(0, most);

async function chaptersOfAll(
  index: Retriever,
  documents: readonly DocumentAbout[],
  { weights }: Question,
  options: Parameters<typeof chaptersOf>[3],
): Promise<PlacedPart[]> {
  const all = documents.map(async ({ documentId, title }) => {
    const rest = new Set([...weights.keys()].filter((key) => !contentKeys(title).has(key)));
    return chaptersOf(await index.passages(documentId), title, rest, options);
  });
  return (await Promise.all(all)).flat();
}

/** A heading that is about the subject, not about much else, and no list of words. */
function isFitting(heading: string, { weights }: Question): boolean {
  const keys = [...contentKeys(heading)];
  const shared = keys.filter((key) => weights.has(key)).length;
  return shared > LEAST_PRECISE * keys.length && !APPARATUS.test(heading);
}

/** One document alone is what is asked for when its title is about little else, or has more than a word of it. */
function mainOf(chosen: readonly DocumentAbout[], { weights }: Question): string | undefined {
  const [only, ...others] = chosen;
  if (only === undefined || others.length > 0) return undefined;
  const shared = [...contentKeys(only.title)].filter((key) => weights.has(key)).length;
  return only.precision >= PRECISE || shared > 1 ? only.documentId : undefined;
}

async function aboutOf(
  index: Retriever,
  subject: string,
  result: SearchResult,
  documentId: string | undefined,
): Promise<readonly DocumentAbout[]> {
  if (documentId === undefined) return documentsAbout(subject, result);
  const [first] = await index.passages(documentId);
  return first === undefined ? [] : [{ documentId, title: first.citation.document, share: 1, precision: 1 }];
}

/** The chapters of a document; only those on the rest of the subject where there are such. */
function chaptersOf(
  passages: readonly SearchHit[],
  title: string,
  rest: ReadonlySet<string>,
  { most, perPart, narrow }: { readonly most: number; readonly perPart: number; readonly narrow: boolean },
): readonly PlacedPart[] {
  const paths = passages.flatMap(({ sections }) => sections.map(({ path }) => path));
  const depth = commonDepth(paths);
  const headings = [...new Set(paths.map((path) => path[depth] ?? ""))];
  const parts = headings.flatMap((heading) =>
    APPARATUS.test(plain(heading))
      ? []
      : partUnder(passages, heading, title, (path) => (path[depth] ?? "") === heading, perPart),
  );
  const wanted = parts.filter(({ heading }) => meets(contentKeys(heading), rest));
  const named = new Set(wanted.flatMap(({ heading }) => [...contentKeys(heading)]));
  if (narrow && ![...rest].every((key) => named.has(key))) return [];
  if (wanted.length > 0) return wanted.slice(0, most);
  if (!narrow) return parts.slice(0, most);
  const summing = parts.filter(({ heading }) => SUMS_UP.test(heading));
  return rest.size > 0 ? [] : (summing.length > 0 ? summing : parts).slice(0, most);
}

function sectionsOf(
  hits: readonly SearchHit[],
  sectionOf: (hit: SearchHit) => readonly string[] | undefined,
  perPart: number,
): readonly PlacedPart[] {
  return hits.flatMap((hit) => {
    const section = sectionOf(hit);
    if (section === undefined) return [];
    const ofDocument = hits.filter(({ documentId }) => documentId === hit.documentId);
    const under = (path: readonly string[]): boolean => section.every((heading, at) => path[at] === heading);
    return partUnder(ofDocument, section.at(-1) ?? "", hit.citation.document, under, perPart);
  });
}

function partUnder(
  passages: readonly SearchHit[],
  heading: string,
  title: string,
  under: (path: readonly string[]) => boolean,
  max: number,
): readonly PlacedPart[] {
  const statements = statementsUnder(passages, under, { subject: `${title} ${heading}`, max });
  const table = tableUnder(passages, under);
  if (statements.length === 0 && table === undefined) return [];
  const withheld = withheldIn(passages)
    .filter(({ path }) => under(path))
    .map(({ citation }) => citation);
  const shown = isPromptInjection(heading) ? "" : plain(heading);
  const documentId = passages[0]?.documentId ?? "";
  // What stands before the first chapter has the title above it, which leads nothing.
  if (shown === "" && statements.length === 0) return [];
  if (shown === "")
    return [
      {
        heading: title,
        statements: statements.map(({ lead: _, ...rest }) => rest),
        withheld,
        documentId,
        title,
        preamble: true,
      },
    ];
  const leads = new Set([shown]);
  return [
    {
      heading: shown,
      statements: statements.map((one) => withFreshLead(one, leads)),
      withheld,
      documentId,
      title,
      preamble: false,
      ...(table === undefined ? {} : { table }),
    },
  ];
}

/** What a document says in the sections whose heading is about a subject, up to `max` sentences. */
export function sectionsOn(
  passages: readonly SearchHit[],
  subject: Question,
  max: number,
): readonly Statement[] {
  const parts = sectionsOf(passages, (hit) => sectionAbout(hit, subject), max);
  return unique(parts)
    .flatMap(({ statements }) => statements)
    .slice(0, max);
}

/** A lead stands once, and not under itself. */
function withFreshLead(statement: Statement, leads: Set<string>): Statement {
  const { lead, ...rest } = statement;
  if (lead === undefined || leads.has(lead)) return rest;
  leads.add(lead);
  return statement;
}

/** A heading with this share of a document under it is its title, not a chapter. */
const TITLE = 0.7;

/** How many headings stand above the chapters. */
function commonDepth(paths: readonly (readonly string[])[]): number {
  let inside = paths.filter((path) => path.length > 0);
  for (let depth = 0; ; depth += 1) {
    const counts = new Map<string, number>();
    for (const path of inside) counts.set(path[depth] ?? "", (counts.get(path[depth] ?? "") ?? 0) + 1);
    const [heading, count] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? ["", 0];
    const below = inside.filter((path) => path[depth] === heading);
    if (heading === "" || count < TITLE * inside.length || below.every((path) => path.length === depth + 1))
      return depth;
    inside = below;
  }
}

const plain = (heading: string): string => heading.replace(NUMBER, "").trim();

const SUMS_UP =
  /\b(?:summary|in brief|at a glance|overview|conclusions?|key (?:facts|findings|messages|points)|findings|lessons|what we (?:take|learned?))\b/i;

/** One part a heading; sentences that stood before are left out. */
function unique<Part extends OutlinePart>(parts: readonly Part[]): readonly Part[] {
  const headings = new Set<string>();
  const said = new Set<string>();
  return parts.flatMap((part) => {
    if (headings.has(part.heading)) return [];
    const statements = part.statements.filter(({ text }) => !said.has(text));
    for (const { text } of statements) said.add(text);
    if (statements.length === 0 && part.table === undefined) return [];
    headings.add(part.heading);
    return [{ ...part, statements }];
  });
}
