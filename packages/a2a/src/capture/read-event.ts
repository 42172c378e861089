import { listOf, parseJson, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";

/** State of a task as both protocols have it, in the words of 0.3. */
export type SeenState = (typeof STATES)[number];

const STATES = [
  "submitted",
  "working",
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
  "unknown",
] as const;

export interface SeenArtifact {
  readonly artifactId: string;
  readonly name: string;
  /** The text parts put together, nothing in between. */
  readonly text: string;
  /** The first data part. */
  readonly data: JsonRecord | undefined;
  readonly parts: number;
  readonly partKinds: PartCounts;
  readonly metadata: JsonRecord;
}

/** Number of parts of each kind. */
export interface PartCounts {
  readonly text: number;
  readonly data: number;
  readonly file: number;
}

export interface SeenMessage {
  readonly messageId: string;
  readonly text: string;
}

/** What an event says, whichever protocol it came in. */
export type SeenEvent =
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly state: SeenState;
      readonly message: SeenMessage | undefined;
      readonly artifacts: readonly SeenArtifact[];
      readonly metadata: JsonRecord;
    }
  | {
      readonly kind: "status";
      readonly taskId: string;
      readonly state: SeenState;
      readonly message: SeenMessage | undefined;
      readonly metadata: JsonRecord;
    }
  | {
      readonly kind: "artifact";
      readonly taskId: string;
      readonly artifact: SeenArtifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
    }
  | { readonly kind: "message"; readonly message: SeenMessage }
  | { readonly kind: "error"; readonly code: string; readonly message: string }
  /** No JSON, or none of A2A. */
  | { readonly kind: "unreadable" };

/** Reads an event of A2A 1.0 or 0.3, in the envelope of JSON-RPC or without one. */
export function readEvent(raw: string): SeenEvent {
  const body = recordOf(parseJson(raw));
  if (body === undefined) return { kind: "unreadable" };
  const error = recordOf(body["error"]);
  if (error !== undefined) return { kind: "error", code: codeOf(error), message: stringOf(error["message"]) };
  const result = recordOf(body["result"]) ?? body;
  const { task, statusUpdate, artifactUpdate, message } = result;
  switch (result["kind"]) {
    case "task":
      return taskOf(result);
    case "status-update":
      return statusOf(result);
    case "artifact-update":
      return artifactUpdateOf(result);
    case "message":
      return { kind: "message", message: messageOf(result) };
    default:
  }
  const oneOf = { task: recordOf(task), status: recordOf(statusUpdate), artifact: recordOf(artifactUpdate) };
  if (oneOf.task !== undefined) return taskOf(oneOf.task);
  if (oneOf.status !== undefined) return statusOf(oneOf.status);
  if (oneOf.artifact !== undefined) return artifactUpdateOf(oneOf.artifact);
  const said = recordOf(message);
  if (said !== undefined) return { kind: "message", message: messageOf(said) };
  // The answer of GetTask has no envelope of its own.
  if (typeof result["id"] === "string" && recordOf(result["status"]) !== undefined) return taskOf(result);
  return { kind: "unreadable" };
}

/** Nothing follows, until somebody answers. */
export function isSettledState(state: SeenState): boolean {
  return state !== "submitted" && state !== "working" && state !== "unknown";
}

function codeOf(error: JsonRecord): string {
  const reason = listOf(error["details"])
    .map((detail) => stringOf(recordOf(detail)?.["reason"]))
    .find((text) => text !== "");
  const { code, status } = error;
  return reason ?? (stringOf(status) || (typeof code === "number" ? String(code) : stringOf(code)));
}

function taskOf(task: JsonRecord): SeenEvent {
  const { state, message } = stateIn(task);
  return {
    kind: "task",
    taskId: stringOf(task["id"]),
    state,
    message,
    artifacts: listOf(task["artifacts"]).flatMap((value) => {
      const artifact = recordOf(value);
      return artifact === undefined ? [] : [artifactOf(artifact)];
    }),
    metadata: recordOf(task["metadata"]) ?? {},
  };
}

function statusOf(update: JsonRecord): SeenEvent {
  return {
    kind: "status",
    taskId: stringOf(update["taskId"]),
    ...stateIn(update),
    metadata: recordOf(update["metadata"]) ?? {},
  };
}

function artifactUpdateOf(update: JsonRecord): SeenEvent {
  const artifact = recordOf(update["artifact"]);
  if (artifact === undefined) return { kind: "unreadable" };
  return {
    kind: "artifact",
    taskId: stringOf(update["taskId"]),
    artifact: artifactOf(artifact),
    append: update["append"] === true,
    lastChunk: update["lastChunk"] === true,
  };
}

function stateIn(value: JsonRecord): { state: SeenState; message: SeenMessage | undefined } {
  const status = recordOf(value["status"]) ?? {};
  const name = stringOf(status["state"])
    .replace(/^TASK_STATE_/, "")
    .replaceAll("_", "-")
    .toLowerCase();
  const message = recordOf(status["message"]);
  return {
    state: STATES.find((state) => state === name) ?? "unknown",
    message: message === undefined || isUser(message) ? undefined : messageOf(message),
  };
}

function isUser(message: JsonRecord): boolean {
  return message["role"] === "ROLE_USER" || message["role"] === "user";
}

function messageOf(message: JsonRecord): SeenMessage {
  return { messageId: stringOf(message["messageId"]), text: textIn(message) };
}

function artifactOf(artifact: JsonRecord): SeenArtifact {
  const parts = listOf(artifact["parts"]);
  return {
    artifactId: stringOf(artifact["artifactId"]),
    name: stringOf(artifact["name"]),
    text: textIn(artifact),
    data: parts.map((part) => recordOf(recordOf(part)?.["data"])).find((data) => data !== undefined),
    parts: parts.length,
    partKinds: countParts(parts),
    metadata: recordOf(artifact["metadata"]) ?? {},
  };
}

function countParts(parts: readonly unknown[]): PartCounts {
  const counts = { text: 0, data: 0, file: 0 };
  for (const value of parts) {
    const part = recordOf(value);
    if (part !== undefined)
      counts["data" in part ? "data" : typeof part["text"] === "string" ? "text" : "file"]++;
  }
  return counts;
}

function textIn(value: JsonRecord): string {
  return listOf(value["parts"])
    .map((part) => stringOf(recordOf(part)?.["text"]))
    .join("");
}
