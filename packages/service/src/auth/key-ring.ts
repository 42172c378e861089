import { stat } from "node:fs/promises";

import type { Caller, Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { hashOf, isKey, keyIdOf } from "./api-key.ts";
import { keyFile, readKeys, type StoredKey } from "./key-file.ts";

/** The keys in force, as a server looks them up. */
export interface KeyRing {
  /** Whose key it is; undefined for none in force. */
  find(token: string): Promise<Caller | undefined>;
}

/** How long a key that was revoked may still open a door, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * The keys of a home, which other processes change: looked at again when somebody comes and the last
 * look is a second old. While the file cannot be read or trusted, no key is good.
 */
export function openKeyRing(options: {
  readonly home: string;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}): KeyRing {
  const { home, clock, log } = options;
  let keys: ReadonlyMap<string, StoredKey> = new Map();
  let state = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const now = await stateOf(home);
    lookedAt = clock.now();
    if (now === state) return;
    state = now;
    try {
      const inForce = readKeys(home).filter(({ revokedAt }) => revokedAt === undefined);
      keys = new Map(inForce.map((key) => [key.id, key]));
    } catch (error) {
      keys = new Map();
      log.error("the API keys cannot be used, so none is accepted", { error });
    }
  };
  return {
    async find(token) {
      const id = keyIdOf(token);
      if (id === undefined) return undefined;
      if (clock.now() - lookedAt >= FRESH_MS)
        await (looking ??= look().finally(() => {
          looking = undefined;
        }));
      const known = keys.get(id);
      // Compared in any case: whether there is a key of that id is not to be had from the time it takes.
      if (!isKey(token, known?.sha256 ?? NO_HASH) || known === undefined) return undefined;
      return { id: known.user, scopes: known.scopes };
    },
  };
}

const NO_HASH = hashOf("");

/** Changes with every change of the file: each is another file, renamed over the one before. */
async function stateOf(home: string): Promise<string> {
  try {
    const { ino, mtimeNs, ctimeNs, size } = await stat(keyFile(home), { bigint: true });
    return `${ino} ${mtimeNs} ${ctimeNs} ${size}`;
  } catch {
    return "none";
  }
}
