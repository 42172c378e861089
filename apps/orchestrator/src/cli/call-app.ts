import { InputError, silentLog, type ToolOutput } from "@troupe/core";
import { createMcpPool, type McpServerConfig } from "@troupe/mcp";
import type { JsonObject } from "@troupe/stream";

import type { AppManifest } from "../supervisor/discover.ts";
import type { CliContext } from "./context.ts";

/** A process of ours that is not up by then does not start at all, also on a busy machine. */
const START_MS = 60_000;

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
  readonly timeoutMs: number;
}

/**
 * Calls one tool of an MCP server of ours, started over stdio for it and stopped again: only a local
 * parent may make a server read paths.
 */
export function callApp(context: CliContext, app: AppManifest, call: Call): Promise<ToolOutput> {
  const config = {
    name: app.name,
    command: process.execPath,
    args: [...app.nodeFlags, app.entry, "--stdio", "--home", context.home, "--log-level", "warn"],
    env: definedOnly(context.env),
    cwd: context.cwd,
    callTimeoutMs: call.timeoutMs,
    connectTimeoutMs: START_MS,
  };
  return callServer(context, config, call);
}

/** Calls one tool of an MCP server of ours that runs. */
export function callRunning(
  context: CliContext,
  server: { readonly name: string; readonly url: string },
  call: Call,
): Promise<ToolOutput> {
  const config = { name: server.name, url: `${server.url}/mcp`, callTimeoutMs: call.timeoutMs };
  return callServer(context, config, call);
}

async function callServer(context: CliContext, config: McpServerConfig, call: Call): Promise<ToolOutput> {
  const pool = createMcpPool([config], { clock: context.clock, log: context.log });
  try {
    const tools = await pool.source(config.name).list({ signal: context.interrupted });
    const tool = tools.find((candidate) => candidate.definition.name === call.tool);
    if (tool === undefined)
      throw new InputError("input.unsupported", `${config.name} has no tool "${call.tool}".`);
    return await tool.execute(call.args, {
      runId: context.newId(),
      callId: context.newId(),
      agent: "troupe",
      signal: context.interrupted,
      shared: { v: 1, results: {} },
      log: silentLog,
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
