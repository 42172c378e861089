import { Role, TaskState, type Task } from "@a2a-js/sdk";
import type { Client, RequestOptions } from "@a2a-js/sdk/client";

import { wordsOf } from "../wire/request.ts";
import type { ListedTask } from "./connection.ts";

/** As many as are asked for; of a longer conversation the older ones are left out. */
const MAX_TASKS = 50;

/** The tasks of a conversation, oldest first. */
export async function listTasks(
  client: Client,
  contextId: string,
  options: RequestOptions,
): Promise<readonly ListedTask[]> {
  const tasks: Task[] = [];
  let pageToken = "";
  do {
    const page = await client.listTasks(
      {
        tenant: "",
        contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: MAX_TASKS - tasks.length,
        pageToken,
        statusTimestampAfter: undefined,
      },
      options,
    );
    tasks.push(...page.tasks.slice(0, MAX_TASKS - tasks.length));
    // A page may be shorter than was asked for; one without a task leads nowhere.
    pageToken = page.tasks.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && tasks.length < MAX_TASKS);
  // The protocol lists what changed last first.
  return tasks.toReversed().map(({ id, history }) => {
    const asked = history.find(({ role }) => role === Role.ROLE_USER);
    return { taskId: id, text: asked === undefined ? "" : wordsOf(asked) };
  });
}
