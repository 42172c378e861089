import { callArguments, type LoadedImage, type ModelRequest, type ToolDefinition } from "@troupe/core";
import { unreachable, type JsonObject } from "@troupe/stream";
import type OpenAI from "openai";

import type { LoadedMessage } from "../calls/call-images.ts";
import type { Feature, Features } from "../calls/features.ts";
import { choiceInWords, formatInWords } from "../schema/in-words.ts";
import { toStrictSchema } from "../schema/strict-schema.ts";

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** What one or another of the compatible servers refuses. */
export type OpenaiFeature = "usage" | "strict" | "forced-tool" | "format" | "max-tokens";

export const OPENAI_FEATURES: readonly Feature<OpenaiFeature>[] = [
  { name: "usage", named: /stream_options|include_usage/ },
  { name: "forced-tool", named: /tool_choice/ },
  { name: "format", named: /response_format|json_schema/ },
  { name: "max-tokens", named: /max_tokens/ },
  { name: "strict", named: /\bstrict\b|schema|additionalProperties/i },
];

export interface OpenaiSettings {
  readonly model: string;
  readonly maxOutputTokens: number | undefined;
}

export interface OpenaiRequest {
  readonly params: Params;
  /** What stands in it that the server may refuse. */
  readonly used: ReadonlySet<OpenaiFeature>;
}

/** Pure: the chat-completions request for a `ModelRequest`, its images loaded. */
export function toOpenaiRequest(
  request: Omit<ModelRequest, "messages">,
  loaded: readonly LoadedMessage[],
  settings: OpenaiSettings,
  features: Features<OpenaiFeature>,
): OpenaiRequest {
  const used = new Set<OpenaiFeature>();
  const use = (name: OpenaiFeature): boolean => {
    if (!features.allows(name)) return false;
    used.add(name);
    return true;
  };
  const notes: string[] = [];
  const choice = toolChoice(request, use, notes);
  const format = responseFormat(request, use, notes);
  const limit = request.maxOutputTokens ?? settings.maxOutputTokens;
  const messages: Message[] = [
    ...(request.system === "" ? [] : [{ role: "system" as const, content: request.system }]),
    ...loaded.flatMap(toMessages),
    ...(notes.length === 0 ? [] : [{ role: "user" as const, content: notes.join("\n") }]),
  ];
  return {
    used,
    params: {
      model: settings.model,
      stream: true,
      messages,
      // An empty list breaks vLLM-like servers.
      ...(request.tools.length > 0 ? { tools: request.tools.map((tool) => toTool(tool, use)) } : {}),
      ...(choice ? { tool_choice: choice } : {}),
      ...(format ? { response_format: format } : {}),
      ...limitOf(limit, use),
      ...(use("usage") ? { stream_options: { include_usage: true } } : {}),
    },
  };
}

/** Newer models of OpenAI's own know only the new name, most compatible servers only the old one. */
function limitOf(limit: number | undefined, use: (name: OpenaiFeature) => boolean): Partial<Params> {
  if (limit === undefined) return {};
  return use("max-tokens") ? { max_tokens: limit } : { max_completion_tokens: limit };
}

function toTool(
  tool: ToolDefinition,
  use: (name: OpenaiFeature) => boolean,
): OpenAI.Chat.Completions.ChatCompletionTool {
  const strict = tool.eager === true ? toStrictSchema(tool.inputSchema) : undefined;
  const isStrict = strict !== undefined && use("strict");
  return {
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: { ...(isStrict ? strict : tool.inputSchema) },
      ...(isStrict ? { strict: true } : {}),
    },
  };
}

function toMessages(message: LoadedMessage): Message[] {
  switch (message.role) {
    case "user":
      return [toUserMessage(message.images ?? [], message.text)];
    case "assistant":
      if (message.toolCalls.length === 0) return [{ role: "assistant", content: message.text }];
      return [
        {
          role: "assistant",
          content: message.text === "" ? null : message.text,
          tool_calls: message.toolCalls.map((call) => ({
            id: call.callId,
            type: "function",
            // Chat templates parse this and fail the whole request on broken JSON.
            function: { name: call.name, arguments: JSON.stringify(callArguments(call.arguments)) },
          })),
        },
      ];
    case "tool":
      return toToolMessages(message.results);
    default:
      return unreachable(message);
  }
}

type Part = OpenAI.Chat.Completions.ChatCompletionContentPart;
type ToolResults = Extract<LoadedMessage, { readonly role: "tool" }>["results"];

/** The format has no images in tool results: they follow all results of the round in a user message. */
function toToolMessages(results: ToolResults): Message[] {
  const messages = results.map(({ callId, text, isError, images = [] }): Message => {
    const told = isError ? `Error: ${text}` : text;
    const note = images.some(({ content }) => content !== undefined)
      ? "\n[The images of this result follow below.]"
      : images.map((image) => `\n${image.text}`).join("");
    // The format has no error flag.
    return { role: "tool", tool_call_id: callId, content: `${told}${note}` };
  });
  const shown = results.flatMap(({ name, images = [] }) =>
    images.some(({ content }) => content !== undefined)
      ? [
          { type: "text" as const, text: `Images that the tool ${name} returned:` },
          ...images.flatMap(toParts),
        ]
      : [],
  );
  return shown.length === 0 ? messages : [...messages, { role: "user", content: shown }];
}

/** Text alone where no image is shown: some servers know no other content. */
function toUserMessage(images: readonly LoadedImage[], text: string): Message {
  if (images.some(({ content }) => content !== undefined))
    return { role: "user", content: [...images.flatMap(toParts), { type: "text", text }] };
  return { role: "user", content: [...images.map((image) => image.text), text].join("\n\n") };
}

/** The name and then the image, or the text instead of it. */
function toParts({ text, content }: LoadedImage): Part[] {
  if (content === undefined) return [{ type: "text", text }];
  const url = `data:${content.mediaType};base64,${Buffer.from(content.bytes).toString("base64")}`;
  return [
    { type: "text", text },
    { type: "image_url", image_url: { url } },
  ];
}

function toolChoice(
  request: Omit<ModelRequest, "messages">,
  use: (name: OpenaiFeature) => boolean,
  notes: string[],
): Params["tool_choice"] {
  const { toolChoice: choice } = request;
  if (request.tools.length === 0 || choice === undefined || choice === "auto") return undefined;
  if (use("forced-tool"))
    return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
  notes.push(choiceInWords(choice));
  return undefined;
}

function responseFormat(
  request: Omit<ModelRequest, "messages">,
  use: (name: OpenaiFeature) => boolean,
  notes: string[],
): Params["response_format"] {
  if (!request.responseFormat) return undefined;
  const { name, schema } = request.responseFormat;
  if (use("format")) {
    const strict = allRequired(schema) ? toStrictSchema(schema) : undefined;
    return {
      type: "json_schema",
      json_schema: { name, schema: { ...(strict ?? schema) }, strict: strict !== undefined },
    };
  }
  notes.push(formatInWords(schema));
  return undefined;
}

/** Strict here means that every property is written, so an optional one would have to be invented. */
function allRequired(schema: JsonObject): boolean {
  const properties = Object.keys((schema["properties"] ?? {}) as JsonObject);
  const required = (schema["required"] ?? []) as readonly string[];
  return properties.every((name) => required.includes(name));
}
