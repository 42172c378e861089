import type { Clock } from "@troupe/stream";

import type { Denial } from "../guard/gate.ts";
import type { Cell } from "../types/result.ts";
import type { FromChild, RawColumn, ToChild } from "./query-protocol.ts";

/** Bounds of one statement and of the process it runs in. */
export interface QueryLimits {
  /** Wall clock of one statement, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an interrupted statement may take to stop before its process is killed. */
  readonly graceMs: number;
  /** Size of the rows carried, in bytes, roughly. */
  readonly maxBytes: number;
  readonly threads: number;
  readonly engineMb: number;
  readonly rssMb: number;
}

export const QUERY_LIMITS: QueryLimits = {
  timeoutMs: 10_000,
  graceMs: 500,
  maxBytes: 4_000_000,
  threads: 2,
  engineMb: 512,
  rssMb: 1_200,
};

/** What has not opened its tables by then never will. */
const START_MS = 60_000;

export type RawOutcome =
  | {
      readonly kind: "rows";
      readonly tables: readonly string[];
      /** It ends in LIMIT. */
      readonly limited: boolean;
      readonly columns: readonly RawColumn[];
      readonly rows: readonly (readonly Cell[])[];
      readonly cut: boolean;
      readonly total: number | null;
    }
  | { readonly kind: "denied"; readonly denial: Denial }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "memory" };

export interface QueryProcess {
  /** One at a time; rejects with the signal's reason when it aborts. */
  run(sql: string, maxRows: number, signal: AbortSignal): Promise<RawOutcome>;
  /** False once the process is gone; the owner starts another. */
  alive(): boolean;
  close(): Promise<void>;
}

/** What carries messages to where statements run, and ends that. */
export interface QueryLink {
  send(message: ToChild): void;
  kill(): void;
  onMessage(listener: (message: FromChild) => void): void;
  /** Told once: whether it was killed from outside, and what it had to say. */
  onEnd(listener: (end: { readonly killed: boolean; readonly said: string }) => void): void;
}

interface Running {
  readonly id: number;
  readonly settle: (outcome: RawOutcome) => void;
  rows?: Extract<FromChild, { kind: "rows" }>;
  timedOut: boolean;
}

/** Runs statements at the other end of a link, one at a time and each within its limits. */
export function queryProcess(link: QueryLink, limits: QueryLimits, clock: Clock): QueryProcess {
  let alive = true;
  let running: Running | undefined;
  let failure = "";
  let nextId = 1;

  const cancelStart = clock.schedule(START_MS, () => link.kill());
  const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
  const { promise: exited, resolve: onExited } = Promise.withResolvers<void>();
  link.onMessage((message) => {
    if (message.kind === "ready") onStarted();
    else if (running) receive(running, message);
  });
  link.onEnd(({ killed, said }) => {
    alive = false;
    failure = said;
    running?.settle(gone(running, killed, failure));
    onStarted();
    onExited();
  });
  void started.finally(cancelStart);

  const run = async (sql: string, maxRows: number, signal: AbortSignal): Promise<RawOutcome> => {
    // The time limit is the statement's: a busy machine that starts the process late takes nothing from it.
    await started;
    signal.throwIfAborted();
    if (!alive) return { kind: "failed", message: failure };
    const id = nextId++;
    let cancelKill: () => void = () => undefined;
    const stop = (): void => {
      link.send({ kind: "interrupt" });
      cancelKill = clock.schedule(limits.graceMs, () => link.kill());
    };
    const outcome = new Promise<RawOutcome>((resolve) => {
      running = { id, settle: resolve, timedOut: false };
    });
    const current = running;
    const cancelTimeout = clock.schedule(limits.timeoutMs, () => {
      if (current) current.timedOut = true;
      stop();
    });
    signal.addEventListener("abort", stop, { once: true });
    link.send({ kind: "query", id, sql, maxRows, maxBytes: limits.maxBytes });
    try {
      const settled = await outcome;
      signal.throwIfAborted();
      return settled;
    } finally {
      running = undefined;
      cancelTimeout();
      cancelKill();
      signal.removeEventListener("abort", stop);
    }
  };

  return {
    run,
    alive() {
      return alive;
    },
    async close() {
      if (alive) link.kill();
      await exited;
    },
  };
}

function receive(running: Running, message: FromChild): void {
  if (message.kind === "ready" || message.id !== running.id) return;
  if (message.kind === "rows") {
    running.rows = message;
  } else if (message.kind === "total") {
    if (running.rows) running.settle(rowsOutcome(running.rows, message.total));
  } else if (message.kind === "failed" && running.timedOut) {
    running.settle(running.rows ? rowsOutcome(running.rows, null) : { kind: "timeout" });
  } else {
    running.settle(message);
  }
}

function rowsOutcome(message: Extract<FromChild, { kind: "rows" }>, total: number | null): RawOutcome {
  const { tables, limited, columns, rows, cut } = message;
  return { kind: "rows", tables, limited, columns, rows, cut, total };
}

/** What a statement came to whose process ended under it. */
function gone(running: Running, killed: boolean, failure: string): RawOutcome {
  if (running.rows) return rowsOutcome(running.rows, null);
  if (running.timedOut) return { kind: "timeout" };
  if (killed) return { kind: "memory" };
  return { kind: "failed", message: failure === "" ? "the query process ended" : failure };
}
