import type { DatabaseSync } from "node:sqlite";

import { contentWords } from "../text/words.ts";
import type { Within } from "./find-passages.ts";

/** Longer queries are cut to their rarest words: FTS5 reads the whole posting list of every word. */
const MAX_DISTINCT = 24;
const RAREST = 12;
/** Words of a query that are looked at; beyond it is pasted text, not a question. */
const MAX_WORDS = 2_000;
/** A word in at least this many passages is not rare: of pasted text no more are counted. */
const RARE = 200;

export interface QueryTerm {
  readonly word: string;
  /** As the index stores it. */
  readonly stem: string;
  /** Passages searched that hold it. */
  readonly passages: number;
  /** How often the query says it; a repeated word counts as often. */
  readonly count: number;
}

export interface Query {
  /** What is searched. Words that nothing searched holds are left out. */
  readonly terms: readonly QueryTerm[];
  /** Every content word of the query. */
  readonly words: readonly string[];
  /** Words that nothing searched holds; empty for pasted text. */
  readonly unknown: readonly string[];
}

/** Temporary tables through which FTS5 itself stems a word and tells how frequent it is. */
export function prepareVocabulary(db: DatabaseSync): void {
  db.exec(`
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_words
      USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_stems USING fts5vocab (temp, query_words, instance);
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.index_stems USING fts5vocab (main, chunk_index, row);
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.index_places USING fts5vocab (main, chunk_index, instance);
  `);
}

/**
 * Reads a query against `within` alone: which words are known, rare or unknown must not depend on collections that
 * the caller may not read.
 */
export function readQuery(db: DatabaseSync, text: string, within: Within): Query {
  const all = contentWords(text).slice(0, MAX_WORDS);
  const counts = new Map<string, number>();
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  const stems = stemAll(db, [...counts.keys()]);
  const passagesWith = counter(db, within, counts.size > MAX_DISTINCT ? RARE : -1);
  const terms = [...counts].flatMap(([word, count]): QueryTerm[] => {
    const stem = stems.get(word);
    const passages = stem === undefined ? 0 : passagesWith(word, stem);
    return stem === undefined || passages === 0 ? [] : [{ word, stem, passages, count }];
  });
  const kept =
    terms.length > MAX_DISTINCT ? [...terms].sort((a, b) => a.passages - b.passages).slice(0, RAREST) : terms;
  const words = [...counts.keys()];
  const known = new Set(terms.map((term) => term.word));
  return {
    terms: kept,
    words,
    unknown: words.length > MAX_DISTINCT ? [] : words.filter((word) => !known.has(word)),
  };
}

/** Counts the passages that hold a word up to `most`; -1 is no limit. */
function counter(db: DatabaseSync, within: Within, most: number): (word: string, stem: string) => number {
  const inIndex = db.prepare("SELECT doc FROM temp.index_stems WHERE term = ?");
  const inWhole = (stem: string): number => Number(inIndex.get(stem)?.["doc"] ?? 0);
  if (within === undefined) return (_word, stem) => inWhole(stem);
  const counted = db.prepare(
    `SELECT count(*) AS passages FROM (
       SELECT 1 FROM chunk_index JOIN chunks c ON c.id = chunk_index.rowid JOIN documents d ON d.id = c.document
       WHERE chunk_index MATCH ? AND d.${within.column} IN (SELECT value FROM json_each(?)) LIMIT ?)`,
  );
  const names = JSON.stringify(within.values);
  return (word, stem) =>
    inWhole(stem) === 0 ? 0 : Number(counted.get(`"${word}"`, names, most)?.["passages"] ?? 0);
}

/** An OR of all words: FTS5's own AND finds nothing for a question of ten words. */
export function toMatch(terms: readonly QueryTerm[]): string {
  return terms.flatMap(({ word, count }) => Array.from({ length: count }, () => `"${word}"`)).join(" OR ");
}

function stemAll(db: DatabaseSync, distinct: readonly string[]): ReadonlyMap<string, string> {
  const insert = db.prepare("INSERT INTO temp.query_words (rowid, word) VALUES (?, ?)");
  db.exec("DELETE FROM temp.query_words");
  for (const [at, word] of distinct.entries()) insert.run(at + 1, word);
  const stems = new Map<string, string>();
  for (const row of db.prepare("SELECT doc, term FROM temp.query_stems ORDER BY doc, offset").all()) {
    const word = distinct[Number(row["doc"]) - 1];
    if (word !== undefined && !stems.has(word)) stems.set(word, String(row["term"]));
  }
  return stems;
}
