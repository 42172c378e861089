import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@troupe/core";

import { parseDocument } from "../parse/parse-document.ts";
import { openStore } from "../store/index-store.ts";
import { retrieverContract } from "../testing/retriever-contract.ts";
import { openIndex } from "./open-index.ts";

retrieverContract({
  name: "index store",
  async open(collections) {
    const store = openStore(":memory:");
    for (const [collection, documents] of Object.entries(collections))
      for (const [source, content] of Object.entries(documents)) {
        const bytes = new TextEncoder().encode(content);
        const document = await parseDocument(bytes, source);
        const ingestedAt = systemClock.now();
        store.write({
          collection,
          source,
          origin: source,
          sha256: source,
          bytes: bytes.length,
          ingestedAt,
          document,
        });
      }
    return {
      search: async (query, options = {}) => store.search(query, options),
      collections: async () => store.collections(),
      documents: async (collection) => store.documents(collection),
      page: async (documentId, page) => store.page(documentId, page),
      passages: async (documentId) => store.passages(documentId),
      deleteDocument: async (documentId) => store.deleteDocument(documentId),
      close: async () => store.close(),
    };
  },
});

retrieverContract({
  name: "openIndex",
  async open(collections) {
    const folder = mkdtempSync(join(tmpdir(), "contract-"));
    const index = await openIndex({ path: join(folder, "index.db") });
    for (const [collection, documents] of Object.entries(collections)) {
      mkdirSync(join(folder, collection));
      for (const [name, content] of Object.entries(documents))
        writeFileSync(join(folder, collection, name), content);
      await index.ingest([join(folder, collection)], { collection });
    }
    return {
      ...index,
      async close() {
        await index.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
