import type { JsonObject } from "@troupe/stream";

/** One block of an answer. `arguments` as text is sent as it stands, so it may be broken JSON. */
export type FakeBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject | string;
    }
  /** Anthropic only: reasoning with its signature, which must come back unchanged. */
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string };

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** An answer with an HTTP status of its own, before any stream. */
export interface FakeRefusal {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  /** Provider's error type, such as `overloaded_error`. */
  readonly errorType?: string;
  readonly message?: string;
}

/** A streamed answer. What is not said is what a well-behaved server does. */
export interface FakeStream {
  readonly blocks: readonly FakeBlock[];
  /** Size of each text or argument delta in UTF-16 units; several sizes are used in turn. Default 4. */
  readonly split?: number | readonly number[];
  /** Size of each write to the socket in bytes, across frames and UTF-8 sequences. Whole frames by default. */
  readonly chop?: number;
  /** Argument deltas of all calls take turns. OpenAI only: Anthropic streams block by block. */
  readonly interleave?: boolean;
  /** The provider's own word, such as `max_tokens`, `refusal`, `length`. By default what fits the blocks. */
  readonly stop?: string;
  readonly usage?: FakeUsage;
  /** After this many events: no more bytes, the connection stays open. */
  readonly stallAfter?: number;
  /** After this many events: the socket is destroyed. */
  readonly breakAfter?: number;
  /** After this many events: the response ends as if it were complete. */
  readonly endAfter?: number;
  /** After this many events: an error inside the stream. */
  readonly errorAfter?: { readonly events: number; readonly type: string; readonly message: string };
  /** OpenAI only: text of `delta.refusal`. */
  readonly refusal?: string;
}

/** What the fake answers to one request. */
export type FakeReply = FakeRefusal | FakeStream;

export function isRefusal(reply: FakeReply): reply is FakeRefusal {
  return "status" in reply;
}

export function argumentText(value: JsonObject | string): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
