import type { JsonObject, Usage } from "@troupe/stream";

/** A tool as a model sees it. `inputSchema` is JSON Schema (draft 2020-12) of an object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Stream this tool's arguments while they are written and keep to the schema; set on `finish`. */
  readonly eager?: boolean;
}

/** A call as the model wrote it; `arguments` is the raw text, which may be broken JSON. */
export interface ModelToolCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * An image of a message: a file in the artifact store, by reference. Its bytes are read just before a call, see
 * `ImageSource`. It never holds an address.
 */
export interface ModelImage {
  /** Id of the file in the store. */
  readonly id: string;
  readonly name: string;
  /** As declared; what counts is the bytes. */
  readonly mediaType: string;
  readonly bytes: number;
}

export interface ModelToolResult<Image = ModelImage> {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images?: readonly Image[];
}

export type ModelMessage<Image = ModelImage> =
  | { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ModelToolCall[] }
  /** Results of the calls of the assistant message before, one each. */
  | { readonly role: "tool"; readonly results: readonly ModelToolResult<Image>[] };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** `auto` by default; a name forces that tool, `none` forbids all that are listed. */
  readonly toolChoice?: "auto" | "required" | "none" | { readonly name: string };
  readonly maxOutputTokens?: number;
  /** Ask for JSON of this schema instead of text. */
  readonly responseFormat?: { readonly name: string; readonly schema: JsonObject };
}

export type StopReason = "end" | "tool-calls" | "max-tokens" | "refusal";

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly callId: string; readonly delta: string }
  | { readonly type: "tool-call-end"; readonly callId: string }
  /** `model` is set if another model than that of `Model.id` answered. */
  | { readonly type: "usage"; readonly usage: Usage; readonly model?: string }
  /** Exactly one, last. */
  | { readonly type: "stop"; readonly reason: StopReason };

/** Reads the images of one request, with the permissions of its user. */
export interface ImageSource {
  /** Throws a `TroupeError` with the reason if the image cannot be read; the model sees the message. */
  read(
    image: ModelImage,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array>;
  /** Called when a text replaces this image; `why` completes "... is not shown: ". Not called for images dropped as the oldest. */
  omitted?(image: ModelImage, why: string): void;
}

export interface ModelCallOptions {
  readonly signal: AbortSignal;
  /** Absent where the request has no images; a model then gets a text in place of any that it has. */
  readonly images?: ImageSource;
}

/**
 * A language model. `stream` throws a `ModelError` when the call fails, also in the middle of the
 * stream; what was yielded before stays valid. Aborting `signal` ends it with the signal's reason.
 */
export interface Model {
  /** Identifier for people and usage, such as `claude-sonnet-5-5` or `playbook`. */
  readonly id: string;
  /** It costs nothing, as with fixed rules: a cost limit needs no price, and asking again gives the same answer. */
  readonly free?: true;
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent>;
  /**
   * Whether it could be asked, found out without spending tokens. Throws the `ModelError` that stands in
   * the way; resolves where the endpoint does not tell. Absent where nothing can stand in the way.
   */
  check?(options: { readonly signal: AbortSignal }): Promise<void>;
}
