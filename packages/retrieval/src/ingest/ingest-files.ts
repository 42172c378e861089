import { createHash } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { sep } from "node:path";

import { assertCollectionName, InputError, isTroupeError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { ParserProcess } from "../adapters/parser-process.ts";
import type { ThreadStore } from "../adapters/thread-store.ts";
import type { ParsedDocument, ParseLimits } from "../parse/parsed-document.ts";
import type { StoredState } from "../store/read-documents.ts";
import { PIPELINE_VERSION } from "../store/write-document.ts";
import { findFiles, longerSource, type FoundFile } from "./find-files.ts";
import { toReport, type FileReport, type IngestReport } from "./report.ts";

export interface IngestOptions {
  /** See `assertCollectionName`. */
  readonly collection: string;
  /** Deletes documents whose file is no longer in an ingested folder. False by default. */
  readonly prune?: boolean;
  /** Told after each file. */
  readonly onFile?: (file: FileReport, progress: { readonly done: number; readonly total: number }) => void;
  /** Stops between files; what is done stays. */
  readonly signal?: AbortSignal;
}

export interface IngestDependencies {
  readonly store: Pick<ThreadStore, "states" | "write" | "deleteDocument">;
  readonly parser: Pick<ParserProcess, "parse">;
  readonly limits: ParseLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Brings files into a collection, one transaction each: what was done before a failure, a kill or an
 * abort is kept, and a file that fails leaves its earlier state and all others alone.
 */
export async function ingestFiles(
  paths: readonly string[],
  options: IngestOptions,
  deps: IngestDependencies,
): Promise<IngestReport> {
  assertCollectionName(options.collection);
  const found = await findFiles(paths);
  const states = new Map((await deps.store.states(options.collection)).map((state) => [state.source, state]));
  const total = found.files.length + found.skipped.length + found.missing.length;
  const reports: FileReport[] = [];
  const report = (file: FileReport): void => {
    reports.push(file);
    options.onFile?.(file, { done: reports.length, total });
  };
  for (const { source, reason } of found.missing) report({ source, status: "failed", reason });
  for (const { source, reason } of found.skipped) report({ source, status: "skipped", reason });
  for (const file of found.files) {
    options.signal?.throwIfAborted();
    report(await ingestFile(await settleSource(file, states), options.collection, states, deps));
  }
  const gone = goneFrom(found.folders, found.files, [...states.values()]);
  if (options.prune === true)
    for (const state of gone) {
      await deps.store.deleteDocument(state.documentId);
      reports.push({ source: state.source, status: "removed", documentId: state.documentId });
    }
  return toReport(
    options.collection,
    reports,
    options.prune === true ? [] : gone.map((state) => state.source),
  );
}

async function ingestFile(
  file: FoundFile,
  collection: string,
  states: ReadonlyMap<string, StoredState>,
  deps: IngestDependencies,
): Promise<FileReport> {
  const { source } = file;
  try {
    if (file.bytes > deps.limits.maxBytes)
      throw new InputError(
        "input.too-large",
        `"${source}" has ${file.bytes} bytes; at most ${deps.limits.maxBytes} are read. Split it into smaller files.`,
      );
    const bytes = await readFile(file.path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const before = states.get(source);
    if (before && isUnchanged(before, file, sha256))
      return { source, status: "unchanged", documentId: before.documentId };
    const document = await deps.parser.parse(bytes, source);
    const { documentId, passages } = await deps.store.write({
      collection,
      source,
      origin: file.path,
      sha256,
      bytes: bytes.byteLength,
      ingestedAt: deps.clock.now(),
      document,
    });
    const status = before ? "updated" : "indexed";
    return {
      source,
      status,
      documentId,
      title: document.title,
      pages: document.pages.length,
      passages,
      ...hiddenIn(document),
    };
  } catch (error) {
    if (isTroupeError(error) && error.code.startsWith("store.")) throw error;
    return { source, status: "failed", reason: reasonOf(error, source, deps.log) };
  }
}

function hiddenIn({ pages }: ParsedDocument): Pick<FileReport, "hidden"> {
  const hiding = pages.filter(({ hidden }) => hidden !== undefined);
  if (hiding.length === 0) return {};
  const characters = hiding.reduce((sum, { hidden = 0 }) => sum + hidden, 0);
  return { hidden: { characters, pages: hiding.map(({ number }) => number) } };
}

function reasonOf(error: unknown, source: string, log: Log): string {
  if (isTroupeError(error)) return error.message;
  log.warn("a file could not be ingested", {
    source,
    reason: error instanceof Error ? error.message : "unknown",
  });
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "EACCES" || code === "EPERM") return `"${source}" may not be read. Change its permissions.`;
  if (code === "ENOENT") return `"${source}" went away while it was being ingested. Ingest again.`;
  return `"${source}" could not be read. Open it to see whether it is whole, then ingest again.`;
}

function isUnchanged(before: StoredState, file: FoundFile, sha256: string): boolean {
  return before.sha256 === sha256 && before.pipeline === PIPELINE_VERSION && before.origin === file.path;
}

/** A file elsewhere that is indexed under the same source keeps it; this one gets a longer one. */
async function settleSource(file: FoundFile, states: ReadonlyMap<string, StoredState>): Promise<FoundFile> {
  let settled = file;
  for (let depth = 0; depth < 32; depth += 1) {
    const holder = states.get(settled.source);
    if (!holder || holder.origin === file.path || !(await exists(holder.origin))) return settled;
    const source = longerSource(settled);
    if (source === settled.source) return settled;
    settled = { ...settled, source };
  }
  return settled;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function goneFrom(
  folders: readonly string[],
  files: readonly FoundFile[],
  states: readonly StoredState[],
): readonly StoredState[] {
  const present = new Set(files.map((file) => file.path));
  return states.filter(
    (state) => folders.some((folder) => state.origin.startsWith(folder + sep)) && !present.has(state.origin),
  );
}
