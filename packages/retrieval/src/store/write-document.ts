import type { DatabaseSync } from "node:sqlite";

import { chunkDocument, documentIdOf } from "../chunk/chunk-document.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";
import { indexText } from "../text/words.ts";
import { transaction } from "./database.ts";
import { familyOf } from "./editions.ts";
import { pageWriter } from "./page-blocks.ts";

/** Raised when parsing or chunking changes, so that unchanged files are read again. */
export const PIPELINE_VERSION = 7;

export interface DocumentWrite {
  readonly collection: string;
  readonly source: string;
  /** Where the file lies, to tell two files with one source apart. */
  readonly origin: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly ingestedAt: number;
  readonly document: ParsedDocument;
}

export interface Written {
  readonly documentId: string;
  readonly passages: number;
}

/** Puts a document in the place of its earlier state, or as a new one: wholly or not at all. */
export function writeDocument(db: DatabaseSync, write: DocumentWrite): Written {
  const { document } = write;
  const documentId = documentIdOf(write.collection, write.source);
  const pages = chunkDocument(documentId, document.pages);
  const insertPage = db.prepare("INSERT INTO pages (document, page, label) VALUES (?, ?, ?)");
  const writePage = pageWriter(db);
  const insertChunk = db.prepare(
    "INSERT INTO chunks (chunk_id, document, page, start_offset, end_offset) VALUES (?, ?, ?, ?, ?)",
  );
  const insertIndex = db.prepare("INSERT INTO chunk_index (rowid, title, section, body) VALUES (?, ?, ?, ?)");
  const passages = pages.reduce((sum, page) => sum + page.chunks.length, 0);
  transaction(db, () => {
    removeDocument(db, documentId);
    const key = insertDocument(db, documentId, passages, write);
    for (const { page, sections, chunks } of pages) {
      insertPage.run(key, page.number, page.label ?? null);
      writePage(key, page.number, page.text, sections);
      for (const chunk of chunks) {
        const { lastInsertRowid } = insertChunk.run(chunk.id, key, page.number, chunk.start, chunk.end);
        insertIndex.run(
          lastInsertRowid,
          indexText(document.title),
          indexText(chunk.section.join(" / ")),
          indexText(page.text.slice(chunk.start, chunk.end)),
        );
      }
    }
  });
  return { documentId, passages };
}

function insertDocument(
  db: DatabaseSync,
  documentId: string,
  passages: number,
  write: DocumentWrite,
): number | bigint {
  const { document } = write;
  return db
    .prepare(
      `INSERT INTO documents (document_id, collection, source, origin, title, media_type, sha256, pipeline, bytes,
        paged, pages, passages, published, version, family, supersedes, withdrawn, ingested_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      documentId,
      write.collection,
      write.source,
      write.origin,
      document.title,
      document.mediaType,
      write.sha256,
      PIPELINE_VERSION,
      write.bytes,
      document.paged ? 1 : 0,
      document.pages.length,
      passages,
      document.edition.published ?? null,
      document.edition.version ?? null,
      familyOf(document.title, write.source),
      JSON.stringify(document.edition.supersedes),
      document.edition.withdrawn ? 1 : 0,
      write.ingestedAt,
    ).lastInsertRowid;
}

/** Inside a transaction of the caller's. False when it was not there. */
export function removeDocument(db: DatabaseSync, documentId: string): boolean {
  db.prepare(
    `DELETE FROM chunk_index WHERE rowid IN
      (SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document WHERE d.document_id = ?)`,
  ).run(documentId);
  return Number(db.prepare("DELETE FROM documents WHERE document_id = ?").run(documentId).changes) > 0;
}
