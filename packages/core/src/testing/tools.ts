import { z } from "zod";

import type { Tool, ToolContext, ToolOutput, ToolSource } from "../ports/tool.ts";
import { defineTool } from "../tools/define-tool.ts";

/** A tool that takes `{ text }` and hands back what `reply` makes of it, the text itself by default. */
export function echoTool(
  name = "echo",
  reply: (text: string, context: ToolContext) => ToolOutput | Promise<ToolOutput> = (text) => ({ text }),
): Tool {
  return defineTool({
    name,
    description: `Hands back the text. For tests.`,
    input: z.strictObject({ text: z.string() }),
    idempotent: true,
    execute: async ({ text }, context) => reply(text, context),
  });
}

/** A source of the given tools, or one that cannot list: pass the error it fails with. */
export function fakeToolSource(name: string, tools: readonly Tool[] | Error): ToolSource {
  return {
    name,
    list: async ({ signal }) => {
      signal.throwIfAborted();
      if (tools instanceof Error) throw tools;
      return tools;
    },
    close: () => Promise.resolve(),
  };
}
