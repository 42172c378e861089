import { TaskState, type Message, type Part, type Task } from "@a2a-js/sdk";
import { agentResponseSchema } from "@troupe/core";

import { isResult } from "./artifact-checker.ts";
import { agentMessage, dataOf, dataPart, textPart } from "./parts.ts";

/** The answer of a completed task as a message that stands alone; undefined for a task that has not completed. */
export function replyMessage(task: Task): Message | undefined {
  const { status, artifacts } = task;
  if (status?.state !== TaskState.TASK_STATE_COMPLETED) return undefined;
  const result = artifacts.find(isResult);
  const files = artifacts.flatMap(({ parts }) => parts.filter(({ content }) => content?.$case === "url"));
  const parts = [...responseParts(result?.parts ?? []), ...files];
  if (parts.length === 0) return undefined;
  const { contextId } = task;
  return agentMessage(status.message?.messageId ?? task.id, { id: "", contextId }, parts);
}

/** Content and data of an `AgentResponse`; any other result unchanged. */
function responseParts(parts: readonly Part[]): readonly Part[] {
  const [data] = dataOf(parts);
  const response = agentResponseSchema.safeParse(data);
  if (!response.success) return parts;
  const { content, data: more } = response.data;
  return [...(content === "" ? [] : [textPart(content)]), ...(more === null ? [] : [dataPart(more)])];
}
