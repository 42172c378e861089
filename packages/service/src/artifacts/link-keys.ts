import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { StoreError } from "@troupe/core";
import { z } from "zod";

import { codeOf } from "./store-error.ts";

const KEY_BYTES = 32;
/** Links of an earlier key hold on until they expire; of one before that they do not. */
const KEPT = 2;
const schema = z.object({ v: z.literal(1), keys: z.array(z.base64url().length(43)).min(1) });

export interface LinkKeys {
  /** The one to sign with first. Made when there is none. */
  readonly read: () => Promise<readonly Uint8Array[]>;
  /** A new one to sign with; with `revoke` the earlier ones end at once, and every link with them. */
  readonly rotate: (options?: { readonly revoke?: boolean }) => Promise<void>;
}

/** Keys of the links to files, in `<home>/keys`, for all processes of the home and nobody else on the machine. */
export function fileLinkKeys(home: string, newId: () => string): LinkKeys {
  const folder = join(home, "keys");
  const path = join(folder, "artifact-links.json");
  let known: { readonly stamp: string; readonly keys: readonly Uint8Array[] } | undefined;

  const written = async (keys: readonly string[]): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `.${newId()}.part`);
    await writeFile(part, JSON.stringify({ v: 1, keys }), { mode: 0o600, flush: true });
    return part;
  };
  const newKey = (): string => randomBytes(KEY_BYTES).toString("base64url");
  const load = async (): Promise<readonly string[]> => {
    const parsed = schema.safeParse(parse(await readFile(path, "utf8")));
    if (parsed.success) return parsed.data.keys;
    throw new StoreError(
      "store.corrupt",
      "The keys of links to files cannot be read. Remove keys/artifact-links.json from the home folder: new ones are made, and links given out so far end.",
    );
  };
  const stampOf = async (): Promise<string | undefined> => {
    try {
      const { mtimeMs, ino } = await stat(path);
      return `${mtimeMs} ${ino}`;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  };
  /** Of several processes one makes it; `link` does not replace what is there. */
  const make = async (): Promise<void> => {
    const part = await written([newKey()]);
    try {
      await link(part, path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    } finally {
      await rm(part, { force: true });
    }
  };

  return {
    async read() {
      let stamp = await stampOf();
      if (stamp === undefined) {
        await make();
        stamp = await stampOf();
      }
      if (stamp === undefined || known?.stamp !== stamp)
        known = { stamp: stamp ?? "", keys: (await load()).map((key) => Buffer.from(key, "base64url")) };
      return known.keys;
    },
    async rotate({ revoke = false } = {}) {
      const before = revoke || (await stampOf()) === undefined ? [] : await load();
      await rename(await written([newKey(), ...before].slice(0, KEPT)), path);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
