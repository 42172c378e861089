import { TaskState, type Task } from "@a2a-js/sdk";

import { isSettled } from "../../wire/state.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { Found } from "./found.ts";
import type { AgentRuntimeOptions } from "./runtime-options.ts";

/** The turn that a task is in, wherever it is worked on. */
export interface PresentTurn {
  readonly task: Task;
  readonly whenSettled: Promise<void>;
}

/** Undefined for a task at rest. */
export function presentTurn(found: Found): PresentTurn | undefined {
  if ("run" in found) return found.run.settled ? undefined : found.run;
  if (!("elsewhere" in found)) return undefined;
  const task = found.elsewhere.snapshot();
  return isSettled(task.status?.state) ? undefined : { task, whenSettled: found.elsewhere.settled() };
}

/**
 * The turns that are over before a message to this one's task begins. Where several processes take
 * messages, one that waits at another is among them.
 */
export async function turnsBefore(
  { store }: AgentRuntimeOptions,
  runs: HeldRuns,
  owner: string,
  present: PresentTurn,
): Promise<readonly PresentTurn[]> {
  if (store.shared === undefined) return [present];
  const { contextId } = present.task;
  const state = TaskState.TASK_STATE_SUBMITTED;
  const { tasks } = await store.list(owner, { contextId, state, pageSize: 1, pageToken: "" });
  const [waiting] = tasks;
  const last = waiting === undefined ? undefined : presentTurn(await runs.find(owner, waiting.id));
  return last === undefined ? [present] : [present, last];
}
