import { Role, TaskState, type Task } from "@a2a-js/sdk";
import type { Turn } from "@troupe/core";

import type { TaskStore } from "../../store/task-store.ts";
import { RESULT_NAMES } from "../../wire/extension.ts";
import { dataOf, textOf } from "../../wire/parts.ts";
import { isObject } from "../../wire/json.ts";
import { wordsOf } from "../../wire/request.ts";

/** Tasks of a conversation that are looked back on. */
const MAX_TASKS = 50;

/**
 * What was said before in this conversation: of each task the person's words and the terminal
 * answer, never drafts. Questions that a task asked stand where they were asked.
 */
export async function historyOf(
  store: TaskStore,
  owner: string,
  contextId: string,
  /** The task that is about to be worked on, where it is stored already. */
  taskId?: string,
): Promise<readonly Turn[]> {
  const { tasks } = await store.list(owner, { contextId, pageSize: MAX_TASKS, pageToken: "" });
  const said = tasks.filter(
    // What waits for its turn has not been said to the agent yet.
    ({ id, status }) => id !== taskId && status?.state !== TaskState.TASK_STATE_SUBMITTED,
  );
  return said.toReversed().flatMap(turnsOf);
}

function turnsOf(task: Task): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of task.history) {
    const text = wordsOf(message);
    if (text !== "") turns.push({ role: message.role === Role.ROLE_USER ? "user" : "agent", text });
  }
  const answer = answerOf(task);
  return answer === "" ? turns : [...turns, { role: "agent", text: answer }];
}

function answerOf(task: Task): string {
  const result = task.artifacts.findLast((artifact) => RESULT_NAMES.has(artifact.name));
  if (result === undefined) return "";
  const text = textOf(result.parts);
  if (text !== "") return text;
  const [data] = dataOf(result.parts);
  const content = isObject(data) ? data["content"] : undefined;
  return typeof content === "string" ? content : "";
}
