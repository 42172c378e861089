import type { DatabaseSync } from "node:sqlite";

import { InputError } from "@troupe/core/errors";
import type { Citation } from "@troupe/stream";

import { shortHash } from "../chunk/chunk-document.ts";
import { sectionAt } from "../chunk/sections.ts";
import type { CollectionInfo, Correction, SearchHit, SearchOptions, SearchResult } from "../retriever.ts";
import { newestEditions } from "../store/newest-editions.ts";
import { pickCollections } from "../store/pick-collections.ts";
import { listCollections } from "../store/read-documents.ts";
import { toRef } from "../store/rows.ts";
import { contentKeys, wordKey } from "../text/words.ts";
import { bestQuote } from "./best-quote.ts";
import { findDocument, findPassages, neighbourReader, type Passage, type Within } from "./find-passages.ts";
import { correctWords, corrected } from "./correct-words.ts";
import { readQuery, toMatch, type Query, type QueryTerm } from "./query-terms.ts";
import { rankPassages, type Ranked } from "./rank-passages.ts";

const DEFAULT_LIMIT = 8;
export const MAX_LIMIT = 50;
/** Hits that can be skipped: later ones are rarely about the query. */
export const MAX_OFFSET = 450;
const MAX_NEIGHBOURS = 3;
/** Passages ranked for one hit: enough for variety, few enough to compare texts. */
const POOL_PER_HIT = 6;
/**
 * What scores less than this share of the best shares only words with the query that stand
 * everywhere. In a small index every word does, so nothing is left out there.
 */
const LEAST_SHARE = 0.02;
const SMALL_INDEX = 50;
/** Passages of one document that are handed over at once. */
const MAX_PASSAGES = 400;
/** Words of a query that is read as typed by a person. */
const MAX_CORRECTED = 24;
/** A table of contents has the words of every question and answers none. */
const CONTENTS = 0.2;

/** Searches one index; the caller prepared its vocabulary. */
export function searchIndex(db: DatabaseSync, text: string, options: SearchOptions = {}): SearchResult {
  const { limit = DEFAULT_LIMIT, offset = 0, neighbours = 0 } = options;
  requireWhole("limit", limit, 1, MAX_LIMIT);
  requireWhole("offset", offset, 0, MAX_OFFSET);
  requireWhole("neighbours", neighbours, 0, MAX_NEIGHBOURS);
  const all = listCollections(db);
  const collections = pickCollections(all, options.collection, options.among);
  const { within, searched } = pickDocuments(db, all, collections, options.documents);
  const { query, corrections } = readCorrected(db, text, within);
  const { terms: known, unknown: unknownWords } = query;
  const terms = [
    ...known.map(({ word, passages }) => ({ word, passages })),
    ...unknownWords.map((word) => ({ word, passages: 0 })),
  ];
  if (known.length === 0) return { hits: [], terms, searched, unknownWords, corrections };
  // Each page considers only the candidates of its own reach, so that reading on never changes earlier pages.
  const reach = (position: number): number => limit * (Math.floor(position / limit) + 1) * POOL_PER_HIT + 20;
  const wanted = offset + limit;
  const found = findPassages(db, toMatch(known), within, reach(wanted - 1));
  const newer = newestEditions(
    db,
    found.map((passage) => passage.document),
  );
  const candidates = found.map((passage) => ({
    ...passage,
    score: isContents(passage) ? passage.score * CONTENTS : passage.score,
    superseded: newer.has(passage.documentKey),
  }));
  const weights = new Map(known.map((term) => [wordKey(term.word), weightOf(term, searched.passages)]));
  const least = searched.passages < SMALL_INDEX ? 0 : (found[0]?.score ?? 0) * LEAST_SHARE;
  const worthwhile = candidates.filter((candidate) => candidate.score >= least);
  const ranked = rankPassages(worthwhile, wanted + 1, (position) => reach(Math.min(position, wanted - 1)));
  const around = neighbours === 0 ? undefined : neighbourReader(db, neighbours);
  const hits = ranked.slice(offset, wanted).map((one): SearchHit => {
    const hit = toHit(one, weights, newer);
    if (around === undefined) return hit;
    const { before, after } = around(one.passage);
    const beside = (passages: readonly Passage[]): readonly SearchHit[] =>
      passages.map((passage) =>
        toHit(
          { passage: { ...passage, superseded: one.passage.superseded }, score: 0, same: [] },
          weights,
          newer,
        ),
      );
    return { ...hit, before: beside(before), after: beside(after) };
  });
  const more = ranked.length > wanted ? { more: true as const } : {};
  return { hits, ...more, terms, searched, unknownWords, corrections };
}

function requireWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(
    "input.invalid",
    `${name} is ${value}; it must be a whole number from ${least} to ${most}, such as ${name}: ${Math.max(least, 1)}.`,
  );
}

