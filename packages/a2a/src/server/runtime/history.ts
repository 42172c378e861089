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
 * Characters of what was said that are handed on, several times what a model reads. Every task that runs
 * holds its own, so this times the tasks of a caller is what one of them can have kept.
 */
const MAX_CHARS = 256 * 1024;

/**
 * What is read for it, so that a message to a conversation of large tasks costs no more than a few of
 * them: so many pages at most, of so many bytes as the store counts them. A page has one task at least.
 */
const PAGE_BYTES = 1024 * 1024;
const MAX_PAGES = 4;

/**
 * What was said before in this conversation: of each task the person's words and the terminal
 * answer, never drafts. Questions that a task asked stand where they were asked. Of a long one the
 * newest turns, each of them whole.
 */
export async function historyOf(
  store: TaskStore,
  owner: string,
  contextId: string,
  /** The task that is about to be worked on, where it is stored already. */
  taskId?: string,
): Promise<readonly Turn[]> {
  /** Newest first. */
  const turns: Turn[] = [];
  let chars = 0;
  let tasksLeft = MAX_TASKS;
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES && tasksLeft > 0; page++) {
    const query = { contextId, pageSize: tasksLeft, maxBytes: PAGE_BYTES, pageToken };
    const { tasks, nextPageToken } = await store.list(owner, query);
    for (const task of tasks) {
      // What waits for its turn has not been said to the agent yet.
      if (task.id === taskId || task.status?.state === TaskState.TASK_STATE_SUBMITTED) continue;
      for (const turn of turnsOf(task).toReversed()) {
        chars += turn.text.length;
        if (chars > MAX_CHARS) return turns.toReversed();
        turns.push(turn);
      }
    }
    if (nextPageToken === "") break;
    tasksLeft -= tasks.length;
    pageToken = nextPageToken;
  }
  return turns.toReversed();
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
