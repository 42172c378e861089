import { createHash } from "node:crypto";

import { InputError, type Caller } from "@troupe/core";

/** Keys are ids or counters; longer ones are some other header's value. */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * The id of what a request with this `Idempotency-Key` begins: the same for the same key and caller, at
 * whichever replica it arrives, and one that nobody else's key leads to. Undefined without a key. Throws an
 * `InputError`.
 */
export function idByKey(key: string | string[] | undefined, caller: Caller | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key))
    throw new InputError(
      "input.invalid",
      `The Idempotency-Key must be 1 to 255 visible ASCII characters, not ${JSON.stringify(key).slice(0, 80)}.`,
    );
  const hash = createHash("sha256")
    .update(JSON.stringify([caller?.id ?? null, key]))
    .digest("hex");
  return hash.slice(0, 32);
}
