import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { silentLog, systemClock } from "@troupe/core";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import type { DataSource } from "../types/data-source.ts";
import { startInProcess } from "./start-in-process.ts";

const GENERATOR = join(import.meta.dirname, "../../../../examples/norrvik/make/generate-data.mjs");
const run = promisify(execFile);

/** The tables of the example company: sales of 2023 to 2025, customers and products. */
export async function openExample(): Promise<{ readonly source: DataSource; close(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), "troupe-example-data-"));
  // Made anew: the files are no part of the repository.
  const data = join(home, "data");
  await run(process.execPath, [GENERATOR, data]);
  const paths = ["sales.csv", "customers.csv", "products.csv"].map((name) => join(data, name));
  await ingestCsv({ home, collection: "norrvik", paths, log: silentLog });
  const source = await openDataSourceIn(startInProcess, {
    home,
    collection: "norrvik",
    clock: systemClock,
    log: silentLog,
  });
  return {
    source,
    async close() {
      await source.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
