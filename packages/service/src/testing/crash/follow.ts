import type { RemoteAgent } from "@troupe/a2a/client";
import { isTroupeError, systemClock } from "@troupe/core";
import type { AgentEventOf, ArtifactRef } from "@troupe/stream";

import { wordsOf, type CrashWork } from "./crash-work.ts";

/** One task of a round, as its client knows it. */
export interface Followed {
  readonly work: CrashWork;
  readonly messageId: string;
  /** Once the agent has named it. */
  taskId?: string;
  finish?: AgentEventOf<"finish">;
  /** It ended as seen by the client before the agent was killed. */
  endedBefore?: boolean;
  files: readonly ArtifactRef[];
  /** What stood in its client's way last. */
  lastError?: unknown;
  /** Times it was taken up again after the connection broke. */
  rejoined: number;
}

const AGAIN_AFTER_MS = 50;

/**
 * Asks, and follows to the finish however often the agent dies meanwhile: the same message again until
 * the task has a name, then that task. Throws what no client should have to deal with.
 */
export async function follow(remote: RemoteAgent, task: Followed, signal: AbortSignal): Promise<void> {
  const ask = (): ReturnType<RemoteAgent["stream"]> =>
    task.taskId === undefined
      ? remote.stream(
          { text: wordsOf(task.work), messageId: task.messageId },
          { signal, onTask: (taskId) => void (task.taskId = taskId) },
        )
      : remote.join(task.taskId, { signal });
  for (; task.finish === undefined; task.rejoined++) {
    const files: ArtifactRef[] = [];
    try {
      for await (const event of ask()) {
        if (event.type === "artifact") files.push(event.artifact);
        if (event.type !== "finish" || event.stepId !== undefined) continue;
        task.files = files;
        task.finish = event;
        return;
      }
    } catch (error) {
      signal.throwIfAborted();
      task.lastError = error;
      // Whoever does not know yet whether the message arrived may always send it again.
      const harmless = task.taskId === undefined || (isTroupeError(error) && error.retryable);
      if (!harmless) throw error;
    }
    await systemClock.sleep(AGAIN_AFTER_MS, signal);
  }
}
