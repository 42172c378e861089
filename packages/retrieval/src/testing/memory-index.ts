import { systemClock } from "@troupe/core";

import { parseDocument } from "../parse/parse-document.ts";
import type { Retriever } from "../retriever.ts";
import { openStore } from "../store/index-store.ts";

/** A retriever over documents given as text, by collection and file name. It keeps nothing. */
export async function memoryIndex(collections: {
  readonly [collection: string]: { readonly [source: string]: string };
}): Promise<Retriever> {
  const store = openStore(":memory:");
  for (const [collection, documents] of Object.entries(collections))
    for (const [source, content] of Object.entries(documents)) {
      const bytes = new TextEncoder().encode(content);
      const document = await parseDocument(bytes, source);
      store.write({
        collection,
        source,
        origin: source,
        sha256: source,
        bytes: bytes.length,
        ingestedAt: systemClock.now(),
        document,
      });
    }
  return {
    search: async (query, options = {}) => store.search(query, options),
    collections: async () => store.collections(),
    documents: async (collection) => store.documents(collection),
    page: async (documentId, page) => store.page(documentId, page),
    outline: async (documentId) => store.outline(documentId),
    passages: async (documentId) => store.passages(documentId),
    deleteDocument: async (documentId) => store.deleteDocument(documentId),
    close: async () => store.close(),
  };
}
