import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  type Message,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";

import type { JsonRecord } from "../wire/json.ts";
import { checkParams } from "./fields/current-fields.ts";
import { mapFrames } from "./map-frames.ts";

/** From parameters to result, both ProtoJSON. */
export type JsonOperation = (params: JsonRecord, context: ServerCallContext) => Promise<unknown>;
export type JsonStream = (
  params: JsonRecord,
  context: ServerCallContext,
) => AsyncGenerator<unknown, void, undefined>;

export interface JsonOperations {
  /** By their names in the protocol's service definition. */
  readonly once: { readonly [name in OnceName]: JsonOperation };
  readonly streams: { readonly [name in StreamName]: JsonStream };
}

export type StreamName = "SendStreamingMessage" | "SubscribeToTask";
export type OnceName =
  | "SendMessage"
  | "GetTask"
  | "ListTasks"
  | "CancelTask"
  | "CreateTaskPushNotificationConfig"
  | "GetTaskPushNotificationConfig"
  | "ListTaskPushNotificationConfigs"
  | "DeleteTaskPushNotificationConfig"
  | "GetExtendedAgentCard";

/**
 * The operations as bindings with JSON serve them. A binding finds parameters, errors and framing in
 * its own way, and nothing else; one with Protocol Buffers stands on the handler itself.
 */
export function jsonOperations(handler: A2ARequestHandler): JsonOperations {
  return {
    once: {
      SendMessage: async (params, context) =>
        SendMessageResponse.toJSON(
          sendResponse(await handler.sendMessage(read(SendMessageRequest, params), context)),
        ),
      GetTask: async (params, context) =>
        Task.toJSON(await handler.getTask(read(GetTaskRequest, params), context)),
      ListTasks: async (params, context) => ({
        // ProtoJSON leaves out what is empty; these are promised to be there.
        tasks: [],
        nextPageToken: "",
        pageSize: 0,
        totalSize: 0,
        ...(ListTasksResponse.toJSON(
          await handler.listTasks(read(ListTasksRequest, params), context),
        ) as object),
      }),
      CancelTask: async (params, context) =>
        Task.toJSON(await handler.cancelTask(read(CancelTaskRequest, params), context)),
      CreateTaskPushNotificationConfig: async (params, context) =>
        TaskPushNotificationConfig.toJSON(
          await handler.createTaskPushNotificationConfig(read(TaskPushNotificationConfig, params), context),
        ),
      GetTaskPushNotificationConfig: async (params, context) =>
        TaskPushNotificationConfig.toJSON(
          await handler.getTaskPushNotificationConfig(
            read(GetTaskPushNotificationConfigRequest, params),
            context,
          ),
        ),
      ListTaskPushNotificationConfigs: async (params, context) => ({
        configs: [],
        nextPageToken: "",
        ...(ListTaskPushNotificationConfigsResponse.toJSON(
          await handler.listTaskPushNotificationConfigs(
            read(ListTaskPushNotificationConfigsRequest, params),
            context,
          ),
        ) as object),
      }),
      async DeleteTaskPushNotificationConfig(params, context) {
        await handler.deleteTaskPushNotificationConfig(
          read(DeleteTaskPushNotificationConfigRequest, params),
          context,
        );
        return {};
      },
      GetExtendedAgentCard: async (params, context) =>
        AgentCard.toJSON(
          await handler.getAuthenticatedExtendedAgentCard(read(GetExtendedAgentCardRequest, params), context),
        ),
    },
    streams: {
      SendStreamingMessage: (params, context) =>
        encoded(handler.sendMessageStream(read(SendMessageRequest, params), context)),
      SubscribeToTask: (params, context) =>
        encoded(handler.resubscribe(read(SubscribeToTaskRequest, params), context)),
    },
  };
}

/** What a sent message is answered with, as bindings carry it. */
export function sendResponse(result: Message | Task): SendMessageResponse {
  return {
    payload: "messageId" in result ? { $case: "message", value: result } : { $case: "task", value: result },
  };
}

/** Throws a `RequestMalformedError` that names what is of another type. */
function read<T>(type: { fromJSON(object: unknown): T }, params: JsonRecord): T {
  checkParams(params);
  return type.fromJSON(params);
}

function encoded(frames: AsyncGenerator<StreamResponse, void, undefined>): ReturnType<JsonStream> {
  return mapFrames(frames, (frame) => StreamResponse.toJSON(frame));
}
