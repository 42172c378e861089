import { resolve } from "node:path";

import { silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { ingestFiles, type IngestOptions } from "../ingest/ingest-files.ts";
import type { IngestReport } from "../ingest/report.ts";
import { DEFAULT_PARSE_LIMITS, type ParseLimits } from "../parse/parsed-document.ts";
import type { Retriever } from "../retriever.ts";
import { parserProcess } from "./parser-process.ts";
import { openThreadStore } from "./thread-store.ts";

export interface OpenIndexOptions {
  /** The index file; made with its folder when it is not there. Several processes may open it. */
  readonly path: string;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly limits?: Partial<ParseLimits>;
  /** Longest time for reading one file, in milliseconds. 60 s by default. */
  readonly parseTimeoutMs?: number;
  /** Most memory for reading one file, in megabytes. 1,024 by default. */
  readonly parseMemoryMb?: number;
}

/** A retriever over one index file that can also take documents in. */
export interface RetrievalIndex extends Retriever {
  /**
   * Ingests files and folders. Throws an `InputError` when there is nothing to ingest at all and a
   * `StoreError` when the index cannot be written; a file that fails is only reported.
   */
  ingest(paths: readonly string[], options: IngestOptions): Promise<IngestReport>;
}

/**
 * Opens an index. Queries run on a thread of their own, files are parsed in a child process that is
 * started for an ingest and ended with it. Throws a `StoreError` for a file that cannot be used.
 */
export async function openIndex(options: OpenIndexOptions): Promise<RetrievalIndex> {
  const { clock = systemClock, log = silentLog } = options;
  const limits = { ...DEFAULT_PARSE_LIMITS, ...options.limits };
  const store = await openThreadStore(resolve(options.path));
  return {
    search: (query, searchOptions = {}) => store.search(query, searchOptions),
    collections: () => store.collections(),
    documents: (collection) => store.documents(collection),
    page: (documentId, page) => store.page(documentId, page),
    outline: (documentId) => store.outline(documentId),
    passages: (documentId) => store.passages(documentId),
    deleteDocument: (documentId) => store.deleteDocument(documentId),
    async ingest(paths, ingestOptions) {
      const parser = parserProcess({
        clock,
        limits,
        timeoutMs: options.parseTimeoutMs ?? 60_000,
        memoryMb: options.parseMemoryMb ?? 1_024,
      });
      try {
        return await ingestFiles(paths, ingestOptions, { store, parser, limits, clock, log });
      } finally {
        parser.close();
      }
    },
    close: () => store.close(),
  };
}
