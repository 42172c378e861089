import { suggestNames } from "@troupe/core";
import {
  ErrorCode,
  McpError,
  type GetPromptResult,
  type Prompt as WirePrompt,
} from "@modelcontextprotocol/sdk/types.js";

/** A request that a client offers to people, such as a slash command. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  /** The text for the model. Arguments that are not required may be absent. */
  readonly text: (given: { readonly [argument: string]: string }) => string;
}

export function toWirePrompt({ text: _, arguments: args, ...prompt }: McpPrompt): WirePrompt {
  return { ...prompt, arguments: args.map((argument) => ({ ...argument })) };
}

/** Throws an `McpError` for a prompt that is not there, and for an argument that is missing. */
export function getPrompt(
  prompts: readonly McpPrompt[],
  name: string,
  given: { readonly [argument: string]: string } = {},
): GetPromptResult {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (!prompt) {
    const names = prompts.map((candidate) => candidate.name);
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no prompt "${name.slice(0, 128)}".${suggestNames(name, names)}`,
    );
  }
  const missing = prompt.arguments.filter(
    ({ name, required }) => required && (given[name] ?? "").trim() === "",
  );
  if (missing.length > 0)
    throw new McpError(
      ErrorCode.InvalidParams,
      `Prompt "${prompt.name}" needs: ${missing.map((argument) => argument.name).join(", ")}.`,
    );
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.text(given) } }],
  };
}