/** What to search, and its size. Documents of other collections are treated as missing. */
function pickDocuments(
  db: DatabaseSync,
  all: readonly CollectionInfo[],
  collections: readonly CollectionInfo[],
  documents: readonly string[] | undefined,
): { readonly within: Within; readonly searched: SearchResult["searched"] } {
  const names = collections.map((collection) => collection.name);
  if (documents === undefined) {
    // Where every collection is searched, there is no need to look up the collection of a passage.
    const within: Within =
      collections.length === all.length ? undefined : { column: "collection", values: names };
    const searched = {
      collections: names,
      documents: sum(collections.map((collection) => collection.documents)),
      passages: sum(collections.map((collection) => collection.passages)),
    };
    return { within, searched };
  }
  const rows = db
    .prepare(
      `SELECT document_id, collection, passages FROM documents
       WHERE document_id IN (SELECT value FROM json_each(?)) AND collection IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(documents), JSON.stringify(names));
  return {
    within: { column: "document_id", values: rows.map((row) => String(row["document_id"])) },
    searched: {
      collections: [...new Set(rows.map((row) => String(row["collection"])))],
      documents: rows.length,
      passages: sum(rows.map((row) => Number(row["passages"]))),
    },
  };
}

/** The query, read again where words of it are mistyped; words of other collections are none of its business. */
function readCorrected(
  db: DatabaseSync,
  text: string,
  within: Within,
): { readonly query: Query; readonly corrections: readonly Correction[] } {
  const query = readQuery(db, text, within);
  if (query.words.length > MAX_CORRECTED) return { query, corrections: [] };
  const corrections = correctWords(db, text, query.unknown, within);
  return corrections.length === 0
    ? { query, corrections }
    : { query: readQuery(db, corrected(text, corrections), within), corrections };
}

/** All passages of a document in their order, as hits that nothing was asked of. */
export function passagesOf(db: DatabaseSync, documentId: string): readonly SearchHit[] {
  const found = findDocument(db, documentId, MAX_PASSAGES);
  const newer = newestEditions(
    db,
    found.map((passage) => passage.document),
  );
  return found.map((passage) => {
    const superseded = newer.has(passage.documentKey);
    return toHit({ passage: { ...passage, superseded }, score: 0, same: [] }, new Map(), newer);
  });
}

/** The usual inverse document frequency, never negative. */
function weightOf(term: QueryTerm, passages: number): number {
  return Math.log(1 + passages / Math.max(1, term.passages));
}

function toHit(
  { passage, score, same }: Ranked<Passage & { readonly superseded: boolean }>,
  weights: ReadonlyMap<string, number>,
  newer: ReturnType<typeof newestEditions>,
): SearchHit {
  const { document } = passage;
  const newerVersion = newer.get(passage.documentKey);
  const citation = toCitation(passage, weights);
  return {
    citation,
    text: passage.text,
    start: passage.start,
    sections: sectionsIn(passage),
    documentId: document.documentId,
    score,
    coverage: coverageOf(`${document.title} ${passage.text}`, weights),
    ...(document.published === undefined ? {} : { published: document.published }),
    ...(document.version === undefined ? {} : { version: document.version }),
    withdrawn: document.withdrawn,
    ...(newerVersion === undefined ? {} : { newerVersion: toRef(newerVersion) }),
    alsoIn: same.map((other) => toRef(other.document)),
  };
}

/** Marks of the page cut to the passage. */
function sectionsIn({ sections, start, text }: Passage): SearchHit["sections"] {
  const inside = sections.filter((mark) => mark.start > start && mark.start < start + text.length);
  return [
    { start: 0, path: sectionAt(sections, start) },
    ...inside.map((mark) => ({ start: mark.start - start, path: mark.path })),
  ];
}

/**
 * The heading over a passage. If the passage spans several sections, the first and the last, as `Trains – Hotels`,
 * because the quote may be from any of them. A heading without text under it, such as a title, does not count.
 */
function sectionOf(passage: Passage): string | undefined {
  const marks = sectionsIn(passage);
  const headings = marks.flatMap(({ start, path }, at) => {
    const heading = path.at(-1) ?? "";
    const text = passage.text.slice(start, marks[at + 1]?.start).trim();
    return text === "" || text === heading ? [] : [heading];
  });
  const [first, last] = [headings.find((heading) => heading !== ""), headings.at(-1)];
  if (first === undefined || last === undefined) return marks[0]?.path.at(-1);
  return first === last ? first : `${first} – ${last}`;
}

function isContents(passage: Passage): boolean {
  const section = sectionAt(passage.sections, passage.start).at(-1) ?? "";
  return /^(?:table of )?contents$/i.test(section);
}

function toCitation(passage: Passage, weights: ReadonlyMap<string, number>): Citation {
  const quote = bestQuote(passage.text, weights);
  const start = passage.start + quote.start;
  const end = passage.start + quote.end;
  const section = sectionOf(passage);
  return {
    id: `c${shortHash(passage.chunkId, String(start), String(end)).slice(0, 8)}`,
    document: passage.document.title,
    source: passage.document.source,
    ...(passage.document.paged ? { page: passage.page } : {}),
    ...(passage.label === undefined ? {} : { pageLabel: passage.label }),
    ...(section === undefined ? {} : { section }),
    collection: passage.document.collection,
    chunkId: passage.chunkId,
    quote: passage.text.slice(quote.start, quote.end),
    start,
    end,
  };
}

function coverageOf(text: string, weights: ReadonlyMap<string, number>): number {
  const keys = contentKeys(text);
  const total = sum([...weights.values()]);
  const held = sum([...weights].map(([key, weight]) => (keys.has(key) ? weight : 0)));
  return total === 0 ? 0 : Math.round((held / total) * 1000) / 1000;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
