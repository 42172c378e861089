import { TaskState, type Message } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";

import { agentMessage, artifactOf, textOf, textPart } from "../wire/parts.ts";

type Ids = Pick<RequestContext, "taskId" | "contextId">;

/** What `exerciseAgent` does, on the bare SDK. */
export function exerciseExecutor(): AgentExecutor {
  /** How each task is ended that has not ended yet. */
  const open = new Map<string, (bus: ExecutionEventBus) => void>();
  return {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context;
      const ids = { taskId, contextId };
      const text = textOf(userMessage.parts);
      const stopped = Promise.withResolvers<void>();
      open.set(taskId, (to) => {
        end(ids, to, TaskState.TASK_STATE_CANCELED);
        stopped.resolve();
      });
      begin(context, bus);
      if (/take your time/i.test(text)) await stopped.promise;
      else if (/\bask me\b/i.test(text)) end(ids, bus, TaskState.TASK_STATE_INPUT_REQUIRED);
      else if (/my authorization/i.test(text))
        end(ids, bus, TaskState.TASK_STATE_AUTH_REQUIRED, "Let me look into your calendar.");
      else {
        open.delete(taskId);
        for (const [n, part] of ["Hello, ", "good day."].entries())
          bus.publish(
            AgentEvent.artifactUpdate({
              ...ids,
              artifact: artifactOf("answer", "answer", [textPart(part)]),
              append: n > 0,
              lastChunk: false,
              metadata: undefined,
            }),
          );
        end(ids, bus, TaskState.TASK_STATE_COMPLETED);
      }
    },
    cancelTask(taskId, bus) {
      open.get(taskId)?.(bus);
      open.delete(taskId);
      return Promise.resolve();
    },
  };
}

function begin({ taskId, contextId, task, userMessage }: RequestContext, bus: ExecutionEventBus): void {
  const history: Message[] = [...(task?.history ?? []), userMessage];
  const status = statusOf(TaskState.TASK_STATE_WORKING);
  bus.publish(
    AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history, metadata: undefined }),
  );
}

function end(ids: Ids, bus: ExecutionEventBus, state: TaskState, text = ""): void {
  const { taskId: id, contextId } = ids;
  const message = text === "" ? undefined : agentMessage(`${id}-asks`, { id, contextId }, [textPart(text)]);
  const status = { ...statusOf(state), message };
  bus.publish(AgentEvent.statusUpdate({ ...ids, status, metadata: undefined }));
  bus.finished();
}

function statusOf(state: TaskState) {
  return { state, message: undefined, timestamp: new Date().toISOString() };
}
