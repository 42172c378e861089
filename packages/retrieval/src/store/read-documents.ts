import type { DatabaseSync } from "node:sqlite";

import type { CollectionInfo, DocumentInfo, PageText } from "../retriever.ts";
import { newestEditions } from "./newest-editions.ts";
import { pageReader } from "./page-blocks.ts";
import { DOCUMENT_COLUMNS, text, toDocumentRow, toRef } from "./rows.ts";

export function listCollections(db: DatabaseSync): readonly CollectionInfo[] {
  const rows = db
    .prepare(
      `SELECT collection, count(*) AS documents, sum(passages) AS passages
       FROM documents GROUP BY collection ORDER BY collection`,
    )
    .all();
  return rows.map((row) => ({
    name: text(row, "collection"),
    documents: Number(row["documents"]),
    passages: Number(row["passages"]),
  }));
}

/** Documents of one collection or of all, by collection and source. */
export function listDocuments(db: DatabaseSync, collection: string | undefined): readonly DocumentInfo[] {
  const rows = db
    .prepare(
      `SELECT ${DOCUMENT_COLUMNS}, d.media_type, d.pages, d.bytes, d.sha256, d.ingested_at, d.passages
       FROM documents d WHERE ?1 IS NULL OR d.collection = ?1 ORDER BY d.collection, d.source`,
    )
    .all(collection ?? null);
  const documents = rows.map(toDocumentRow);
  const newest = newestEditions(db, documents);
  return rows.map((row, at) => {
    const document = documents[at] ?? toDocumentRow(row);
    const newer = newest.get(document.key);
    return {
      ...toRef(document),
      collection: document.collection,
      mediaType: text(row, "media_type"),
      pages: Number(row["pages"]),
      paged: document.paged,
      bytes: Number(row["bytes"]),
      passages: Number(row["passages"]),
      sha256: text(row, "sha256"),
      ingestedAt: Number(row["ingested_at"]),
      withdrawn: document.withdrawn,
      ...(newer === undefined ? {} : { newerVersion: toRef(newer) }),
    };
  });
}

export function readPage(db: DatabaseSync, documentId: string, page: number): PageText | undefined {
  const row = db
    .prepare(
      `SELECT ${DOCUMENT_COLUMNS}, d.pages, p.page, p.label
       FROM documents d JOIN pages p ON p.document = d.id WHERE d.document_id = ? AND p.page = ?`,
    )
    .get(documentId, page);
  if (!row) return undefined;
  const document = toDocumentRow(row);
  return {
    document: toRef(document),
    collection: document.collection,
    paged: document.paged,
    page,
    pages: Number(row["pages"]),
    ...(row["label"] === null ? {} : { label: text(row, "label") }),
    text: pageReader(db)(document.key, page, 0, Number.MAX_SAFE_INTEGER).text,
  };
}

/** What ingestion must know of a document that may be there already. */
export interface StoredState {
  readonly documentId: string;
  readonly source: string;
  readonly origin: string;
  readonly sha256: string;
  readonly pipeline: number;
}

export function readStates(db: DatabaseSync, collection: string): readonly StoredState[] {
  return db
    .prepare("SELECT document_id, source, origin, sha256, pipeline FROM documents WHERE collection = ?")
    .all(collection)
    .map((row) => ({
      documentId: text(row, "document_id"),
      source: text(row, "source"),
      origin: text(row, "origin"),
      sha256: text(row, "sha256"),
      pipeline: Number(row["pipeline"]),
    }));
}
