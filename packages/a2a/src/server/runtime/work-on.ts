import type { AgentRequest } from "@troupe/core";

import { execute } from "../../run/execute.ts";
import { BROKEN } from "../../run/stop.ts";
import { endRun } from "./end-run.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import type { TaskRun } from "./task-run.ts";

/** Puts the request to the agent, and resolves when its turn is over and stored. */
export async function workOn(
  options: AgentRuntimeOptions,
  runs: HeldRuns,
  run: TaskRun,
  request: AgentRequest,
): Promise<void> {
  const { agent, yieldToLoop } = options;
  const { trace } = request;
  const log = options.log.child({
    taskId: run.id,
    ...(trace === undefined ? {} : { traceId: trace.traceId }),
  });
  run.tellState();
  // Whoever asked gets to subscribe first, and so to see every update rather than a snapshot; and what
  // came in together is taken in, and told so, before the work on any of it begins.
  await yieldToLoop();
  void execute({ agent, request, run, sink: run.encoder, log, yieldToLoop })
    .catch((error: unknown) => log.error("what the agent did could not be told", { error }))
    .then(() => run.settled || endRun(options, run, BROKEN));
  await run.whenSettled;
  await run.saved();
  runs.release(run);
}
