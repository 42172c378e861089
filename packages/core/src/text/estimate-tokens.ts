import { imagesOf } from "../images/load-images.ts";
import type { ModelMessage, ModelRequest, ToolDefinition } from "../ports/model.ts";

const CHARS_PER_TOKEN = 4;
/** Roles, ids and brackets around a message or a call. */
const FRAME_CHARS = 16;

/** Providers count about 1,600 tokens for an image of usual size. */
const IMAGE_CHARS = 1_600 * CHARS_PER_TOKEN;

const schemaChars = new WeakMap<ToolDefinition, number>();

/** Roughly what a model counts for so many UTF-16 units of English or JSON; other scripts take more. */
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

/** UTF-16 units of a message as a provider gets it, about. */
export function messageChars(message: ModelMessage): number {
  let chars = FRAME_CHARS + imagesOf(message).length * IMAGE_CHARS;
  if (message.role === "tool") {
    for (const result of message.results) chars += result.text.length + FRAME_CHARS;
    return chars;
  }
  chars += message.text.length;
  if (message.role === "assistant") {
    for (const call of message.toolCalls) chars += call.name.length + call.arguments.length + FRAME_CHARS;
  }
  return chars;
}

/** Tokens a request takes as input, about. */
export function estimateTokens(request: ModelRequest): number {
  let chars = request.system.length;
  for (const message of request.messages) chars += messageChars(message);
  for (const tool of request.tools) chars += toolChars(tool);
  return tokensOf(chars);
}

function toolChars(tool: ToolDefinition): number {
  const known = schemaChars.get(tool);
  if (known !== undefined) return known;
  const chars = JSON.stringify(tool.inputSchema).length + tool.description.length + tool.name.length;
  schemaChars.set(tool, chars);
  return chars;
}
