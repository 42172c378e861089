import type { SQLOutputValue } from "node:sqlite";

import type { SectionMark } from "../chunk/sections.ts";
import type { DocumentRef } from "../retriever.ts";
import type { EditionRow } from "./editions.ts";

export type Row = { readonly [column: string]: SQLOutputValue };

/** A document as search and lists need it. `key` is its row id. */
export interface DocumentRow extends EditionRow {
  readonly key: number;
  readonly documentId: string;
  readonly collection: string;
  readonly family: string;
  readonly paged: boolean;
}

export const DOCUMENT_COLUMNS =
  "d.id, d.document_id, d.collection, d.source, d.title, d.paged, d.published, d.version, d.family, d.supersedes, d.withdrawn";

export function toDocumentRow(row: Row): DocumentRow {
  return {
    key: Number(row["id"]),
    documentId: text(row, "document_id"),
    collection: text(row, "collection"),
    source: text(row, "source"),
    title: text(row, "title"),
    family: text(row, "family"),
    paged: row["paged"] === 1,
    ...(row["published"] === null ? {} : { published: text(row, "published") }),
    ...(row["version"] === null ? {} : { version: text(row, "version") }),
    supersedes: JSON.parse(text(row, "supersedes")) as readonly string[],
    withdrawn: row["withdrawn"] === 1,
  };
}

export function toRef(row: DocumentRow): DocumentRef {
  return {
    documentId: row.documentId,
    title: row.title,
    source: row.source,
    ...(row.published === undefined ? {} : { published: row.published }),
    ...(row.version === undefined ? {} : { version: row.version }),
  };
}

export function toSections(row: Row): readonly SectionMark[] {
  return JSON.parse(text(row, "sections")) as readonly SectionMark[];
}

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}
