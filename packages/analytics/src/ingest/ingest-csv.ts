import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { InputError, isTroupeError, StoreError, type Log } from "@troupe/core";

import { newShortId } from "../adapters/new-id.ts";
import { tableName } from "../names/clean-names.ts";
import {
  collectionFolder,
  readRegistry,
  setAsideDamaged,
  writeRegistry,
  type Registry,
} from "../store/registry.ts";
import { describeTable } from "./describe-table.ts";
import { withIngestLock } from "./ingest-lock.ts";
import { loadFile } from "./load-file.ts";
import { prepareFile, rowsPath } from "./prepare-file.ts";
import type { FileFailure, FileReport, IngestReport } from "./report.ts";

export interface IngestOptions {
  /** Folder of all state. */
  readonly home: string;
  readonly collection: string;
  /** CSV files. A file of the same name replaces the table it made before. */
  readonly paths: readonly string[];
  readonly log: Log;
  /** Checked between files. */
  readonly signal?: AbortSignal;
  /** Called after each file, with how many are done. */
  readonly onFile?: (file: string, done: number, total: number) => void;
  readonly newId?: () => string;
  /** For all files; found out per file when absent. */
  readonly delimiter?: string;
  /** Any label of the Encoding Standard that the platform can decode, such as `windows-1250` or `shift_jis`. */
  readonly encoding?: string;
  readonly decimalComma?: boolean;
}

/** Bounds of the engine while it reads; above the memory it writes to a folder beside the tables. */
const ENGINE = { autoinstall_known_extensions: "false", memory_limit: "1GB", threads: "2" };

/**
 * Reads CSV files into the tables of a collection. Work happens on a copy; the collection changes at
 * the end, at once, and only if at least one file was good. Throws an `InputError` with one issue a
 * file when none was, and a `StoreError` (`store.locked`) when another process ingests into it.
 * For a trusted caller: it reads any path it is given.
 */
export async function ingestCsv(options: IngestOptions): Promise<IngestReport> {
  const { home, collection, paths, log, newId = newShortId } = options;
  if (paths.length === 0) throw new InputError("input.invalid", "No CSV file was given.");
  const folder = collectionFolder(home, collection);
  // For nobody else to look into: the engine makes its files with the modes it has.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withIngestLock(folder, collection, async () => {
    const { before, damaged } = await readBefore(home, collection);
    const id = newId();
    const database = `tables-${id}.duckdb`;
    const target = join(folder, database);
    try {
      if (before !== undefined) await copyFile(join(folder, before.database), target);
      const { report, registry } = await loadAll(options, before, database, target);
      options.signal?.throwIfAborted();
      const aside = damaged ? await setAsideDamaged(home, collection, database) : undefined;
      await writeRegistry(home, registry);
      await removeOld(folder, [database, before?.database]);
      log.info("data ingested", { collection, files: report.files.length, failures: report.failures.length });
      if (aside === undefined) return report;
      log.warn("a damaged registry was replaced", { collection, keptAs: aside });
      return { ...report, replacedRegistry: aside };
    } catch (error) {
      await rm(target, { force: true });
      if (isTroupeError(error) || options.signal?.aborted === true) throw error;
      const full = (error as NodeJS.ErrnoException).code === "ENOSPC" || /no space left/i.test(String(error));
      const message = full ? "The disk is full" : "The tables could not be written";
      throw new StoreError(full ? "store.full" : "store.io", `${message}; "${collection}" is as it was.`, {
        cause: error,
      });
    }
  });
}

/** A damaged registry counts as none: ingesting is how it is repaired. */
async function readBefore(
  home: string,
  collection: string,
): Promise<{ readonly before: Registry | undefined; readonly damaged: boolean }> {
  try {
    return { before: await readRegistry(home, collection), damaged: false };
  } catch (error) {
    if (isTroupeError(error) && error.code === "store.corrupt") return { before: undefined, damaged: true };
    throw error;
  }
}

async function loadAll(
  options: IngestOptions,
  before: Registry | undefined,
  database: string,
  target: string,
): Promise<{ report: IngestReport; registry: Registry }> {
  const { collection, paths, signal } = options;
  const instance = await DuckDBInstance.create(target, ENGINE);
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const tables = new Map(before?.tables.map((table) => [table.name, table]));
  const files: FileReport[] = [];
  const failures: FileFailure[] = [];
  const taken = new Set<string>();
  try {
    for (const [at, path] of paths.entries()) {
      signal?.throwIfAborted();
      const name = freeName(tableName(basename(path)), basename(path), tables, taken);
      try {
        const report = await loadOne(connection, path, name, `${target}.utf8`, options);
        const columns = await describeTable(connection, name, report.rows);
        tables.set(name, {
          name,
          source: report.file,
          rows: report.rows,
          rejected: report.rejected,
          notes: [...report.notes],
          doubtfulTotal: report.doubtfulTotal,
          columns: columns.map((column) => ({
            ...column,
            samples: [...column.samples],
            rejected: report.rejectedCells.find((cells) => cells.column === column.name)?.count ?? 0,
          })),
        });
        taken.add(name);
        files.push(report);
      } catch (error) {
        if (!isTroupeError(error)) throw error;
        failures.push({ file: basename(path), message: error.message });
      }
      options.onFile?.(basename(path), at + 1, paths.length);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  if (files.length === 0) {
    const issues = failures.map((failure) => failure.message);
    throw new InputError("input.invalid", `No file was loaded. ${issues.join(" ")}`, { issues });
  }
  return {
    report: { collection, files, failures },
    registry: { v: 1, collection, database, tables: [...tables.values()] },
  };
}

async function loadOne(
  connection: DuckDBConnection,
  path: string,
  table: string,
  scratch: string,
  options: IngestOptions,
): Promise<FileReport> {
  try {
    const { delimiter, encoding, decimalComma } = options;
    const prepared = await prepareFile(path, scratch, {
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(encoding === undefined ? {} : { encoding }),
    });
    return await loadFile(connection, path, prepared, table, decimalComma);
  } finally {
    await rm(scratch, { force: true });
    await rm(rowsPath(scratch), { force: true });
  }
}

/** Two files of one ingest, or two of different names, never share a table. */
function freeName(
  wanted: string,
  file: string,
  tables: ReadonlyMap<string, { readonly source: string }>,
  taken: ReadonlySet<string>,
): string {
  let name = wanted;
  for (let n = 2; taken.has(name) || (tables.get(name)?.source ?? file) !== file; n++)
    name = `${wanted}_${n}`;
  return name;
}

/** The generation before stays: a reader that has just looked it up can still open it. What a crash left half written goes. */
async function removeOld(folder: string, keep: readonly (string | undefined)[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^tables-|\.part$/.test(name) || keep.includes(name)) continue;
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}
