import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";

import { InputError } from "@troupe/core";

import { EXTENSIONS } from "../parse/parse-document.ts";

export interface FoundFile {
  /** Absolute path. */
  readonly path: string;
  /** Path below the folder that was named, with forward slashes; the file's name when it was named itself. */
  readonly source: string;
  readonly bytes: number;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** What is left out, and why. */
  readonly skipped: readonly { readonly source: string; readonly reason: string }[];
  /** Paths that are not there or cannot be read. */
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
  /** Absolute paths of the folders that were named. */
  readonly folders: readonly string[];
}

/**
 * Files below the paths, in order of their names. Hidden entries and `node_modules` are passed over,
 * symbolic links inside a folder are not followed. Throws an `InputError` when nothing at all can be
 * read: then there is nothing to report on, and the caller mistyped.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  if (paths.length === 0)
    throw new InputError("input.invalid", "No path was given. Name at least one file or folder to ingest.");
  const files = new Map<string, FoundFile>();
  const skipped: { source: string; reason: string }[] = [];
  const missing: { source: string; reason: string }[] = [];
  const folders: string[] = [];
  for (const given of paths) {
    const info = await stat(resolve(given)).catch(() => undefined);
    if (!info) {
      missing.push({ source: given, reason: `"${given}" does not exist or cannot be read. Check the path.` });
      continue;
    }
    const path = await realpath(resolve(given));
    const found = info.isDirectory() ? await walk(path) : [path];
    if (info.isDirectory()) folders.push(path);
    for (const file of found) {
      const source = info.isDirectory() ? relative(path, file).split(sep).join("/") : basename(file);
      const reason = await whySkip(file);
      if (reason !== undefined) skipped.push({ source, reason });
      else files.set(file, { path: file, source, bytes: (await stat(file)).size });
    }
  }
  if (files.size === 0 && skipped.length === 0) throw nothingFound(paths, missing);
  return { files: makeSourcesUnique([...files.values()]), skipped, missing, folders };
}

async function walk(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name.startsWith("~$") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await walk(path)));
    else paths.push(path);
  }
  return paths;
}

async function whySkip(path: string): Promise<string | undefined> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return "is a symbolic link; links are not followed";
  if (!info.isFile()) return "is not a regular file";
  const extension = extname(path).toLowerCase();
  if (EXTENSIONS.includes(extension)) return undefined;
  return `has the type "${extension || "none"}", which is not read. Supported: ${EXTENSIONS.join(", ")}`;
}

/** Two files of one batch with the same source get as much of their folders as tells them apart. */
function makeSourcesUnique(files: readonly FoundFile[]): readonly FoundFile[] {
  const seen = new Map<string, number>();
  for (const file of files) seen.set(file.source, (seen.get(file.source) ?? 0) + 1);
  return files.map((file) =>
    (seen.get(file.source) ?? 0) > 1 ? { ...file, source: longerSource(file) } : file,
  );
}

/** The source with one more folder of the file's path in front. */
export function longerSource(file: Pick<FoundFile, "path" | "source">): string {
  const depth = file.source.split("/").length + 1;
  const parts = [...dirname(file.path).split(sep).filter(Boolean), basename(file.path)];
  return parts.slice(-depth).join("/");
}

function nothingFound(paths: readonly string[], missing: readonly { readonly reason: string }[]): InputError {
  if (missing.length > 0)
    return new InputError("input.not-found", missing.map((item) => item.reason).join(" "), {
      issues: missing.map((item) => item.reason),
    });
  return new InputError(
    "input.not-found",
    `There is no file in ${paths.map((path) => `"${path}"`).join(", ")}. Put documents there (${EXTENSIONS.join(", ")}) and ingest again.`,
  );
}
