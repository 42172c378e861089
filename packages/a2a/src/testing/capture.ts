import { Role, type SendMessageRequest } from "@a2a-js/sdk";
import { ClientFactory, type Client } from "@a2a-js/sdk/client";

import { textPart, type WireEvent } from "../wire/parts.ts";

/** A message as a client without our extension sends it. */
export function plainMessage(
  text: string,
  more: { readonly messageId?: string; readonly taskId?: string; readonly contextId?: string } = {},
): SendMessageRequest {
  return {
    tenant: "",
    configuration: undefined,
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

/** Everything that one request puts on the wire, as the SDK's own client sees it. */
export async function captureWire(url: string, request: SendMessageRequest): Promise<readonly WireEvent[]> {
  const client = await plainClient(url);
  const events: WireEvent[] = [];
  for await (const { payload } of client.sendMessageStream(request)) if (payload) events.push(payload);
  return events;
}
