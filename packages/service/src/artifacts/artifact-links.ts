import { createHmac, timingSafeEqual } from "node:crypto";

import type { Clock } from "@troupe/stream";

/** Addresses told within the same hour are the same, so that they can be compared and cached. */
const STEP_S = 60 * 60;
/** For at least so long a link holds. */
const DAY_S = 24 * 60 * 60;

export interface ArtifactLinks {
  /** What stands behind the address of a file: `exp=<unix seconds>&sig=<base64url>`. */
  readonly sign: (file: { readonly id: string }) => Promise<string>;
  /** Whether that still holds for the file of this id; the name in an address only tells people what it is. */
  readonly verify: (
    file: { readonly id: string; readonly name: string },
    query: URLSearchParams,
  ) => Promise<boolean>;
}

/**
 * Links that let whoever has one read one file for a while. Signed with the first key; those that were
 * signed with a later one, which was first before, hold until they expire.
 */
export function artifactLinks(options: {
  readonly keys: () => Promise<readonly Uint8Array[]>;
  readonly clock: Clock;
}): ArtifactLinks {
  const { keys, clock } = options;
  return {
    async sign(file) {
      const [key] = await keys();
      if (key === undefined) throw new Error("There is no key to sign links with.");
      const exp = String(Math.ceil((clock.now() / 1000 + DAY_S) / STEP_S) * STEP_S);
      return `exp=${exp}&sig=${signature(key, file, exp).toString("base64url")}`;
    },
    async verify(file, query) {
      const [exps, sigs] = [query.getAll("exp"), query.getAll("sig")];
      const [exp = "", sig = ""] = [exps[0], sigs[0]];
      if (exps.length !== 1 || sigs.length !== 1) return false;
      if (!/^[1-9]\d{0,11}$/.test(exp) || !/^[\w-]{43}$/.test(sig)) return false;
      const given = Buffer.from(sig, "base64url");
      // One form of each signature, and none that only decodes to it.
      if (given.toString("base64url") !== sig) return false;
      let holds = false;
      for (const key of await keys())
        for (const known of [signature(key, file, exp), namedSignature(key, file, exp)])
          if (timingSafeEqual(known, given)) holds = true;
      return holds && Number(exp) * 1000 > clock.now();
    },
  };
}

function signature(key: Uint8Array, { id }: { readonly id: string }, exp: string): Buffer {
  return signed(key, ["troupe-artifact-2", id, exp]);
}

/** What links had that held for one name of the file only. */
function namedSignature(
  key: Uint8Array,
  { id, name }: { readonly id: string; readonly name: string },
  exp: string,
): Buffer {
  return signed(key, ["troupe-artifact-1", id, name, exp]);
}

/** As JSON, so that no two files and times are written alike. */
function signed(key: Uint8Array, what: readonly string[]): Buffer {
  return createHmac("sha256", key).update(JSON.stringify(what)).digest();
}
