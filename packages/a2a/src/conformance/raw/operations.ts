import { stringOf, type JsonRecord } from "../../wire/json.ts";

/** Operations by their names in the service definition, which are those of JSON-RPC. */
export const OPERATIONS = {
  SendMessage: { method: "POST", path: () => "/message:send" },
  GetTask: { method: "GET", path: (p) => `/tasks/${part(p, "id")}`, inPath: ["id"] },
  ListTasks: { method: "GET", path: () => "/tasks" },
  CancelTask: { method: "POST", path: (p) => `/tasks/${part(p, "id")}:cancel`, inPath: ["id"] },
  CreateTaskPushNotificationConfig: { method: "POST", path: configs, inPath: ["taskId"] },
  GetTaskPushNotificationConfig: { method: "GET", path: config, inPath: ["taskId", "id"] },
  ListTaskPushNotificationConfigs: { method: "GET", path: configs, inPath: ["taskId"] },
  DeleteTaskPushNotificationConfig: { method: "DELETE", path: config, inPath: ["taskId", "id"] },
  GetExtendedAgentCard: { method: "GET", path: () => "/extendedAgentCard" },
  SendStreamingMessage: { method: "POST", path: () => "/message:stream" },
  SubscribeToTask: { method: "POST", path: (p) => `/tasks/${part(p, "id")}:subscribe`, inPath: ["id"] },
} as const satisfies { readonly [name: string]: RestForm };

export type Operation = keyof typeof OPERATIONS;

export interface RestForm {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: (params: JsonRecord) => string;
  /** Parameters that stand in the path, and nowhere else. */
  readonly inPath?: readonly string[];
}

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly Operation[];

function part(params: JsonRecord, name: string): string {
  return encodeURIComponent(stringOf(params[name]));
}

function configs(params: JsonRecord): string {
  return `/tasks/${part(params, "taskId")}/pushNotificationConfigs`;
}

function config(params: JsonRecord): string {
  return `${configs(params)}/${part(params, "id")}`;
}
