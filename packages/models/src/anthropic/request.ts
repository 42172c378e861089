import type Anthropic from "@anthropic-ai/sdk";
import type { ModelRequest, ToolDefinition } from "@troupe/core";

import type { LoadedMessage } from "../calls/call-images.ts";
import type { Feature, Features } from "../calls/features.ts";
import { choiceInWords, formatInWords } from "../schema/in-words.ts";
import { toStrictSchema } from "../schema/strict-schema.ts";
import { toAnthropicMessages } from "./messages.ts";
import type { ThinkingMemory } from "./thinking-memory.ts";

/** What gateways and older models are known to refuse. */
export type AnthropicFeature =
  | "eager"
  | "strict"
  | "forced-tool"
  | "caching"
  | "thinking"
  | "effort"
  | "format";

export const ANTHROPIC_FEATURES: readonly Feature<AnthropicFeature>[] = [
  { name: "eager", named: /eager_input_streaming/ },
  { name: "forced-tool", named: /tool_choice/ },
  { name: "caching", named: /cache_control/ },
  { name: "effort", named: /\beffort\b/ },
  { name: "format", named: /output_config\.?\w*|output_format/ },
  { name: "thinking", named: /thinking|signature/i },
  { name: "strict", named: /\bstrict\b|schema|additionalProperties/i },
];

export interface AnthropicSettings {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly thinking: "adaptive" | "between_tools" | "disabled" | undefined;
  readonly effort: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
}

export interface AnthropicRequest {
  readonly params: Anthropic.MessageCreateParamsStreaming;
  /** What stands in it that the endpoint may refuse. */
  readonly used: ReadonlySet<AnthropicFeature>;
}

const EPHEMERAL = { type: "ephemeral" } as const;

/** Pure: the request of the Messages API for a `ModelRequest`, its images loaded. */
export function toAnthropicRequest(
  request: Omit<ModelRequest, "messages">,
  loaded: readonly LoadedMessage[],
  settings: AnthropicSettings,
  features: Features<AnthropicFeature>,
  memory: ThinkingMemory,
): AnthropicRequest {
  const used = new Set<AnthropicFeature>();
  const use = (name: AnthropicFeature): boolean => {
    if (!features.allows(name)) return false;
    used.add(name);
    return true;
  };
  const notes: string[] = [];
  const { messages, recalled } = toAnthropicMessages(loaded, memory);
  if (recalled) used.add("thinking");
  const tools: Anthropic.Tool[] = request.tools.map((tool) => toTool(tool, use));
  const choice = toolChoice(request, use, notes);
  const format = outputFormat(request, use, notes);
  const output = { ...format, ...(settings.effort && use("effort") ? { effort: settings.effort } : {}) };
  if (notes.length > 0) appendNote(messages, notes);
  const system: Anthropic.TextBlockParam[] =
    request.system === "" ? [] : [{ type: "text", text: request.system }];
  if (features.allows("caching")) {
    // Tools, system, conversation: each marker keeps what stands before it when the later part changes.
    for (const last of [tools.at(-1), system.at(-1), lastBlock(messages)]) {
      if (!last) continue;
      last.cache_control = EPHEMERAL;
      used.add("caching");
    }
  }
  return {
    used,
    params: {
      model: settings.model,
      max_tokens: request.maxOutputTokens ?? settings.maxOutputTokens,
      stream: true,
      messages,
      ...(system.length > 0 ? { system } : {}),
      ...(tools.length > 0 ? { tools } : {}),
      ...(choice ? { tool_choice: choice } : {}),
      ...(settings.thinking ? { thinking: { type: settings.thinking } } : {}),
      ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
    },
  };
}

function toTool(tool: ToolDefinition, use: (name: AnthropicFeature) => boolean): Anthropic.Tool {
  const strict = tool.eager === true ? toStrictSchema(tool.inputSchema) : undefined;
  const isStrict = strict !== undefined && use("strict");
  return {
    name: tool.name,
    description: tool.description,
    input_schema: (isStrict ? strict : tool.inputSchema) as Anthropic.Tool.InputSchema,
    ...(isStrict ? { strict: true } : {}),
    ...(tool.eager === true && use("eager") ? { eager_input_streaming: true } : {}),
  };
}

/**
 * Models that always think refuse a forced call; saying it in words is what is left. Tools that may
 * not be called stay in the request: it is refused without those its conversation has calls of.
 */
function toolChoice(
  request: Omit<ModelRequest, "messages">,
  use: (name: AnthropicFeature) => boolean,
  notes: string[],
): Anthropic.ToolChoice | undefined {
  const { toolChoice: choice } = request;
  if (request.tools.length === 0 || choice === undefined || choice === "auto") return undefined;
  if (use("forced-tool")) {
    if (choice === "none") return { type: "none" };
    return choice === "required" ? { type: "any" } : { type: "tool", name: choice.name };
  }
  notes.push(choiceInWords(choice));
  return undefined;
}

function outputFormat(
  request: Omit<ModelRequest, "messages">,
  use: (name: AnthropicFeature) => boolean,
  notes: string[],
): Anthropic.OutputConfig {
  if (!request.responseFormat) return {};
  const schema = toStrictSchema(request.responseFormat.schema);
  if (schema && use("format")) return { format: { type: "json_schema", schema } };
  notes.push(formatInWords(request.responseFormat.schema));
  return {};
}

/** Goes behind the conversation, not into the system prompt, so that what is cached stays valid. */
function appendNote(messages: Anthropic.MessageParam[], notes: readonly string[]): void {
  const block = { type: "text" as const, text: notes.join("\n") };
  const last = messages.at(-1);
  if (last?.role === "user" && Array.isArray(last.content)) last.content.push(block);
  else messages.push({ role: "user", content: [block] });
}

/** Kept turns are the assistant's and stay as they arrived, so a marker goes on the user's last block only. */
function lastBlock(
  messages: readonly Anthropic.MessageParam[],
): Anthropic.TextBlockParam | Anthropic.ToolResultBlockParam | undefined {
  const turn = messages.at(-1);
  const block = turn?.role === "user" && Array.isArray(turn.content) ? turn.content.at(-1) : undefined;
  return block?.type === "text" || block?.type === "tool_result" ? block : undefined;
}
