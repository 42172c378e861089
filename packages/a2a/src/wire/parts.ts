import { Role, type Artifact, type Message, type Part, type StreamResponse, type Task } from "@a2a-js/sdk";
import type { Json } from "@troupe/stream";

/** One thing on an A2A stream: a task snapshot, a message, a status or an artifact update. */
export type WireEvent = NonNullable<StreamResponse["payload"]>;
export type Metadata = { readonly [key: string]: unknown };

export function textPart(text: string): Part {
  return { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" };
}

export function dataPart(value: object | Json, metadata?: Metadata): Part {
  return {
    content: { $case: "data", value },
    metadata: metadata === undefined ? undefined : { ...metadata },
    filename: "",
    mediaType: "application/json",
  };
}

/** A file by address, never by bytes. */
export function filePart(url: string, filename: string, mediaType: string): Part {
  return { content: { $case: "url", value: url }, metadata: undefined, filename, mediaType };
}

/** The text parts put together, nothing in between. */
export function textOf(parts: readonly Part[]): string {
  let text = "";
  for (const part of parts) if (part.content?.$case === "text") text += part.content.value;
  return text;
}

/** The values of the data parts, in order. They are what a peer sent: check before use. */
export function dataOf(parts: readonly Part[]): readonly Json[] {
  const values: Json[] = [];
  for (const part of parts) {
    if (part.content?.$case === "data" && part.content.value !== undefined)
      values.push(part.content.value as Json);
  }
  return values;
}

/** What an update adds to, shaped as the SDK's codec wants it. */
export function artifactOf(
  artifactId: string,
  name: string,
  parts: readonly Part[],
  metadata?: Metadata,
  description = "",
): Artifact {
  return {
    artifactId,
    name,
    description,
    parts: [...parts],
    metadata: metadata === undefined ? undefined : { ...metadata },
    extensions: [],
  };
}

/** A message of the agent, such as the one that stands in a status. */
export function agentMessage(
  messageId: string,
  task: Pick<Task, "id" | "contextId">,
  parts: readonly Part[],
): Message {
  return {
    messageId,
    contextId: task.contextId,
    taskId: task.id,
    role: Role.ROLE_AGENT,
    parts: [...parts],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
