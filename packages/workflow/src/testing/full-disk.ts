import { silentLog, type Log } from "@troupe/core";
import { gate } from "@troupe/core/testing";
import { EVENT_VERSION, type AgentEvent } from "@troupe/stream";

import type { Storage } from "../embedded/database.ts";
import type { RunLog } from "../engine/run-log.ts";

/** A disk that can be full: SQLite then says so of whatever makes the file grow. */
export const diskOf = ({ db }: Storage) => ({
  // No smaller than the file is.
  fill: () => db.exec("PRAGMA max_page_count=1"),
  free: () => db.exec("PRAGMA max_page_count=1000000"),
});

/** What a log is told; `refused` once that is that something could not be kept. */
export function listening() {
  const refused = gate();
  const told: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message) => {
      told.push(message);
      refused.open();
    },
    info: (message) => told.push(message),
    error: (message) => told.push(message),
  };
  return { log, told, refused: refused.opened };
}

export const delta = (seq: number, chars = 2_000, runId = "r"): AgentEvent => ({
  v: EVENT_VERSION,
  runId,
  seq,
  attempt: 1,
  agent: "a",
  type: "text-delta",
  itemId: "t",
  delta: "x".repeat(chars),
});

/** The numbers of what a run's log has. */
export async function seqsOf(log: RunLog, runId: string): Promise<readonly number[]> {
  const end = await log.end(runId);
  const seqs: number[] = [];
  if (end === 0) return seqs;
  for await (const one of log.read(runId, { from: 0, signal: new AbortController().signal })) {
    seqs.push(one.event.seq);
    if (one.position + 1 === end) break;
  }
  return seqs;
}
