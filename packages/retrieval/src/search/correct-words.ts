import type { DatabaseSync } from "node:sqlite";

import { editDistance } from "@troupe/core";

import type { Correction } from "../retriever.ts";
import { pageReader } from "../store/page-blocks.ts";
import { words } from "../text/words.ts";
import type { Within } from "./find-passages.ts";

/** Words looked up at most: a text of many unknown words is in another language. */
const MOST_WORDS = 5;
/** Shorter words are one letter from too many others. */
const LEAST_LETTERS = 5;
/** A shorter word with one letter changed is as well another word: roofs, rooms. A letter too many or too few is a slip. */
const LEAST_CHANGED = 7;
/** From this length on two letters may be wrong; before it one. */
const LONG = 8;
/** Terms of the index looked at for a word, the nearest first, and places of each. */
const MOST_TERMS = 12;
const MOST_PLACES = 3;

/**
 * What mistyped words were meant to be: the nearest word in lower case of the documents with the same first
 * letter. A capital makes a name, and a name is never read as another: Iceland is not Ireland.
 *
 * @param unknown words as they are searched, of which the collection has none
 * @param within collections or documents whose words are read; all when undefined
 */
export function correctWords(
  db: DatabaseSync,
  text: string,
  unknown: readonly string[],
  within: Within,
): readonly Correction[] {
  const lower = new Set((text.match(/\p{L}+/gu) ?? []).filter(isLower).flatMap(words));
  return unknown
    .filter((word) => word.length >= LEAST_LETTERS && /^[a-z]+$/.test(word) && lower.has(word))
    .slice(0, MOST_WORDS)
    .flatMap((typed) => {
      const read = nearestTo(db, typed, within);
      return read === undefined ? [] : [{ typed, read }];
    });
}

/** A text with its words as they were meant. */
export function corrected(text: string, corrections: readonly Correction[]): string {
  const read = new Map(corrections.map((one) => [one.typed, one.read]));
  return text.replace(/\p{L}+/gu, (word) => read.get(words(word)[0] ?? "") ?? word);
}

const isLower = (word: string): boolean => /^\p{Ll}+$/u.test(word);

function nearestTo(db: DatabaseSync, typed: string, within: Within): string | undefined {
  const limit = typed.length >= LONG ? 2 : 1;
  let looked = 0;
  const near: { readonly word: string; readonly passages: number; readonly distance: number }[] = [];
  for (const { term, passages } of termsLike(db, typed, limit)) {
    const found = wordsOf(db, term, within);
    // A term of other collections only.
    if (found.length === 0) continue;
    for (const word of found) {
      const distance = editDistance(words(word)[0] ?? "", typed);
      if (distance <= limit && !isOther(word, typed)) near.push({ word, passages, distance });
    }
    looked += 1;
    if (looked === MOST_TERMS) break;
  }
  return near.toSorted((a, b) => a.distance - b.distance || b.passages - a.passages)[0]?.word;
}

/** "delivers" and "delivery" are two forms of a word, and neither is mistyped. */
const isOther = (word: string, typed: string): boolean =>
  word.length === typed.length && (typed.length < LEAST_CHANGED || word.slice(0, -1) === typed.slice(0, -1));

/** Terms of the index are stems: a word's own may be shorter by an ending. */
function termsLike(
  db: DatabaseSync,
  typed: string,
  limit: number,
): readonly { readonly term: string; readonly passages: number }[] {
  const first = typed.charAt(0);
  return db
    .prepare("SELECT term, doc FROM temp.index_stems WHERE term >= ? AND term < ?")
    .all(first, `${first}\u{10FFFF}`)
    .map((row) => ({ term: String(row["term"]), passages: Number(row["doc"]) }))
    .map((one) => ({ ...one, distance: editDistance(one.term, typed.slice(0, one.term.length + limit)) }))
    .filter(({ distance }) => distance <= limit + 1)
    .toSorted((a, b) => a.distance - b.distance || b.passages - a.passages);
}

/** Words in lower case of a few passages that hold a term: one of them is the word it is the stem of. */
function wordsOf(db: DatabaseSync, term: string, within: Within): readonly string[] {
  const readPage = pageReader(db);
  const passages = db
    .prepare(
      `SELECT DISTINCT c.document, c.page, c.start_offset, c.end_offset
       FROM temp.index_places i JOIN chunks c ON c.id = i.doc JOIN documents d ON d.id = c.document
       WHERE i.term = ?1 AND i.col = 'body' AND (?2 IS NULL OR d.${within?.column ?? "collection"} IN (SELECT value FROM json_each(?2))) LIMIT ${MOST_PLACES}`,
    )
    .all(term, within === undefined ? null : JSON.stringify(within.values))
    .map(({ document, page, start_offset, end_offset }) =>
      readPage(Number(document), Number(page), Number(start_offset), Number(end_offset)),
    );
  return [...new Set(passages.flatMap((passage) => passage.text.match(/\p{L}+/gu) ?? []))].filter(
    (word) => isLower(word) && word.startsWith(term.slice(0, 2)),
  );
}
