import { TaskState, type Task } from "@a2a-js/sdk";

import { agentMessage, textPart } from "../wire/parts.ts";

/**
 * What stands in place of a task that was stored and cannot be read: it has failed, and says so. What
 * is stored stays as it is, for whoever can mend it.
 */
export function lostTask(head: {
  readonly id: string;
  readonly contextId: string;
  /** ISO 8601, or empty. */
  readonly updatedAt: string;
}): Task {
  const { id, contextId, updatedAt } = head;
  const said = [textPart("What was stored of this task cannot be read. Ask again.")];
  return {
    id,
    contextId,
    status: {
      state: TaskState.TASK_STATE_FAILED,
      message: agentMessage(`${id}-lost`, { id, contextId }, said),
      timestamp: updatedAt === "" ? undefined : updatedAt,
    },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}
