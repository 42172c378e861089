import type { DatabaseSync } from "node:sqlite";

import { familyOf, names } from "./editions.ts";
import { newestOf } from "./newest-of.ts";
import { DOCUMENT_COLUMNS, toDocumentRow, type DocumentRow, type Row } from "./rows.ts";

/** The edition in force of each document that has a later one, by row id. */
export function newestEditions(
  db: DatabaseSync,
  documents: readonly DocumentRow[],
): ReadonlyMap<number, DocumentRow> {
  const ofFamily = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.collection = ? AND d.family = ?`,
  );
  const superseding = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.collection = ? AND d.supersedes <> '[]'`,
  );
  const asked = new Map(documents.map((row) => [row.key, row]));
  const known = new Map(asked);
  // One object a document, however often it is read.
  const toKnown = (row: Row): DocumentRow => {
    const read = toDocumentRow(row);
    const document = known.get(read.key) ?? read;
    known.set(document.key, document);
    return document;
  };
  const families = new Map<string, readonly DocumentRow[]>();
  const claims = new Map<string, readonly DocumentRow[]>();
  const newest = newestOf((document: DocumentRow) => {
    const { collection, family } = document;
    const key = JSON.stringify([collection, family]);
    const relatives = families.get(key) ?? ofFamily.all(collection, family).map(toKnown);
    families.set(key, relatives);
    const claiming = claims.get(collection) ?? superseding.all(collection).map(toKnown);
    claims.set(collection, claiming);
    const own = familyOf(document.title, document.source);
    return [
      // In older indexes all documents with the same placeholder title are one family.
      ...relatives.filter((other) => other !== document && familyOf(other.title, other.source) === own),
      ...claiming.filter((other) => other.family !== family && names(other, document)),
    ];
  });
  const found = new Map<number, DocumentRow>();
  for (const document of asked.values()) {
    const newer = newest(document);
    if (newer !== undefined) found.set(document.key, newer);
  }
  return found;
}
