import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";

import { StoreError } from "@troupe/core";
import { z } from "zod";

import { createPrivate, readPrivate, replacePrivate } from "../home/private-file.ts";
import { codeOf } from "./store-error.ts";

const KEY_BYTES = 32;
/** Links of an earlier key hold on until they expire; of one before that they do not. */
const KEPT = 2;
const schema = z.object({ v: z.literal(1), keys: z.array(z.base64url().length(43)).min(1) });

export interface LinkKeys {
  /** The one to sign with first. Made when there is none. Throws a `StoreError` where others could have read it. */
  readonly read: () => Promise<readonly Uint8Array[]>;
  /** A new one to sign with; with `revoke` the earlier ones end at once, and every link with them. */
  readonly rotate: (options?: { readonly revoke?: boolean }) => Promise<void>;
}

/** Keys of the links to files, in `<home>/keys`, for all processes of the home and nobody else on the machine. */
export function fileLinkKeys(home: string): LinkKeys {
  const path = join(home, "keys", "artifact-links.json");
  let known: { readonly stamp: string | undefined; readonly keys: readonly Uint8Array[] } | undefined;

  return {
    async read() {
      let stamp = await stampOf(path);
      if (stamp === undefined) {
        // Of several processes one makes it, and all use that one.
        createPrivate(path, written([newKey()]));
        stamp = await stampOf(path);
      }
      if (known === undefined || known.stamp !== stamp)
        known = { stamp, keys: load(path).map((key) => Buffer.from(key, "base64url")) };
      return known.keys;
    },
    async rotate({ revoke = false } = {}) {
      const before = revoke ? [] : load(path);
      replacePrivate(path, written([newKey(), ...before].slice(0, KEPT)));
    },
  };
}

const newKey = (): string => randomBytes(KEY_BYTES).toString("base64url");
const written = (keys: readonly string[]): string => JSON.stringify({ v: 1, keys });

/** Changes with every change of the file; undefined where there is none. */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, ino } = await stat(path);
    return `${mtimeMs} ${ino}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** None where there is no file. */
function load(path: string): readonly string[] {
  const text = readPrivate(path, { secret: true });
  if (text === undefined) return [];
  const parsed = schema.safeParse(parse(text));
  if (parsed.success) return parsed.data.keys;
  throw new StoreError(
    "store.corrupt",
    "The keys of links to files cannot be read. Remove keys/artifact-links.json from the home folder: new ones are made, and links given out so far end.",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
