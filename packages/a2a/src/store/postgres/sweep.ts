import type { Log } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";

import type { Retention } from "../retention.ts";
import type { Statements } from "./statements.ts";

/** Journals of what has settled are kept for whoever still follows it. */
const FOLLOWED_MS = 30_000;
/** Holders that are long gone and let go of nothing. */
const HOLDER_MS = 24 * 60 * 60 * 1000;

/** Drops what is not to be kept, at most once in `sweepMs`; what it cannot drop now it drops next time. */
export function createSweep(parts: {
  readonly sql: Sql;
  readonly text: Statements;
  readonly now: () => number | null;
  readonly log: Log;
  readonly sweepMs: number;
  readonly limits: Required<Retention>;
}): () => Promise<void> {
  const { sql, text, now, log, sweepMs, limits } = parts;
  const { maxTasks, maxBytes, maxAgeMs } = limits;
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now() ?? performance.now();
    if (at - last < sweepMs) return;
    last = at;
    try {
      await sql.query(text.sweep, [maxTasks, maxBytes, maxAgeMs, now()]);
      await sql.query(text.sweepJournal, [FOLLOWED_MS, now()]);
      await sql.query(text.sweepHolders, [HOLDER_MS, now()]);
    } catch (error) {
      log.warn("tasks that are not to be kept could not be dropped; it is tried again", { error });
    }
  };
}
