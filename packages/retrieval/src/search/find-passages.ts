import type { DatabaseSync } from "node:sqlite";

import type { SectionMark } from "../chunk/sections.ts";
import {
  DOCUMENT_COLUMNS,
  text,
  toDocumentRow,
  toSections,
  type DocumentRow,
  type Row,
} from "../store/rows.ts";

/** Names of the collections to look in; all when undefined. */
export type Within = readonly string[] | undefined;

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

/** The best passages by BM25, best first; ties in order of ingestion. */
export function findPassages(
  db: DatabaseSync,
  match: string,
  within: Within,
  limit: number,
): readonly Passage[] {
  const rows = db
    .prepare(
      `SELECT c.chunk_id, c.page, c.start_offset, c.end_offset, bm25(chunk_index, ${COLUMN_WEIGHTS}) AS rank_score,
        ${DOCUMENT_COLUMNS}
       FROM chunk_index JOIN chunks c ON c.id = chunk_index.rowid JOIN documents d ON d.id = c.document
       WHERE chunk_index MATCH ?1 AND (?2 IS NULL OR d.collection IN (SELECT value FROM json_each(?2)))
       ORDER BY rank_score, c.id LIMIT ?3`,
    )
    .all(match, within === undefined ? null : JSON.stringify(within), limit);
  const readPage = pageReader(db);
  return rows.map((row) => toPassage(row, readPage));
}

/** The passages of one document from its beginning. */
export function findDocument(db: DatabaseSync, documentId: string, limit: number): readonly Passage[] {
  const rows = db
    .prepare(
      `SELECT c.chunk_id, c.page, c.start_offset, c.end_offset, 0 AS rank_score, ${DOCUMENT_COLUMNS}
       FROM chunks c JOIN documents d ON d.id = c.document
       WHERE d.document_id = ?1 ORDER BY c.page, c.start_offset LIMIT ?2`,
    )
    .all(documentId, limit);
  const readPage = pageReader(db);
  return rows.map((row) => toPassage(row, readPage));
}

function toPassage(row: Row, readPage: (document: number, page: number) => Row): Passage {
  const document = toDocumentRow(row);
  const page = Number(row["page"]);
  const stored = readPage(document.key, page);
  const start = Number(row["start_offset"]);
  const end = Number(row["end_offset"]);
  return {
    chunkId: text(row, "chunk_id"),
    document,
    documentKey: document.key,
    page,
    ...(stored["label"] === null || stored["label"] === undefined ? {} : { label: text(stored, "label") }),
    sections: toSections(stored),
    start,
    end,
    text: text(stored, "text").slice(start, end),
    score: -Number(row["rank_score"]),
  };
}

/** Passages often share a page, and a page of Markdown is the whole file: read it once. */
function pageReader(db: DatabaseSync): (document: number, page: number) => Row {
  const statement = db.prepare("SELECT label, text, sections FROM pages WHERE document = ? AND page = ?");
  const read = new Map<string, Row>();
  return (document, page) => {
    const key = `${document}/${page}`;
    const known = read.get(key);
    if (known) return known;
    const row = statement.get(document, page) ?? {};
    read.set(key, row);
    return row;
  };
}
