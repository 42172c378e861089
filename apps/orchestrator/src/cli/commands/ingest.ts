import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

import { InputError } from "@troupe/core";
import { z } from "zod";

import { discoverApps, type AppManifest } from "../../supervisor/discover.ts";
import { callApp } from "../call-app.ts";
import type { CliContext } from "../context.ts";
import { requireHome } from "../home.ts";

export interface IngestOptions {
  readonly paths: readonly string[];
  readonly collection: string;
}

export interface Ingested {
  /** What each server reported, for people. */
  readonly reports: readonly string[];
  /** False when a file was not taken in; the reports name it. */
  readonly complete: boolean;
}

/** Reading a large folder takes its time; a parser that hangs ends long before this. */
const INGEST_MS = 30 * 60_000;

/**
 * Takes files into a collection. Each kind goes to the MCP server that declares it. What one server
 * takes in stays when another can read nothing; throws when nothing at all was taken in.
 */
export async function ingest(context: CliContext, options: IngestOptions): Promise<Ingested> {
  requireHome(context.home);
  const servers = discoverApps(context.appsRoot).filter((app) => app.ingest !== undefined);
  const files = await findFiles(options.paths.map((path) => resolve(context.cwd, path)));
  const done: ServerReport[] = [];
  const known = new Set(servers.flatMap((app) => app.ingest?.extensions ?? []));
  const left = files.filter((file) => !known.has(extname(file).toLowerCase()));
  for (const app of servers) {
    const own = files.filter((file) => app.ingest?.extensions.includes(extname(file).toLowerCase()));
    if (own.length > 0) done.push(await ingestWith(context, app, own, options.collection));
  }
  if (files.length === left.length) {
    throw new InputError(
      "input.not-found",
      `Nothing to take in under ${options.paths.map((path) => `"${path}"`).join(", ")}. Known kinds: ${[...known].join(", ")}.`,
    );
  }
  const reports = done.map(({ text }) => text);
  if (done.every(({ nothing }) => nothing)) throw new InputError("input.invalid", reports.join("\n"));
  if (left.length > 0) reports.push(`Left out, of no known kind: ${left.join(", ")}`);
  return { reports, complete: done.every(({ failed, nothing }) => !nothing && failed === 0) };
}

interface ServerReport {
  readonly text: string;
  readonly nothing: boolean;
  /** Files that were not taken in. */
  readonly failed: number;
}

const ingestData = z.object({ failed: z.int().default(0) });

async function ingestWith(
  context: CliContext,
  app: AppManifest,
  paths: readonly string[],
  collection: string,
): Promise<ServerReport> {
  const output = await callApp(context, app, {
    tool: app.ingest?.tool ?? "",
    args: { paths: [...paths], collection },
    timeoutMs: INGEST_MS,
  });
  const data = ingestData.safeParse(output.data);
  return {
    text: output.text,
    nothing: output.isError === true,
    failed: data.success ? data.data.failed : 0,
  };
}

/** Every file under the given paths, in a stable order. Hidden files and folders are passed over. */
async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) {
      throw new InputError("input.not-found", `"${path}" does not exist. Check the path.`);
    }
    if (!info.isDirectory()) {
      found.push(path);
      continue;
    }
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const full = join(entry.parentPath, entry.name);
      const hidden = full
        .slice(path.length)
        .split(/[/\\]/)
        .some((part) => part.startsWith("."));
      if (entry.isFile() && !hidden) found.push(full);
    }
  }
  return [...new Set(found)].toSorted();
}
