import {
  Role,
  type Message,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type Task,
} from "@a2a-js/sdk";
import { ClientFactory, type Client } from "@a2a-js/sdk/client";

import { textPart, type WireEvent } from "../wire/parts.ts";

const AS_USUAL: SendMessageConfiguration = {
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
  historyLength: undefined,
  returnImmediately: false,
};

/** A message as a client without our extension sends it. */
export function plainMessage(
  text: string,
  more: {
    readonly messageId?: string;
    readonly taskId?: string;
    readonly contextId?: string;
    readonly configuration?: Partial<SendMessageConfiguration>;
  } = {},
): SendMessageRequest {
  return {
    tenant: "",
    configuration: more.configuration && { ...AS_USUAL, ...more.configuration },
    metadata: undefined,
    message: {
      messageId: more.messageId ?? crypto.randomUUID(),
      contextId: more.contextId ?? "",
      taskId: more.taskId ?? "",
      role: Role.ROLE_USER,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

/** The SDK's own client, for what a server does to others' clients. */
export function plainClient(url: string): Promise<Client> {
  return new ClientFactory().createFromUrl(url);
}

/** What a message was answered with, where that is a task. */
export function taskOf(answer: Message | Task): Task {
  if ("artifacts" in answer) return answer;
  throw new Error(`expected a task, not message "${answer.messageId}"`);
}

/** Everything that one request puts on the wire, as the SDK's own client sees it. */
export async function captureWire(url: string, request: SendMessageRequest): Promise<readonly WireEvent[]> {
  const client = await plainClient(url);
  const events: WireEvent[] = [];
  for await (const { payload } of client.sendMessageStream(request)) if (payload) events.push(payload);
  return events;
}
