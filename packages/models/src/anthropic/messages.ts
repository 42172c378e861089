import type Anthropic from "@anthropic-ai/sdk";
import { callArguments, type LoadedImage } from "@troupe/core";
import { unreachable } from "@troupe/stream";

import type { LoadedMessage } from "../calls/call-images.ts";
import type { ThinkingMemory } from "./thinking-memory.ts";

type Blocks = Anthropic.ContentBlockParam[];

/** The API refuses empty text blocks. */
const EMPTY = "(empty)";

/**
 * The conversation as the Messages API wants it: blocks, and never two turns of one role in a row.
 * `recalled` reports whether a turn was sent with its reasoning.
 */
export function toAnthropicMessages(
  messages: readonly LoadedMessage[],
  memory: ThinkingMemory,
): { readonly messages: Anthropic.MessageParam[]; readonly recalled: boolean } {
  const turns: { role: "user" | "assistant"; content: Blocks }[] = [];
  let recalled = false;
  for (const message of messages) {
    const kept = recall(message, memory);
    recalled ||= kept !== undefined;
    const content = kept ?? toBlocks(message);
    if (content.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return { messages: turns, recalled };
}

function toBlocks(message: LoadedMessage): Blocks {
  switch (message.role) {
    case "user":
      // Images first: the API reads them better in front of the question about them.
      return [
        ...(message.images ?? []).flatMap(toImageBlocks),
        { type: "text", text: message.text === "" ? EMPTY : message.text },
      ];
    case "assistant":
      return [
        ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
        ...message.toolCalls.map((call) => ({
          type: "tool_use" as const,
          id: call.callId,
          name: call.name,
          input: callArguments(call.arguments),
        })),
      ];
    case "tool":
      return message.results.map((result) => ({
        type: "tool_result" as const,
        tool_use_id: result.callId,
        content: toResultContent(result),
        ...(result.isError ? { is_error: true } : {}),
      }));
    default:
      return unreachable(message);
  }
}

type ImageBlocks = (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[];

function toResultContent({
  text,
  images = [],
}: {
  readonly text: string;
  readonly images?: readonly LoadedImage[];
}): string | ImageBlocks {
  const told = text === "" ? EMPTY : text;
  return images.length === 0 ? told : [{ type: "text", text: told }, ...images.flatMap(toImageBlocks)];
}

/** The name and then the image, or the text instead of it. */
function toImageBlocks({ text, content }: LoadedImage): ImageBlocks {
  if (content === undefined) return [{ type: "text", text }];
  const data = Buffer.from(content.bytes).toString("base64");
  return [
    { type: "text", text },
    { type: "image", source: { type: "base64", media_type: content.mediaType, data } },
  ];
}

/** The turn as it arrived, provided that nobody changed it since. */
function recall(message: LoadedMessage, memory: ThinkingMemory): Blocks | undefined {
  if (message.role !== "assistant") return undefined;
  const first = message.toolCalls[0];
  const kept = first && memory.recall(first.callId);
  if (!kept) return undefined;
  const calls = kept.filter((block) => block.type === "tool_use");
  const text = kept.map((block) => (block.type === "text" ? block.text : "")).join("");
  const same =
    text === message.text &&
    calls.length === message.toolCalls.length &&
    calls.every((call, at) => call.id === message.toolCalls[at]?.callId);
  return same ? [...kept] : undefined;
}
