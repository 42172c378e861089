import { EMPTY_RESPONSE, NO_USAGE } from "@troupe/stream";

import type { DagDriver, EngineContext, Settled, WorkflowEngine } from "../../engine/port.ts";
import type { RunOutcome } from "../../engine/run.ts";
import type { DagSpec } from "../../schema/spec.ts";

/** Storage of its own for one case. */
export interface EngineHarness {
  /** A new engine over the same storage; the one before was closed. */
  readonly open: () => Promise<WorkflowEngine>;
  /** Longer than the engine waits for anything by itself, in milliseconds; 5 by default, for one that waits for nothing. */
  readonly longMs?: number;
}

export interface ContractCase {
  readonly name: string;
  readonly run: (harness: EngineHarness) => Promise<void>;
}

const SPEC: DagSpec = { v: 1, name: "contract", steps: [], final: "passthrough" };

/** Starts a run; what it does is the driver's. */
export const begin = (engine: WorkflowEngine, runId = "r"): Promise<{ readonly created: boolean }> =>
  engine.start(SPEC, { objective: "contract" }, { runId });

export function outcomeOf(ctx: Pick<EngineContext, "runId">, content: string): RunOutcome {
  return {
    v: 1,
    runId: ctx.runId,
    outcome: "completed",
    response: { ...EMPTY_RESPONSE, is_task_complete: true, content },
    steps: [],
    citations: [],
    artifacts: [],
    usage: NO_USAGE,
  };
}

export const contentOf = async (engine: WorkflowEngine, runId: string): Promise<string> =>
  (await engine.result(runId)).response.content;

export const show = (settled: Settled): string =>
  `${settled.id}=${settled.ok ? JSON.stringify(settled.value) : settled.error.code}`;

/** Opens an engine with this driver for the time of `body`; leaving it cuts off what still runs. */
export async function using(
  harness: EngineHarness,
  driver: DagDriver,
  body: (engine: WorkflowEngine) => Promise<void>,
): Promise<void> {
  const engine = await harness.open();
  try {
    await engine.register(driver);
    await body(engine);
  } finally {
    await engine.close();
  }
}

/** Ends with the signal only. */
export const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
