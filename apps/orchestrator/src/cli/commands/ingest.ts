import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

import { InputError, type ToolOutput } from "@troupe/core";
import { readCollectionRules } from "@troupe/service";
import { z } from "zod";

import { discoverApps, type AppManifest } from "../../supervisor/discover.ts";
import { authIsOn } from "../auth-is-on.ts";
import { withApp } from "../call-app.ts";
import type { CliContext } from "../context.ts";
import { forgetGone } from "../forget-gone.ts";
import { makeHome } from "../home.ts";
import { harmless } from "../render/harmless.ts";
import { shellWord, typed } from "../typed.ts";
import { setRule } from "./share-collection.ts";

export interface IngestOptions {
  readonly paths: readonly string[];
  readonly collection: string;
  /** Forget what of the collection does not stand in the paths, which are folders then. */
  readonly prune?: boolean;
  readonly owner?: string;
  /** User ids with commas between them, or `everyone`. */
  readonly readers?: string;
}

export interface Ingested {
  /** What each server reported, for people. */
  readonly reports: readonly string[];
  /** False when a file was not taken in, or could not be forgotten; the reports name it. */
  readonly complete: boolean;
}

/** The most paths the tools take in one call. */
const MAX_PATHS = 1_000;
/** Reading a large folder takes its time; a parser that hangs ends long before this. */
const INGEST_MS = 30 * 60_000;

/**
 * Takes files into a collection. Each kind goes to the MCP server that declares it. What one server
 * takes in stays when another can read nothing; throws when nothing at all was taken in.
 */
export async function ingest(context: CliContext, options: IngestOptions): Promise<Ingested> {
  checkName(options.collection);
  makeHome(context);
  const servers = discoverApps(context.appsRoot).filter((app) => app.ingest !== undefined);
  const found = await Promise.all(options.paths.map((path) => findFiles(resolve(context.cwd, path))));
  const files = [...new Set(found.flat())].toSorted();
  const done: ServerReport[] = [];
  const known = new Set(servers.flatMap((app) => app.ingest?.extensions ?? []));
  const isKnown = (file: string): boolean => known.has(extname(file).toLowerCase());
  const left = files.filter((file) => !isKnown(file));
  if (options.prune === true)
    options.paths.forEach((path, at) => checkPrunable(context, path, found[at]?.some(isKnown) === true));
  if (files.length > left.length) restrict(context, options);
  for (const app of servers) {
    const own = files.filter((file) => app.ingest?.extensions.includes(extname(file).toLowerCase()));
    if (files.length > left.length && (own.length > 0 || options.prune === true))
      done.push(await ingestWith(context, app, own, options));
  }
  if (files.length === left.length) {
    throw new InputError(
      "input.not-found",
      `Nothing to take in under ${options.paths.map((path) => `"${path}"`).join(", ")}. Known kinds: ${[...known].join(", ")}.`,
    );
  }
  const reports = done.map(({ text }) => text).filter((text) => text !== "");
  if (done.every(({ nothing }) => nothing)) throw new InputError("input.invalid", reports.join("\n"));
  if (left.length > 0) reports.push(`Left out, of no known kind: ${left.join(", ")}`);
  // Names of files may hold what a terminal obeys.
  return {
    reports: reports.map(harmless),
    complete: done.every(({ failed, nothing }) => !nothing && failed === 0),
  };
}

/** Before anything is taken in, so that the rules hold from the first file on. */
function restrict(context: CliContext, options: IngestOptions): void {
  const { collection, owner, readers } = options;
  if (owner !== undefined || readers !== undefined) setRule(context, options);
  else if (authIsOn(context) && !readCollectionRules(context.home).has(collection))
    context.err(
      `Collection "${collection}" has no owner, so no user may read it. Set one with: ${typed(context, `collections share ${shellWord(collection)} --owner USER`)}\n`,
    );
}

interface ServerReport {
  readonly text: string;
  readonly nothing: boolean;
  /** Files that were not taken in. */
  readonly failed: number;
}

const ingestData = z.object({
  failed: z.int().default(0),
  files: z
    .array(
      z.object({
        source: z.string().optional(),
        documentId: z.string().optional(),
        table: z.string().optional(),
      }),
    )
    .default([]),
  failures: z.array(z.object({ file: z.string() })).default([]),
});

async function ingestWith(
  context: CliContext,
  app: AppManifest,
  paths: readonly string[],
  { collection, prune }: IngestOptions,
): Promise<ServerReport> {
  const { ingest: tools } = app;
  if (tools === undefined) return { text: "", nothing: false, failed: 0 };
  return withApp(context, app, INGEST_MS, async (call) => {
    const outputs: ToolOutput[] = [];
    for (let at = 0; at < paths.length; at += MAX_PATHS)
      outputs.push(await call(tools.tool, { paths: paths.slice(at, at + MAX_PATHS), collection }));
    const reads = outputs.map(({ data }) => ingestData.safeParse(data ?? {}));
    const parts = reads.map((read) => read.data ?? ingestData.parse({}));
    const files = parts.flatMap((part) => part.files);
    const failures = parts.flatMap((part) => part.failures);
    const refused = outputs.filter(({ isError }) => isError === true).length;
    const failed = refused + parts.reduce((sum, part) => sum + part.failed, 0);
    const taken: ServerReport = {
      text: outputs.map(({ text }) => text).join("\n"),
      nothing: outputs.length > 0 && refused === outputs.length,
      failed,
    };
    // Who does not say what it took in cannot be told what is gone.
    if (prune !== true || refused > 0 || reads.some(({ success }) => !success)) return taken;
    const sources = [...files.map(({ source }) => source), ...failures.map(({ file }) => file)];
    const { lines, kept } = await forgetGone(call, tools, collection, {
      documentIds: known(files.map(({ documentId }) => documentId)),
      sources: known(sources),
      tables: known(files.map(({ table }) => table)),
    });
    const text = [taken.text, ...lines].filter((line) => line !== "").join("\n");
    return { text, nothing: false, failed: failed + kept };
  });
}

function known(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== undefined));
}

/** What no server takes is refused once, by the rule that all of them keep. */
function checkName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name)) return;
  throw new InputError(
    "input.invalid",
    `"${name.slice(0, 80)}" cannot be the name of a collection. Use letters, digits, "-" and "_", at most 64, starting with a letter or digit.`,
  );
}

/** A folder without files may be one that is not mounted, and a file says nothing of what is gone. */
function checkPrunable({ cwd }: CliContext, path: string, hasFiles: boolean): void {
  if (!statSync(resolve(cwd, path)).isDirectory())
    throw new InputError(
      "input.invalid",
      `"${path}" is a file; --prune compares with folders. Name its folder.`,
    );
  if (!hasFiles)
    throw new InputError(
      "input.invalid",
      `There is nothing to take in under "${path}", so nothing is forgotten. Check the folder.`,
    );
}

/** Every file under a path, and what is none for the servers to say so. Hidden files and folders are passed over. */
async function findFiles(path: string): Promise<readonly string[]> {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined)
    throw new InputError("input.not-found", `"${path}" does not exist. Check the path.`);
  if (!info.isDirectory()) return [path];
  const found: string[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const hidden = full
      .slice(path.length)
      .split(/[/\\]/)
      .some((part) => part.startsWith("."));
    if (!entry.isDirectory() && !hidden) found.push(full);
  }
  return found;
}
