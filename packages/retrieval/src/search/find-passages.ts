import type { DatabaseSync } from "node:sqlite";

import type { SectionMark } from "../chunk/sections.ts";
import { pageReader } from "../store/page-blocks.ts";
import { DOCUMENT_COLUMNS, text, toDocumentRow, type DocumentRow, type Row } from "../store/rows.ts";

/** The collections (by name) or documents (by id) to look in; everything when undefined. */
export type Within =
  | { readonly column: "collection" | "document_id"; readonly values: readonly string[] }
  | undefined;

export interface Passage {
  readonly chunkId: string;
  readonly document: DocumentRow;
  readonly documentKey: number;
  readonly page: number;
  readonly label?: string;
  readonly sections: readonly SectionMark[];
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** BM25, larger is better. */
  readonly score: number;
}

/** Title, headings above, passage: equal weights did best on Cranfield (0.5, 1.2 and 2 were tried). */
const COLUMN_WEIGHTS = "1.0, 1.0, 1.0";

const CHUNK_COLUMNS = "c.chunk_id, c.page, c.start_offset, c.end_offset, p.label";
const CHUNK_SOURCE =
  "chunks c JOIN documents d ON d.id = c.document JOIN pages p ON p.document = c.document AND p.page = c.page";

/** The best passages by BM25, best first; ties in order of ingestion. */
export function findPassages(
  db: DatabaseSync,
  match: string,
  within: Within,
  limit: number,
): readonly Passage[] {
  const read = passageReader(db);
  const select = db.prepare(
    `SELECT ${CHUNK_COLUMNS}, ${DOCUMENT_COLUMNS} FROM ${CHUNK_SOURCE} WHERE c.id = ?`,
  );
  // Whatever is joined here is joined for every passage that matches, so only the best are looked up.
  return rank(db, match, within, limit).flatMap((ranked) => {
    const row = select.get(Number(ranked["id"]));
    return row ? [read(row, -Number(ranked["rank_score"]))] : [];
  });
}

function rank(db: DatabaseSync, match: string, within: Within, limit: number): readonly Row[] {
  const columns = `chunk_index.rowid AS id, bm25(chunk_index, ${COLUMN_WEIGHTS}) AS rank_score`;
  const order = "ORDER BY rank_score, chunk_index.rowid LIMIT";
  if (within === undefined)
    return db
      .prepare(`SELECT ${columns} FROM chunk_index WHERE chunk_index MATCH ?1 ${order} ?2`)
      .all(match, limit);
  return db
    .prepare(
      `SELECT ${columns}
       FROM chunk_index JOIN chunks c ON c.id = chunk_index.rowid JOIN documents d ON d.id = c.document
       WHERE chunk_index MATCH ?1 AND d.${within.column} IN (SELECT value FROM json_each(?2)) ${order} ?3`,
    )
    .all(match, JSON.stringify(within.values), limit);
}

/** The passages of one document from its beginning. */
export function findDocument(db: DatabaseSync, documentId: string, limit: number): readonly Passage[] {
  const read = passageReader(db);
  return db
    .prepare(
      `SELECT ${CHUNK_COLUMNS}, ${DOCUMENT_COLUMNS} FROM ${CHUNK_SOURCE}
       WHERE d.document_id = ?1 ORDER BY c.page, c.start_offset LIMIT ?2`,
    )
    .all(documentId, limit)
    .map((row) => read(row, 0));
}

/** The passages of the same document before and after each of these, at most `count` on either side, in order. */
export function neighbourReader(
  db: DatabaseSync,
  count: number,
): (passage: Passage) => { readonly before: readonly Passage[]; readonly after: readonly Passage[] } {
  const read = passageReader(db);
  const select = (comparison: string, order: string) =>
    db.prepare(
      `SELECT ${CHUNK_COLUMNS}, ${DOCUMENT_COLUMNS} FROM ${CHUNK_SOURCE}
       WHERE c.document = ?1 AND (c.page, c.start_offset) ${comparison} (?2, ?3)
       ORDER BY c.page ${order}, c.start_offset ${order} LIMIT ?4`,
    );
  const [before, after] = [select("<", "DESC"), select(">", "ASC")];
  return ({ documentKey, page, start }) => ({
    before: before
      .all(documentKey, page, start, count)
      .map((row) => read(row, 0))
      .toReversed(),
    after: after.all(documentKey, page, start, count).map((row) => read(row, 0)),
  });
}

/** Passages often share a document: its row is read once. */
function passageReader(db: DatabaseSync): (row: Row, score: number) => Passage {
  const readPage = pageReader(db);
  const documents = new Map<number, DocumentRow>();
  return (row, score) => {
    const key = Number(row["id"]);
    const document = documents.get(key) ?? toDocumentRow(row);
    documents.set(key, document);
    const page = Number(row["page"]);
    const start = Number(row["start_offset"]);
    const end = Number(row["end_offset"]);
    return {
      chunkId: text(row, "chunk_id"),
      document,
      documentKey: key,
      page,
      ...(row["label"] === null ? {} : { label: text(row, "label") }),
      ...readPage(key, page, start, end),
      start,
      end,
      score,
    };
  };
}
