import type { Message, Task } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { isTroupeError, type AgentRequest, type Caller } from "@troupe/core";

import { fromMessage, type RequestContext } from "../../wire/request.ts";

/** What the agent is asked. Throws `RequestMalformedError` where the message cannot be read. */
export function readRequest(
  message: Message,
  context: Omit<RequestContext, "caller"> & { readonly caller: Caller | undefined },
): AgentRequest {
  const { caller, ...rest } = context;
  try {
    return fromMessage(message, caller === undefined ? rest : { ...rest, caller });
  } catch (error) {
    if (isTroupeError(error)) throw new RequestMalformedError(error.message);
    throw error;
  }
}

/** Whoever was not the one who asked gets to hear what anybody hears of a task that is not there. */
export function checkSameUser(before: Task, { userId }: AgentRequest, caller: Caller | undefined): void {
  const [first] = before.history;
  if (first === undefined) return;
  const { id: taskId, contextId } = before;
  const asked = readRequest(first, { taskId, contextId, history: [], caller });
  if (asked.userId !== undefined && asked.userId !== userId)
    throw new TaskNotFoundError(`Task not found: ${taskId}`);
}
