import { StreamResponse, type Task } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";

import type { PushConfig } from "../store/push-configs.ts";
import { EXT } from "../wire/extension.ts";

/** Where the specification has the token of a config. */
const TOKEN_HEADER = "X-A2A-Notification-Token";

const legacy = new V03PushNotificationSerializer();

/** Tells one state of a task from the one before. */
export function stateKey({ status }: Task): string {
  return `${status?.state ?? 0}@${status?.timestamp ?? ""}`;
}

/**
 * What is sent of a task in a new state: in 1.0 a `StreamResponse` with the status update, in 0.3 the
 * task. What the agent did to get there is for whoever asks for the task.
 */
export function notificationOf(task: Task, version: PushConfig["version"]): string {
  const { id: taskId, contextId, status } = task;
  const { [EXT]: _events, ...metadata } = task.metadata ?? {};
  const payload = {
    $case: "statusUpdate",
    value: { taskId, contextId, status, metadata },
  } as const;
  if (version === "0.3") return legacy.serialize({ payload }, { ...task, history: [], metadata }).body;
  return JSON.stringify(StreamResponse.toJSON({ payload }));
}

/** The headers of every notification for a config. */
export function headersFor({ token, authentication, version }: PushConfig): Readonly<Record<string, string>> {
  return {
    "Content-Type": version === "0.3" ? "application/json" : "application/a2a+json",
    ...(version === "0.3" ? {} : { "A2A-Version": version }),
    ...(token === "" ? {} : { [TOKEN_HEADER]: token }),
    ...(authentication === undefined
      ? {}
      : { Authorization: `${authentication.scheme} ${authentication.credentials}`.trim() }),
  };
}
