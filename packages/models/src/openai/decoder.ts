import type { ModelEvent, StopReason } from "@troupe/core";
import type OpenAI from "openai";

import type { Decoder } from "../calls/stream-call.ts";

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Delta = Chunk["choices"][number]["delta"];
type CallDelta = NonNullable<Delta["tool_calls"]>[number];

interface OpenCall {
  readonly callId: string;
  received: boolean;
}

/**
 * Chat-completion chunks as model events. `newCallId` names a call whose server sends no id.
 *
 * Argument pieces of parallel calls may come interleaved, so every call ends with the answer.
 */
export function openaiDecoder(newCallId: (position: number) => string): Decoder<Chunk> {
  /** In order of appearance. */
  const calls: OpenCall[] = [];
  /** The call that the pieces of an index belong to at the moment. */
  const byIndex = new Map<number, { readonly call: OpenCall; readonly id: string | undefined }>();
  let started = false;
  let refused = false;
  const reasoning = new ReasoningFilter();
  let finish: Chunk["choices"][number]["finish_reason"] = null;
  let counted: OpenAI.CompletionUsage | undefined;

  const usage = (): ModelEvent => {
    const cached = counted?.prompt_tokens_details?.cached_tokens ?? 0;
    return {
      type: "usage",
      usage: {
        inputTokens: Math.max(0, (counted?.prompt_tokens ?? 0) - cached),
        outputTokens: counted?.completion_tokens ?? 0,
        cacheReadTokens: cached,
        cacheWriteTokens: 0,
        modelCalls: 1,
      },
    };
  };

  const textEvents = (text: string): readonly ModelEvent[] =>
    text === "" ? [] : [{ type: "text-delta", text }];

  const callPiece = (piece: CallDelta): readonly ModelEvent[] => {
    const events: ModelEvent[] = [];
    const id = piece.id || undefined;
    const name = piece.function?.name;
    let open = byIndex.get(piece.index);
    // Some servers number every call 0 and tell them apart by id alone.
    if (!open || (name && id !== undefined && id !== open.id)) {
      const call = { callId: id ?? newCallId(calls.length), received: false };
      open = { call, id };
      calls.push(call);
      byIndex.set(piece.index, open);
      events.push({ type: "tool-call-start", callId: call.callId, name: name ?? "" });
    }
    const delta = piece.function?.arguments;
    if (delta) {
      open.call.received = true;
      events.push({ type: "tool-call-delta", callId: open.call.callId, delta });
    }
    return events;
  };

  return {
    started() {
      return started;
    },
    complete() {
      return finish !== null;
    },
    decode(chunk) {
      if (chunk.usage) counted = chunk.usage;
      // The usage chunk has no choice.
      const choice = chunk.choices?.[0];
      if (!choice) return [];
      const events: ModelEvent[] = [];
      const { delta } = choice;
      // Reasoning comes under names of its own; any field but the role is a sign that it has begun.
      started ||= Object.entries(delta ?? {}).some(([key, value]) => key !== "role" && hasContent(value));
      if (delta?.content) events.push(...textEvents(reasoning.take(delta.content)));
      const isOver = delta?.refusal || delta?.tool_calls?.length || choice.finish_reason;
      if (isOver) events.push(...textEvents(reasoning.flush()));
      if (delta?.refusal) {
        refused = true;
        events.push({ type: "text-delta", text: delta.refusal });
      }
      for (const piece of delta?.tool_calls ?? []) events.push(...callPiece(piece));
      if (choice.finish_reason) {
        finish = choice.finish_reason;
        started = true;
      }
      return events;
    },
    usage: () => (counted ? usage() : undefined),
    end() {
      const reason = refused ? "refusal" : reasonOf(finish, calls.length > 0);
      const ends = calls.flatMap(({ callId, received }): ModelEvent[] => {
        const end: ModelEvent = { type: "tool-call-end", callId };
        const empty = !received && reason === "tool-calls";
        return empty ? [{ type: "tool-call-delta", callId, delta: "{}" }, end] : [end];
      });
      return [...ends, usage(), { type: "stop", reason }];
    },
  };
}

const OPENING = /^\s*<\/?think(?:ing)?>/i;
const CLOSING = /<\/think(?:ing)?>/i;
const TAGS = ["<think>", "<thinking>", "</think>", "</thinking>"];
const MAX_TAG = 11;

/**
 * Removes `<think>` blocks, and a lone `</think>`, from the beginning of an answer, where servers without a reasoning
 * parser leave them. Holds back only what may still become a tag. A block that is never closed is all reasoning.
 */
class ReasoningFilter {
  #state: "start" | "reasoning" | "text" = "start";
  #held = "";
  #hasRemoved = false;

  /** The part of the text so far that is certainly answer and was not returned before. */
  take(piece: string): string {
    if (this.#state === "text") return piece;
    this.#held += piece;
    for (;;) {
      if (this.#state === "reasoning") {
        const close = CLOSING.exec(this.#held);
        if (close === null) {
          this.#held = this.#held.slice(1 - MAX_TAG);
          return "";
        }
        this.#held = this.#held.slice(close.index);
      }
      const [tag] = OPENING.exec(this.#held) ?? [];
      if (tag === undefined) break;
      this.#state = tag.includes("/") ? "start" : "reasoning";
      this.#held = this.#held.slice(tag.length);
      this.#hasRemoved = true;
    }
    const begun = this.#held.trimStart().toLowerCase();
    return TAGS.some((tag) => tag.startsWith(begun)) ? "" : this.flush();
  }

  /** What was held back, once no more of a tag can follow. */
  flush(): string {
    if (this.#state === "reasoning") return "";
    const text = this.#hasRemoved ? this.#held.trimStart() : this.#held;
    this.#state = "text";
    this.#held = "";
    return text;
  }
}

function hasContent(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

/** Some servers say `stop` although they call tools. */
function reasonOf(finish: string | null, calls: boolean): StopReason {
  if (finish === "length") return "max-tokens";
  if (finish === "content_filter") return "refusal";
  return calls ? "tool-calls" : "end";
}
