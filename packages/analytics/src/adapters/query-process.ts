import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Clock } from "@troupe/stream";

import type { Denial } from "../guard/gate.ts";
import type { Cell } from "../types/result.ts";
import type { ChildSetup, FromChild, RawColumn, ToChild } from "./query-protocol.ts";

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

/** A process that has not opened its tables by then never will. */
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
  readonly alive: boolean;
  close(): Promise<void>;
}

interface Running {
  readonly id: number;
  readonly settle: (outcome: RawOutcome) => void;
  rows?: Extract<FromChild, { kind: "rows" }>;
  timedOut: boolean;
}

/** Starts the child over one database file. */
export function startQueryProcess(options: {
  readonly file: string;
  readonly tables: readonly string[];
  readonly limits: QueryLimits;
  readonly clock: Clock;
}): QueryProcess {
  const { file, tables, limits, clock } = options;
  const { threads, engineMb, rssMb } = limits;
  const child = spawnChild({ file, tables, threads, engineMb, rssMb });
  let alive = true;
  let running: Running | undefined;
  let failure = "";
  let nextId = 1;

  child.stderr?.on("data", (chunk: Buffer) => {
    failure = (failure + chunk.toString("utf8")).slice(-2_000);
  });
  const cancelStart = clock.schedule(START_MS, () => child.kill("SIGKILL"));
  const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
  const { promise: exited, resolve: onExited } = Promise.withResolvers<void>();
  child.on("message", (message) => {
    if ((message as FromChild).kind === "ready") onStarted();
    else if (running) receive(running, message as FromChild);
  });
  const end = (): void => {
    alive = false;
    running?.settle(gone(running, child, failure));
    onStarted();
    onExited();
  };
  child.once("exit", end);
  child.once("error", end);
  void started.finally(cancelStart);

  const send = (message: ToChild): void => {
    if (child.connected) child.send(message);
  };

  const run = async (sql: string, maxRows: number, signal: AbortSignal): Promise<RawOutcome> => {
    // The time limit is the statement's: a busy machine that starts the process late takes nothing from it.
    await started;
    signal.throwIfAborted();
    if (!alive) return { kind: "failed", message: failure };
    const id = nextId++;
    let cancelKill: () => void = () => undefined;
    const stop = (): void => {
      send({ kind: "interrupt" });
      cancelKill = clock.schedule(limits.graceMs, () => child.kill("SIGKILL"));
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
    send({ kind: "query", id, sql, maxRows, maxBytes: limits.maxBytes });
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
    get alive() {
      return alive;
    },
    async close() {
      if (alive) child.kill("SIGKILL");
      await exited;
    },
  };
}

function spawnChild(setup: ChildSetup): ChildProcess {
  const file = fileURLToPath(new URL(`./query-child${extname(import.meta.url)}`, import.meta.url));
  return fork(file, [JSON.stringify(setup)], {
    // Nothing of this process goes along: no environment with secrets, no flags, no standard streams.
    env: {},
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
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
function gone(running: Running, child: ChildProcess, failure: string): RawOutcome {
  if (running.rows) return rowsOutcome(running.rows, null);
  if (running.timedOut) return { kind: "timeout" };
  if (child.signalCode !== null) return { kind: "memory" };
  return { kind: "failed", message: failure === "" ? "the query process ended" : failure };
}
