import type { Log, Tool, ToolAnnotations, ToolContext, ToolOutput } from "@troupe/core";
import type { Json, JsonObject } from "@troupe/stream";

import { ORDERED_META } from "../wire/meta.ts";
import { argumentCheck } from "./argument-check.ts";
import type { ResolvedConfig } from "./config.ts";
import type { RemoteTool } from "./wire-schemas.ts";

const MAX_DESCRIPTION = 8_000;

/** Calls a tool by the name its server knows it by. */
export type CallTool = (
  name: string,
  idempotent: boolean,
  args: Json,
  context: ToolContext,
) => Promise<ToolOutput>;

/** Remote tools as the loop knows tools: those of the allow list, under names a provider takes. */
export function toTools(
  remotes: readonly RemoteTool[],
  config: ResolvedConfig,
  call: CallTool,
  log: Log,
): readonly Tool[] {
  const tools = new Map<string, Tool>();
  for (const remote of remotes) {
    if (config.tools && !config.tools.includes(remote.name)) continue;
    const tool = toTool(remote, config.name, call, log);
    const { name } = tool.definition;
    if (tools.has(name)) log.warn("two tools with one name, the later is left out", { tool: name });
    else tools.set(name, tool);
  }
  const served = new Set(remotes.map((remote) => remote.name));
  const missing = (config.tools ?? []).filter((name) => !served.has(name));
  if (missing.length > 0) log.warn("mcp server lacks tools it is asked for", { missing });
  return [...tools.values()];
}

function toTool(remote: RemoteTool, server: string, call: CallTool, log: Log): Tool {
  const name = modelName(remote.name);
  const inputSchema = remote.inputSchema as JsonObject;
  const { readOnlyHint, idempotentHint } = remote.annotations ?? {};
  const idempotent = readOnlyHint === true || idempotentHint === true;
  const description = remote.description?.trim() ?? "";
  return {
    definition: {
      name,
      description:
        description === ""
          ? `${remote.name} of ${server}`
          : description.slice(0, MAX_DESCRIPTION).toWellFormed(),
      inputSchema,
    },
    ...(remote.annotations && { annotations: annotationsOf(name, remote.annotations) }),
    idempotent,
    ...(remote["_meta"]?.[ORDERED_META] === true ? { ordered: true } : {}),
    parse: argumentCheck(inputSchema, (reason) => {
      log.warn("a tool's schema is checked in outline only", { tool: name, reason });
    }),
    execute: (args, context) => call(remote.name, idempotent, args, context),
  };
}

/** Missing hints have the defaults of the specification: the tool may change and destroy data. */
function annotationsOf(name: string, hints: NonNullable<RemoteTool["annotations"]>): ToolAnnotations {
  const { title = name, readOnlyHint = false, destructiveHint = true, openWorldHint = true } = hints;
  return {
    title,
    readOnly: readOnlyHint,
    destructive: !readOnlyHint && destructiveHint,
    openWorld: openWorldHint,
  };
}

/** Providers take letters, digits, `_` and `-` only, at most 64. */
function modelName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}
