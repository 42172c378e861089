import type { Task } from "@a2a-js/sdk";

import { endOf } from "../../run/execute.ts";
import type { Stop } from "../../run/stop.ts";
import { withinGrace } from "../../run/within-grace.ts";
import { runIdOf } from "../../wire/records.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";
import type { TaskRun } from "./task-run.ts";

/** Ends the turn in the agent's place, whatever the agent still does. */
export function endRun({ agent, log }: AgentRuntimeOptions, run: TaskRun, stop: Stop): void {
  const at = { runId: runIdOf(run.task), agent: agent.profile.name, seq: Number.MAX_SAFE_INTEGER };
  try {
    run.encoder.push(endOf(at, stop.outcome, stop.error));
  } catch (error) {
    log.error("the end of a task could not be told whole", { taskId: run.id, error });
  }
  // What the agent said last may have left nothing to end it by; it must not stay working for that.
  if (!run.settled) run.endBluntly(stop);
}

/** Tells the agent to stop, and ends the turn for it when it has not within `STOP_GRACE_MS`; it is still to be stored. */
export async function stopRun(options: AgentRuntimeOptions, run: TaskRun, stop: Stop): Promise<void> {
  run.abort(stop);
  await withinGrace(options.clock, run.whenSettled);
  if (!run.settled) {
    options.log.warn("agent ignores its signal; its task is ended for it", { taskId: run.id });
    endRun(options, run, stop);
  }
}

/** Tells the agent that nobody will answer what it asked. It has no more time for it than to stop. */
export async function letGoOf({ agent, clock, log }: AgentRuntimeOptions, task: Task): Promise<void> {
  const failed = (error: unknown): void =>
    log.warn("agent could not let go of what it asked", { taskId: task.id, error });
  try {
    const done = agent.cancel?.(runIdOf(task)).catch(failed);
    if (done !== undefined) await withinGrace(clock, done);
  } catch (error) {
    failed(error);
  }
}
