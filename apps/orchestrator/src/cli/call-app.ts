import { InputError, silentLog, ToolError, type ToolOutput } from "@troupe/core";
import { createMcpPool, type McpServerConfig } from "@troupe/mcp";
import { findMcpToken } from "@troupe/service";
import type { JsonObject } from "@troupe/stream";
import type { z } from "zod";

import type { AppManifest } from "../supervisor/discover.ts";
import type { CliContext } from "./context.ts";

/** A process of ours that is not up by then does not start at all, also on a busy machine. */
const START_MS = 60_000;

/** Calls a tool of a server. Throws an `InputError` when it has no such tool. */
export type CallTool = (tool: string, args: JsonObject) => Promise<ToolOutput>;

/** The data of a result. Throws a `ToolError` with what the tool says where it failed, or where its data has another shape. */
export function dataOf<T>(schema: z.ZodType<T>, tool: string, { data, text, isError }: ToolOutput): T {
  if (isError === true) throw new ToolError("tool.failed", text);
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError(
    "tool.failed",
    `"${tool}" gave data of another shape than expected (${issue?.path.join(".") || "data"}: ${issue?.message ?? ""}). Restart the servers if they are of another version.`,
    { cause: parsed.error },
  );
}

/**
 * Works with the tools of an MCP server of ours, started over stdio for it and stopped again: only a
 * local parent may make a server read paths.
 *
 * @param timeoutMs of each call
 */
export function withApp<T>(
  context: CliContext,
  app: AppManifest,
  timeoutMs: number,
  work: (call: CallTool) => Promise<T>,
): Promise<T> {
  const config = {
    name: app.name,
    command: process.execPath,
    args: [...app.nodeFlags, app.entry, "--stdio", "--home", context.home, "--log-level", "warn"],
    env: definedOnly(context.env),
    cwd: context.cwd,
    callTimeoutMs: timeoutMs,
    connectTimeoutMs: START_MS,
  };
  return withServer(context, config, work);
}

/** Works with the tools of an MCP server of ours that runs. */
export function withRunning<T>(
  context: CliContext,
  server: { readonly name: string; readonly url: string },
  timeoutMs: number,
  work: (call: CallTool) => Promise<T>,
): Promise<T> {
  const token = context.env["TROUPE_MCP_TOKEN"] || findMcpToken(context.home);
  const config = {
    name: server.name,
    url: `${server.url}/mcp`,
    callTimeoutMs: timeoutMs,
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
  };
  return withServer(context, config, work);
}

async function withServer<T>(
  context: CliContext,
  config: McpServerConfig,
  work: (call: CallTool) => Promise<T>,
): Promise<T> {
  const pool = createMcpPool([config], { clock: context.clock, log: context.log });
  try {
    const tools = await pool.source(config.name).list({ signal: context.interrupted });
    return await work(async (name, args) => {
      const tool = tools.find((candidate) => candidate.definition.name === name);
      if (tool === undefined)
        throw new InputError("input.unsupported", `${config.name} has no tool "${name}".`);
      return tool.execute(args, {
        runId: context.newId(),
        callId: context.newId(),
        agent: "troupe",
        signal: context.interrupted,
        shared: { v: 1, results: {} },
        log: silentLog,
      });
    });
  } finally {
    await pool.close();
  }
}

function definedOnly(env: CliContext["env"]): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
