import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { StoreError } from "@troupe/core";
import { z } from "zod";

import { readPrivate, replacePrivate } from "../home/private-file.ts";
import { authFolder } from "./auth-folder.ts";
import { withFileLock } from "./file-lock.ts";

/** What is kept of an API key. */
export const storedKeySchema = z.object({
  /** Stands in the key too. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  /** What people call it. */
  name: z.string().min(1),
  /** Whose rights these are; tasks and files that are made with it are this person's. */
  user: z.string().min(1),
  scopes: z.array(z.string()),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Milliseconds since the Unix epoch. */
  createdAt: z.number(),
  revokedAt: z.number().exactOptional(),
});
export type StoredKey = z.output<typeof storedKeySchema>;

const fileSchema = z.object({ v: z.literal(1), keys: z.array(storedKeySchema) });

export function keyFile(home: string): string {
  return join(authFolder(home), "keys.json");
}

/** The keys of a home; none where it has no such file. Throws a `StoreError` where it cannot be trusted or read. */
export function readKeys(home: string): readonly StoredKey[] {
  const path = keyFile(home);
  const text = readPrivate(path, { secret: false });
  return text === undefined ? [] : parseKeys(text, path);
}

function parseKeys(text: string, path: string): readonly StoredKey[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data.keys;
  throw new StoreError(
    "store.corrupt",
    `"${path}" is no key file of version 1. Restore it, or use the newer program that wrote it.`,
  );
}

/**
 * Changes the keys of a home; of several that do so at once none loses what another did. Throws a
 * `StoreError`: `store.locked` where another takes too long.
 */
export function changeKeys(home: string, change: (keys: readonly StoredKey[]) => readonly StoredKey[]): void {
  const folder = authFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  withFileLock({ folder, name: "keys" }, () => {
    const keys = change(readKeys(home));
    replacePrivate(keyFile(home), `${JSON.stringify({ v: 1, keys }, null, 2)}\n`);
  });
}
