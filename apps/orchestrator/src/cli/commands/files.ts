import { existsSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "@troupe/core";
import { fileArtifactStore, fileLinkKeys } from "@troupe/service";

import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";

export interface FilesOptions {
  /** Such as `30d`. */
  readonly olderThan?: string;
  /** Such as `10GB`. */
  readonly maxSize?: string;
  readonly delete: boolean;
  readonly newLinkKey: boolean;
  readonly revokeLinks: boolean;
  readonly json: boolean;
}

/**
 * Says what the files of the home folder take, and removes those that are old or too many. Nothing
 * goes by itself: which tasks and clients still name a file, no process knows.
 */
export async function files(context: CliContext, options: FilesOptions): Promise<number> {
  const { home, clock, newId } = context;
  if (options.newLinkKey || options.revokeLinks)
    await fileLinkKeys(home).rotate({ revoke: options.revokeLinks });
  const olderThanMs = options.olderThan === undefined ? undefined : durationOf(options.olderThan);
  const maxBytes = options.maxSize === undefined ? undefined : sizeOf(options.maxSize);
  const chosen = olderThanMs !== undefined || maxBytes !== undefined;
  if (options.delete && !chosen)
    throw new InputError(
      "input.invalid",
      "--delete needs to know which files: add --older-than 30d, or --max-size 10GB.",
    );
  const dir = join(home, "artifacts");
  const none = { removed: [], kept: 0, bytes: 0 };
  const store = fileArtifactStore({ dir, baseUrl: () => "", newId, clock });
  const found = !existsSync(dir)
    ? none
    : await store.prune({
        ...(olderThanMs === undefined ? {} : { olderThanMs }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
        dryRun: !options.delete,
      });
  if (options.json) {
    const removed = found.removed.map(({ id, name, bytes, storedAt }) => ({ id, name, bytes, storedAt }));
    const told = { deleted: options.delete, files: removed, kept: found.kept, bytes: found.bytes };
    context.out(`${JSON.stringify(told)}\n`);
    return EXIT.completed;
  }
  if (options.newLinkKey || options.revokeLinks)
    context.out(
      options.revokeLinks
        ? "Every link to a file that was given out has ended.\n"
        : "New links are signed with a new key; those given out before hold until they expire.\n",
    );
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  for (const { name, bytes, storedAt } of found.removed)
    context.out(harmless(`${day(storedAt)}  ${shown(bytes)}  ${name}\n`));
  const { length } = found.removed;
  const are = found.kept === 1 ? "is" : "are";
  const left = `${counted(found.kept)} with ${shown(found.bytes)}`;
  if (!chosen) context.out(`${left} ${are} kept.\n`);
  else if (options.delete)
    context.out(`${counted(length)} ${length === 1 ? "was" : "were"} deleted; ${left} ${are} left.\n`);
  else
    context.out(
      `${counted(length)} would go, ${left} be left. Add --delete to delete ${length === 1 ? "it" : "them"}.\n`,
    );
  return EXIT.completed;
}

function counted(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

const DAY_MS = 24 * 60 * 60_000;
const DURATIONS: { readonly [unit: string]: number } = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

function durationOf(text: string): number {
  const [, number, unit = ""] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (number === undefined)
    throw new InputError(
      "input.invalid",
      `"${text}" is no time. Write it as hours, days or weeks, such as 12h, 30d or 8w.`,
    );
  return Number(number) * (DURATIONS[unit] ?? 0);
}

const SIZES = ["B", "KB", "MB", "GB", "TB"] as const;

function sizeOf(text: string): number {
  const [, number, unit = "B"] = /^(\d{1,12})\s*([KMGT]?B)?$/i.exec(text) ?? [];
  if (number === undefined)
    throw new InputError("input.invalid", `"${text}" is no size. Write it such as 500MB or 10GB.`);
  return Number(number) * 1024 ** SIZES.findIndex((known) => known === unit.toUpperCase());
}

function shown(bytes: number): string {
  const power = Math.min(SIZES.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${SIZES[power]}`;
}
