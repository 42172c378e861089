import type Anthropic from "@anthropic-ai/sdk";
import { callArguments, type ModelEvent, type StopReason } from "@troupe/core";

import type { Decoder } from "../calls/stream-call.ts";

interface OpenCall {
  readonly callId: string;
  arguments: string;
}

/**
 * Events of the Messages API as model events. `onTurn` gets the whole turn as it must be handed
 * back when it holds reasoning.
 */
export function anthropicDecoder(
  onTurn: (content: readonly Anthropic.ContentBlockParam[]) => void,
): Decoder<Anthropic.RawMessageStreamEvent> {
  const turn: Anthropic.ContentBlockParam[] = [];
  const calls = new Map<number, OpenCall>();
  const counts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  let sawCalls = false;
  let started = false;
  let counted = false;
  let stop: Anthropic.StopReason | undefined;

  const usage = (): ModelEvent => ({
    type: "usage",
    usage: {
      inputTokens: counts.input,
      outputTokens: counts.output,
      cacheReadTokens: counts.cacheRead,
      cacheWriteTokens: counts.cacheWrite,
      modelCalls: 1,
    },
  });

  const count = (told: Anthropic.Usage | Anthropic.MessageDeltaUsage): void => {
    counted = true;
    // Running totals; a later event repeats only what changed.
    counts.input = told.input_tokens ?? counts.input;
    counts.output = told.output_tokens;
    counts.cacheRead = told.cache_read_input_tokens ?? counts.cacheRead;
    counts.cacheWrite = told.cache_creation_input_tokens ?? counts.cacheWrite;
  };

  const open = (event: Anthropic.RawContentBlockStartEvent): readonly ModelEvent[] => {
    started = true;
    const block = event.content_block;
    switch (block.type) {
      case "text":
        turn[event.index] = { type: "text", text: block.text };
        return block.text === "" ? [] : [{ type: "text-delta", text: block.text }];
      case "tool_use":
        sawCalls = true;
        turn[event.index] = { type: "tool_use", id: block.id, name: block.name, input: {} };
        calls.set(event.index, { callId: block.id, arguments: "" });
        return [{ type: "tool-call-start", callId: block.id, name: block.name }];
      case "thinking":
        turn[event.index] = {
          type: "thinking",
          thinking: block.thinking,
          signature: block.signature,
        };
        return [];
      case "redacted_thinking":
        turn[event.index] = { type: "redacted_thinking", data: block.data };
        return [];
      default:
        return [];
    }
  };

  const grow = ({ index, delta }: Anthropic.RawContentBlockDeltaEvent): readonly ModelEvent[] => {
    const block = turn[index];
    switch (delta.type) {
      case "text_delta":
        if (block?.type === "text") block.text += delta.text;
        return delta.text === "" ? [] : [{ type: "text-delta", text: delta.text }];
      case "input_json_delta": {
        const call = calls.get(index);
        if (!call || delta.partial_json === "") return [];
        call.arguments += delta.partial_json;
        return [{ type: "tool-call-delta", callId: call.callId, delta: delta.partial_json }];
      }
      case "thinking_delta":
        if (block?.type === "thinking") block.thinking += delta.thinking;
        return [];
      case "signature_delta":
        if (block?.type === "thinking") block.signature = delta.signature;
        return [];
      default:
        return [];
    }
  };

  const close = (index: number): readonly ModelEvent[] => {
    const call = calls.get(index);
    if (!call) return [];
    calls.delete(index);
    const block = turn[index];
    if (block?.type === "tool_use") block.input = callArguments(call.arguments);
    const end: ModelEvent = { type: "tool-call-end", callId: call.callId };
    // A tool without parameters streams no argument at all.
    return call.arguments === ""
      ? [{ type: "tool-call-delta", callId: call.callId, delta: "{}" }, end]
      : [end];
  };

  return {
    started() {
      return started;
    },
    complete() {
      return stop !== undefined;
    },
    decode(event) {
      switch (event.type) {
        case "message_start":
          count(event.message.usage);
          return [];
        case "content_block_start":
          return open(event);
        case "content_block_delta":
          return grow(event);
        case "content_block_stop":
          return close(event.index);
        case "message_delta":
          count(event.usage);
          // Gateways send one without a reason to count tokens in the middle: the answer goes on.
          stop = event.delta.stop_reason ?? stop;
          started = true;
          return [];
        default:
          return [];
      }
    },
    usage: () => (counted ? usage() : undefined),
    end() {
      onTurn(turn.filter((block) => block !== undefined));
      const open = [...calls.values()].map(({ callId }): ModelEvent => ({ type: "tool-call-end", callId }));
      return [...open, usage(), { type: "stop", reason: reasonOf(stop, sawCalls) }];
    },
  };
}

function reasonOf(stop: Anthropic.StopReason | undefined, calls: boolean): StopReason {
  switch (stop) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "max-tokens";
    case "refusal":
      return "refusal";
    default:
      return calls ? "tool-calls" : "end";
  }
}
