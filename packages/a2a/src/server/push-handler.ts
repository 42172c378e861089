import type { Task } from "@a2a-js/sdk";
import { PushNotificationNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";

import type { PushOperations } from "../push/operations.ts";
import type { PushConfig, PushTask } from "../store/push-configs.ts";
import { LEGACY_VERSION } from "./http/version.ts";
import { checkTaskId } from "./runtime/check-message.ts";

type Handler = Pick<
  A2ARequestHandler,
  | "createTaskPushNotificationConfig"
  | "getTaskPushNotificationConfig"
  | "listTaskPushNotificationConfigs"
  | "deleteTaskPushNotificationConfig"
>;

/** The four operations on push notification configs, of tasks that the caller can see. */
export function pushHandler(
  options: { readonly push?: PushOperations },
  ownerOf: (context: ServerCallContext) => string,
  now: (owner: string, taskId: string) => Promise<Task>,
): Handler {
  const open = async (taskId: string, context: ServerCallContext) => {
    const push = pushOf(options);
    if (taskId.trim() === "") throw new RequestMalformedError("The task id is missing.");
    const task: PushTask = { owner: ownerOf(context), taskId };
    await now(task.owner, checkTaskId(taskId));
    return { push, task };
  };
  return {
    async createTaskPushNotificationConfig(params, context) {
      const { push, task } = await open(params.taskId, context);
      const version = versionOf(context);
      return push.create(task, params, { version, now: () => now(task.owner, task.taskId) });
    },
    async getTaskPushNotificationConfig(params, context) {
      const { push, task } = await open(params.taskId, context);
      // 0.3 may name none.
      if (params.id === "" && versionOf(context) !== "0.3")
        throw new RequestMalformedError("The config's id is missing.");
      return push.get(task, params.id);
    },
    async listTaskPushNotificationConfigs(params, context) {
      const { push, task } = await open(params.taskId, context);
      return { configs: await push.list(task), nextPageToken: "" };
    },
    async deleteTaskPushNotificationConfig(params, context) {
      const { push, task } = await open(params.taskId, context);
      await push.remove(task, params.id);
    },
  };
}

/** Throws where nobody is notified. */
export function pushOf({ push }: { readonly push?: PushOperations }): PushOperations {
  if (push === undefined) throw new PushNotificationNotSupportedError();
  return push;
}

export function versionOf({ requestedVersion }: ServerCallContext): PushConfig["version"] {
  return requestedVersion === LEGACY_VERSION ? "0.3" : "1.0";
}
