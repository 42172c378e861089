import { createHash } from "node:crypto";

import { toColumn } from "@troupe/core/postgres";

/** Characters of a key that an index has room for, whichever they are. */
const MAX_CHARS = 500;

/** Begins no text that `toColumn` makes, so that no short key is taken for a long one. */
const DIGEST = "\u{10FFFF}#";

/**
 * A key as it is told from others, and in full where that is only its digest: a foreign agent can make keys
 * of any length by the names of its steps.
 */
export function keyColumns(key: string): { readonly key: string; readonly longKey: string | null } {
  const column = toColumn(key);
  if (column.length <= MAX_CHARS) return { key: column, longKey: null };
  return { key: DIGEST + createHash("sha256").update(column).digest("hex"), longKey: column };
}
