import { TaskState, type Task } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";

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

/** One task that cannot be read is no reason to show none: undefined then, and the log says why. */
export function readOrTell(log: Log, taskId: string, read: () => Task): Task | undefined {
  try {
    return read();
  } catch (error) {
    log.error("a stored task cannot be read", { taskId, error });
    return undefined;
  }
}
