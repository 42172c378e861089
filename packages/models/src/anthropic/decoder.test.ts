import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";

import { anthropicDecoder } from "./decoder.ts";

const event = (value: object) => value as Anthropic.RawMessageStreamEvent;

describe("anthropicDecoder", () => {
  it("takes the beginning of reasoning for a sign of life, and shows none of it", () => {
    const decoder = anthropicDecoder(() => undefined);
    decoder.decode(
      event({ type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1 } } }),
    );
    expect(decoder.started()).toBe(false);
    const block = { type: "thinking", thinking: "", signature: "" };
    expect(decoder.decode(event({ type: "content_block_start", index: 0, content_block: block }))).toEqual(
      [],
    );
    expect(decoder.started()).toBe(true);
    const delta = { type: "thinking_delta", thinking: "hm" };
    expect(decoder.decode(event({ type: "content_block_delta", index: 0, delta }))).toEqual([]);
  });

  it("takes an answer for complete only when its end has a reason", () => {
    const decoder = anthropicDecoder(() => undefined);
    const counted = { type: "message_delta", usage: { output_tokens: 5 } };
    decoder.decode(event({ ...counted, delta: { stop_reason: null } }));
    expect(decoder.complete()).toBe(false);
    decoder.decode(event({ ...counted, delta: { stop_reason: "end_turn" } }));
    decoder.decode(event({ ...counted, delta: { stop_reason: null } }));
    expect(decoder.complete()).toBe(true);
  });

  it("keeps the turn as it must be handed back", () => {
    const turns: (readonly Anthropic.ContentBlockParam[])[] = [];
    const decoder = anthropicDecoder((content) => turns.push(content));
    const blocks = [
      { type: "redacted_thinking", data: "opaque" },
      { type: "thinking", thinking: "", signature: "" },
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "text", text: "Hi" },
    ];
    blocks.forEach((content_block, index) => {
      decoder.decode(event({ type: "content_block_start", index, content_block }));
    });
    decoder.decode(
      event({ type: "content_block_delta", index: 1, delta: { type: "signature_delta", signature: "s1" } }),
    );
    decoder.decode(event({ type: "content_block_delta", index: 3, delta: { type: "citations_delta" } }));
    decoder.decode(
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }),
    );
    expect(decoder.end().at(-1)).toEqual({ type: "stop", reason: "end" });
    expect(turns).toEqual([
      [
        { type: "redacted_thinking", data: "opaque" },
        { type: "thinking", thinking: "", signature: "s1" },
        { type: "text", text: "Hi" },
      ],
    ]);
  });

  it("closes a call that the token limit cut off, without making up arguments", () => {
    const decoder = anthropicDecoder(() => undefined);
    const call = { type: "tool_use", id: "t", name: "finish", input: {} };
    decoder.decode(event({ type: "content_block_start", index: 0, content_block: call }));
    decoder.decode(
      event({ type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 4 } }),
    );
    expect(decoder.end().map(({ type }) => type)).toEqual(["tool-call-end", "usage", "stop"]);
    expect(decoder.end().at(-1)).toEqual({ type: "stop", reason: "max-tokens" });
  });
});
