import type { DatabaseSync } from "node:sqlite";

import type {
  CollectionInfo,
  DocumentInfo,
  Outline,
  PageText,
  SearchHit,
  SearchOptions,
  SearchResult,
} from "../retriever.ts";
import { prepareVocabulary } from "../search/query-terms.ts";
import { passagesOf, searchIndex } from "../search/search-index.ts";
import { openDatabase, toStoreError, transaction } from "./database.ts";
import { pickCollections } from "./pick-collections.ts";
import { listCollections, listDocuments, readPage, readStates, type StoredState } from "./read-documents.ts";
import { readOutline } from "./read-outline.ts";
import { removeDocument, writeDocument, type DocumentWrite, type Written } from "./write-document.ts";

/** The index, synchronously: what runs on the worker thread. Every call is one transaction. */
export interface IndexStore {
  search(query: string, options: SearchOptions): SearchResult;
  collections(): readonly CollectionInfo[];
  documents(collection: string | undefined): readonly DocumentInfo[];
  page(documentId: string, page: number): PageText | undefined;
  outline(documentId: string): Outline | undefined;
  passages(documentId: string): readonly SearchHit[];
  states(collection: string): readonly StoredState[];
  write(write: DocumentWrite): Written;
  deleteDocument(documentId: string): boolean;
  close(): void;
}

/** Opens or makes the index file. Throws a `StoreError` for a file that cannot be used. */
export function openStore(path: string): IndexStore {
  const db = openDatabase(path);
  prepareVocabulary(db);
  const guarded = <A extends readonly unknown[], R>(work: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      try {
        return work(...args);
      } catch (error) {
        throw toStoreError(error);
      }
    };
  };
  return {
    search: guarded((query: string, options: SearchOptions) =>
      snapshot(db, () => searchIndex(db, query, options)),
    ),
    collections: guarded(() => listCollections(db)),
    documents: guarded((collection: string | undefined) =>
      snapshot(db, () => {
        pickCollections(listCollections(db), collection);
        return listDocuments(db, collection);
      }),
    ),
    page: guarded((documentId: string, page: number) => readPage(db, documentId, page)),
    outline: guarded((documentId: string) => snapshot(db, () => readOutline(db, documentId))),
    passages: guarded((documentId: string) => snapshot(db, () => passagesOf(db, documentId))),
    states: guarded((collection: string) => readStates(db, collection)),
    write: guarded((write: DocumentWrite) => writeDocument(db, write)),
    deleteDocument: guarded((documentId: string) => transaction(db, () => removeDocument(db, documentId))),
    close: () => db.close(),
  };
}

/** Several reads that see one state, whatever another process writes meanwhile. */
function snapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN");
  try {
    return work();
  } finally {
    db.exec("COMMIT");
  }
}
