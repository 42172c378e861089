import { Role, type Message, type Part } from "@a2a-js/sdk";
import {
  clip,
  delegationSchema,
  InputError,
  parseBounded,
  replySchemaFor,
  responseModeSchema,
  type AgentRequest,
  type Caller,
  type Delegation,
  type ResponseMode,
  type TraceContext,
  type Turn,
} from "@troupe/core";
import type { InputReply, Json } from "@troupe/stream";

import { delegationText } from "./delegation-text.ts";
import { EXT } from "./extension.ts";
import { dataPart, filePart, textOf, textPart, type Metadata } from "./parts.ts";
import { storedFileOf, unreadFilesIn } from "./file-part.ts";
import { isObject } from "./json.ts";
import { replyText } from "./reply-text.ts";

export interface RequestFile {
  /** File name with extension, no path. */
  readonly name: string;
  readonly mediaType: string;
  readonly url: string;
}

/** What a caller asks a remote agent. */
export interface RemoteRequest {
  /** In words. What the delegation or the reply says, in words, when absent. */
  readonly text?: string;
  /** Unique per attempt; a resend of the same id is harmless at agents of ours. New when absent. */
  readonly messageId?: string;
  readonly contextId?: string;
  /** The task to go on with, when answering what it asked. */
  readonly taskId?: string;
  readonly userId?: string;
  readonly collectionId?: string;
  readonly delegation?: Delegation;
  readonly reply?: InputReply;
  /** Files in the store of the agent, into which they were put before. */
  readonly files?: readonly RequestFile[];
  /** How the answer is to be delivered; as the agent is configured when absent. */
  readonly responseMode?: ResponseMode;
  readonly metadata?: { readonly [key: string]: Json };
}

/** Of `Delegation` and what it holds; additions that may be passed over do not raise it. */
const DELEGATION_VERSION = 1;

/** The key of a message's metadata that names the documents and data to work on. */
export const COLLECTION = "collection";

/** Tool servers ignore longer names, which would mean all collections. */
const MAX_COLLECTION = 256;

/** Marks a data part as one of ours, so that no other data is taken for it. */
const mark = (kind: "delegation" | "reply"): Metadata => ({ [EXT]: { v: 1, kind } });

/**
 * The message that asks this of an agent: what is meant for machines as data parts of our extension, and in
 * words what is said. It has a text part where it would have none. `messageId` stands over that of the request.
 */
export function toMessage(
  request: RemoteRequest,
  messageId: string,
  options: {
    /** False for an agent that takes words only. */
    readonly data?: boolean;
    /** True for an agent that takes images and cannot read the delegation: it gets their addresses as file parts. */
    readonly images?: boolean;
    readonly extensions?: readonly string[];
  } = {},
): Message {
  const { delegation, reply } = request;
  const { data = true, images = false, extensions = [] } = options;
  const parts: Part[] = [];
  if (data && delegation !== undefined) parts.push(dataPart(delegation, mark("delegation")));
  if (data && reply !== undefined) parts.push(dataPart(reply, mark("reply")));
  const text = request.text ?? wordsFor(request);
  if (text !== "" || parts.length === 0) parts.push(textPart(text));
  const files = [...(request.files ?? []), ...(images ? (delegation?.images ?? []) : [])];
  for (const { url, name, mediaType } of files) parts.push(filePart(url, name, mediaType));
  const ours = {
    v: 1,
    kind: "request",
    ...(request.userId === undefined ? {} : { userId: request.userId }),
  };
  const collection = request.collectionId ?? delegation?.collectionId;
  return {
    messageId,
    contextId: request.contextId ?? "",
    taskId: request.taskId ?? "",
    role: Role.ROLE_USER,
    parts,
    metadata: {
      ...request.metadata,
      ...(collection === undefined ? {} : { [COLLECTION]: collection }),
      ...(request.responseMode === undefined ? {} : { response_mode: request.responseMode }),
      [EXT]: ours,
    },
    extensions: [...extensions],
    referenceTaskIds: [],
  };
}

function wordsFor({ delegation, reply }: RemoteRequest): string {
  if (reply !== undefined) return replyText(reply);
  return delegation === undefined ? "" : delegationText(delegation);
}

/** What a message says, in a person's words: of a delegation the instruction, not its baggage. */
export function wordsOf(message: Message): string {
  const delegation = markedAs("delegation", message.parts);
  const instruction = isObject(delegation) ? delegation["instruction"] : undefined;
  return typeof instruction === "string" && markedAs("reply", message.parts) === undefined
    ? instruction
    : textOf(message.parts);
}

/** What the server knows beside the message. */
export interface RequestContext {
  readonly taskId: string;
  readonly contextId: string;
  readonly history: readonly Turn[];
  /** Who asks, as authentication found; wins over what the message says. */
  readonly caller?: Caller;
  /** The call that brought it. */
  readonly trace?: TraceContext;
}

/**
 * Builds the agent's request from a message. Throws an `InputError` (`input.invalid`) where a part
 * is marked as ours and does not keep to its schema, and for values of metadata that cannot be used.
 */
