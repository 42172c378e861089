import type { Log } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";
import type { AgentEvent, Clock } from "@troupe/stream";

import type { Statements } from "./statements.ts";

export interface ForgetOptions {
  readonly sql: Sql;
  readonly text: Pick<Statements, "ended" | "forget">;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since its end that a run is kept. */
  readonly keepMs: number;
}

/** Runs that are looked at, and forgotten, in one statement. */
const PAGE = 100;
const HOUR_MS = 3_600_000;

/**
 * Forgets runs that ended long enough ago, now and every hour until it is told to stop. Every process does so;
 * what one could not do, the next hour or another one does.
 */
export function forgetEnded({ sql, text, clock, log, keepMs }: ForgetOptions): () => void {
  const stop = new AbortController();
  let cancel = (): void => undefined;
  const page = async (after: number): Promise<number | undefined> => {
    const rows = await sql.query<{ position: number; body: string }>(text.ended, [keepMs, after, PAGE]);
    // The last thing told may be how a step ended, of a run that stands still.
    const over = rows.filter(({ body }) => (JSON.parse(body) as AgentEvent).stepId === undefined);
    if (over.length > 0) await sql.query(text.forget, [over.map(({ position }) => position)]);
    return rows.length < PAGE ? undefined : rows.at(-1)?.position;
  };
  const look = async (): Promise<void> => {
    try {
      for (let after: number | undefined = 0; after !== undefined && !stop.signal.aborted;)
        after = await page(after);
    } catch (error) {
      if (!stop.signal.aborted)
        log.warn("runs that ended long ago could not be forgotten; it is tried again", { error });
    }
    if (!stop.signal.aborted) cancel = clock.schedule(HOUR_MS, () => void look());
  };
  void look();
  return () => {
    stop.abort();
    cancel();
  };
}
