import type { DatabaseSync } from "node:sqlite";

import { isNewer, names } from "./editions.ts";
import { DOCUMENT_COLUMNS, toDocumentRow, type DocumentRow } from "./rows.ts";

/** The newest later edition of each document that has one, by row id. */
export function newestEditions(
  db: DatabaseSync,
  documents: readonly DocumentRow[],
): ReadonlyMap<number, DocumentRow> {
  const family = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.collection = ? AND d.family = ?`,
  );
  const superseding = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.collection = ? AND d.supersedes <> '[]'`,
  );
  const claims = new Map<string, readonly DocumentRow[]>();
  const newest = new Map<number, DocumentRow>();
  for (const document of new Map(documents.map((row) => [row.key, row])).values()) {
    const { collection } = document;
    const claiming = claims.get(collection) ?? superseding.all(collection).map(toDocumentRow);
    claims.set(collection, claiming);
    for (const other of [...family.all(collection, document.family).map(toDocumentRow), ...claiming]) {
      const ofOneFamily = other.family === document.family || names(other, document);
      if (other.key === document.key || !ofOneFamily || !isNewer(other, document)) continue;
      const best = newest.get(document.key);
      if (!best || isNewer(other, best)) newest.set(document.key, other);
    }
  }
  return newest;
}
