import type { Task } from "@a2a-js/sdk";

import { endOf } from "../../run/execute.ts";
import { STOP_GRACE_MS, type Stop } from "../../run/stop.ts";
import { runIdOf } from "../../wire/records.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import type { TaskRun } from "./task-run.ts";

/** Ends the turn in the agent's place, whatever the agent still does. */
export function endRun({ agent }: AgentRuntimeOptions, run: TaskRun, { outcome, error }: Stop): void {
  const at = { runId: runIdOf(run.task), agent: agent.profile.name, seq: Number.MAX_SAFE_INTEGER };
  run.encoder.push(endOf(at, outcome, error));
}

/** Tells the agent to stop, and ends the turn for it when it has not within `STOP_GRACE_MS`. */
export async function stopRun(options: AgentRuntimeOptions, run: TaskRun, stop: Stop): Promise<void> {
  run.abort(stop);
  const waited = new AbortController();
  const grace = options.clock.sleep(STOP_GRACE_MS, waited.signal).catch(() => undefined);
  await Promise.race([run.whenSettled, grace]);
  waited.abort();
  if (!run.settled) {
    options.log.warn("agent ignores its signal; its task is ended for it", { taskId: run.id });
    endRun(options, run, stop);
  }
  await run.saved();
}

/** Tells the agent that nobody will answer what it asked. */
export async function letGoOf({ agent, log }: AgentRuntimeOptions, task: Task): Promise<void> {
  try {
    await agent.cancel?.(runIdOf(task));
  } catch (error) {
    log.warn("agent could not let go of what it asked", { taskId: task.id, error });
  }
}
