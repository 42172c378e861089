import { unreachable } from "@troupe/stream";

import { argumentText, type FakeBlock, type FakeStream } from "./scenario.ts";
import { splitBy } from "./split.ts";

/** The SSE frames of one answer of the Messages API, in order. */
export function anthropicFrames(reply: FakeStream, model: string): string[] {
  const usage = reply.usage ?? { input: 10, output: 5 };
  const frames = [
    frame("message_start", {
      message: {
        id: "msg_fake",
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input,
          cache_read_input_tokens: usage.cacheRead ?? 0,
          cache_creation_input_tokens: usage.cacheWrite ?? 0,
          output_tokens: 1,
        },
      },
    }),
  ];
  reply.blocks.forEach((block, index) => {
    frames.push(frame("content_block_start", { index, content_block: opened(block) }));
    for (const delta of deltas(block, reply.split))
      frames.push(frame("content_block_delta", { index, delta }));
    frames.push(frame("content_block_stop", { index }));
  });
  const calls = reply.blocks.some((block) => block.type === "tool-call");
  frames.push(
    frame("message_delta", {
      delta: { stop_reason: reply.stop ?? (calls ? "tool_use" : "end_turn"), stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    frame("message_stop", {}),
  );
  return frames;
}

/** An error in the middle of the stream, as the API reports it. */
export function anthropicErrorFrame(type: string, message: string): string {
  return frame("error", { error: { type, message } });
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function opened(block: FakeBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool-call":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
    default:
      return unreachable(block);
  }
}

function deltas(block: FakeBlock, split: FakeStream["split"]): object[] {
  switch (block.type) {
    case "text":
      return splitBy(block.text, split).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...splitBy(block.thinking, split).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "tool-call":
      return splitBy(argumentText(block.arguments), split).map((json) => ({
        type: "input_json_delta",
        partial_json: json,
      }));
    default:
      return unreachable(block);
  }
}