export function fromMessage(message: Message, context: RequestContext): AgentRequest {
  const { caller } = context;
  const delegation = asCaller(readDelegation(message.parts), caller?.id);
  const reply = readReply(message.parts);
  const { [COLLECTION]: collection, response_mode: mode, [EXT]: ours, ...rest } = message.metadata ?? {};
  const said = isObject(ours) ? ours : {};
  const userId = delegation?.userId ?? caller?.id ?? readUserId(said["userId"]);
  const collectionId = readCollection(delegation?.collectionId ?? collection);
  const responseMode = readMode(mode);
  const files = message.parts.flatMap((part) => storedFileOf(part) ?? []);
  const unreadFiles = unreadFilesIn(message.parts);
  return {
    // Never one the caller names: it might be the run of somebody else. An agent that takes a run's id
    // in its metadata, as the orchestrator does, has to compare whose it is.
    runId: context.taskId,
    messageId: message.messageId,
    text: delegation === undefined ? textOf(message.parts) : delegation.instruction,
    history: context.history,
    contextId: context.contextId,
    ...(userId === undefined ? {} : { userId }),
    ...(caller === undefined ? {} : { scopes: caller.scopes }),
    ...(context.trace === undefined ? {} : { trace: context.trace }),
    ...(collectionId === undefined ? {} : { collectionId }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(reply === undefined ? {} : { reply }),
    ...(files.length === 0 ? {} : { files }),
    ...(unreadFiles.length === 0 ? {} : { unreadFiles }),
    ...(responseMode === undefined ? {} : { responseMode }),
    ...(Object.keys(rest).length === 0 ? {} : { metadata: rest }),
  };
}

/** Nobody works in another's name: whoever was authenticated is the user, also inside a delegation. */
function asCaller(delegation: Delegation | undefined, userId: string | undefined): Delegation | undefined {
  return delegation === undefined || userId === undefined ? delegation : { ...delegation, userId };
}

function readMode(value: unknown): ResponseMode | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = responseModeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const modes = responseModeSchema.options.map((mode) => `"${mode}"`).join(", ");
  throw unusable("response_mode", `one of ${modes}`, value);
}

/** Null is the same as none. Anything else unusable is refused: ignored, it would widen the request to all collections. */
function readCollection(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= MAX_COLLECTION) return value;
  throw unusable(
    COLLECTION,
    `the name of a collection, a string of 1 to ${MAX_COLLECTION} characters`,
    value,
  );
}

function readUserId(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw unusable(`${EXT}.userId`, "a string", value);
}

function unusable(key: string, expected: string, value: unknown): InputError {
  const given = clip(JSON.stringify(value) ?? "nothing", 80);
  return new InputError("input.invalid", `message.metadata.${key} must be ${expected}, not ${given}.`);
}

function readDelegation(parts: readonly Part[]): Delegation | undefined {
  const value = markedAs("delegation", parts);
  if (value === undefined) return undefined;
  const later = laterVersion(value);
  if (later !== undefined)
    throw new InputError(
      "input.unsupported",
      `The delegation is of version ${later}; this agent reads up to version ${DELEGATION_VERSION}. Update the agent, or have it asked with that version.`,
    );
  const parsed = parseBounded(delegationSchema, value, "delegation");
  if (parsed.ok) return parsed.value;
  const { issues } = parsed;
  throw new InputError("input.invalid", `The delegation cannot be read: ${issues.join("; ")}`, { issues });
}

/** Of the message, or of what it holds of earlier runs: read by the rules of now it would lose what was meant. */
function laterVersion(value: unknown): number | undefined {
  const earlier = isObject(value) ? value["earlier"] : undefined;
  for (const one of [value, earlier]) {
    const version = isObject(one) ? one["v"] : undefined;
    if (typeof version === "number" && version > DELEGATION_VERSION) return version;
  }
  return undefined;
}

/** A reply of ours is marked; one written by hand is known by its keys. */
function readReply(parts: readonly Part[]): InputReply | undefined {
  const value = markedAs("reply", parts) ?? parts.map(({ content }) => content?.value).find(isReply);
  if (value === undefined) return undefined;
  const parsed = parseBounded(replySchemaFor(isObject(value) ? value : {}), value, "reply");
  if (parsed.ok) return parsed.value;
  const { issues } = parsed;
  throw new InputError("input.invalid", `The reply cannot be read: ${issues.join("; ")}`, { issues });
}

function isReply(value: unknown): boolean {
  return isObject(value) && "requestId" in value && ("values" in value || "decisions" in value);
}

/** Whether it is meant for machines: what a step of a run asks. */
export function isDelegation({ parts }: Message): boolean {
  return markedAs("delegation", parts) !== undefined;
}

function markedAs(kind: "delegation" | "reply", parts: readonly Part[]): unknown {
  for (const part of parts) {
    const marked: unknown = part.metadata?.[EXT];
    if (part.content?.$case === "data" && isObject(marked) && marked["kind"] === kind)
      return part.content.value ?? null;
  }
  return undefined;
}
