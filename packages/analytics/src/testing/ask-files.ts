import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { suggestStatements } from "../question/suggest-statements.ts";
import { describeSchema } from "../store/describe-schema.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell } from "../types/result.ts";
import { startInProcess } from "./start-in-process.ts";

/** The text of each file of each collection. */
export type Collections = { readonly [name: string]: { readonly [file: string]: string } };

/** What the first statement for a question gives, undefined where there is none, and what is said. */
export interface Told {
  readonly title: string | undefined;
  readonly rows: readonly (readonly Cell[])[] | undefined;
  readonly unused: string;
  readonly notes: string;
}

export interface FilesToAsk {
  ask(collection: string, question: string): Promise<Told>;
  /** The schema as a writer of statements reads it. */
  described(collection: string): Promise<string>;
  close(): Promise<void>;
}

/** Collections of small files that questions are asked of on 2026-01-15. */
export async function askFiles(collections: Collections): Promise<FilesToAsk> {
  const home = await mkdtemp(join(tmpdir(), "troupe-files-"));
  const opened = new Map<string, DataSource>();
  const { signal } = new AbortController();
  for (const [collection, files] of Object.entries(collections)) {
    const paths: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      paths.push(join(home, name));
      await writeFile(join(home, name), text);
    }
    await ingestCsv({ home, collection, paths, log: silentLog });
    opened.set(
      collection,
      await openDataSourceIn(startInProcess, { home, collection, clock: systemClock, log: silentLog }),
    );
  }
  const sourceOf = (collection: string): DataSource => {
    const source = opened.get(collection);
    if (source === undefined) throw new Error(`There is no collection "${collection}".`);
    return source;
  };
  return {
    described: async (collection) => describeSchema(await sourceOf(collection).schema()),
    async ask(collection, question) {
      const source = sourceOf(collection);
      const { statements, unused, notes } = await suggestStatements(source, question, {
        signal,
        today: "2026-01-15",
      });
      const [first] = statements;
      const rows = first === undefined ? undefined : (await source.query(first.sql, { signal })).rows;
      return { title: first?.title, rows, unused: unused.join(" "), notes: notes.join(" ") };
    },
    async close() {
      await Promise.all([...opened.values()].map((source) => source.close()));
      await rm(home, { recursive: true, force: true });
    },
  };
}
