import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What keys of ours begin with, so that people and scanners know one when they see it. */
export const KEY_PREFIX = "troupe_";

const SHAPE = /^troupe_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;
const SECRET_BYTES = 32;

/** A key as its owner gets it, once. `id` stands in it, and names it wherever it is spoken of. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

export function newKey(random: (bytes: number) => Uint8Array = randomBytes): NewKey {
  const id = Buffer.from(random(4)).toString("hex");
  const secret = Buffer.from(random(SECRET_BYTES)).toString("base64url");
  return { id, key: `${KEY_PREFIX}${id}_${secret}` };
}

/** The id in a key; undefined for what is none. */
export function keyIdOf(text: string): string | undefined {
  return SHAPE.exec(text)?.[1];
}

/**
 * What is kept of a key, in hex. SHA-256 alone: a key holds 256 random bits, so there is nothing to
 * guess that salt or a slow hash would make dearer, and a slow one would let strangers spend our time.
 */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Takes the same time whichever digit differs. */
export function isKey(key: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(key), "hex"), Buffer.from(hash, "hex"));
}
