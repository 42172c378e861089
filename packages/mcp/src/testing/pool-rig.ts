import {
  silentLog,
  type Log,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolSource,
} from "@troupe/core";
import { virtualClock, type VirtualClock } from "@troupe/core/testing";
import type { Json } from "@troupe/stream";

import type { McpServerConfig } from "../client/config.ts";
import { createMcpPool, type McpPool, type McpPoolOptions } from "../client/pool.ts";

/** A pool of one server on a clock that a test owns, and short ways to call through it. */
export interface PoolRig {
  readonly pool: McpPool;
  readonly source: ToolSource;
  readonly clock: VirtualClock;
  /** Pauses between tries, in milliseconds. They take no time. */
  readonly pauses: number[];
  /** What was logged as a warning. */
  readonly warnings: string[];
  tool(name: string): Promise<Tool>;
  call(name: string, args?: Json, context?: Partial<ToolContext>): Promise<ToolOutput>;
}

export function poolRig(config: McpServerConfig, options: Partial<McpPoolOptions> = {}): PoolRig {
  const clock = virtualClock();
  const pauses: number[] = [];
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warnings.push(message), child: () => log };
  const pool = createMcpPool([config], {
    clock: {
      ...clock,
      sleep: (ms) => {
        pauses.push(ms);
        return Promise.resolve();
      },
    },
    log,
    random: () => 0,
    ...options,
  });
  const source = pool.source(config.name);
  const never = new AbortController().signal;

  const tool = async (name: string): Promise<Tool> => {
    const tools = await source.list({ signal: never });
    const found = tools.find((candidate) => candidate.definition.name === name);
    if (!found) throw new Error(`no tool ${name} among ${tools.map((t) => t.definition.name).join(", ")}`);
    return found;
  };
  return {
    pool,
    source,
    clock,
    pauses,
    warnings,
    tool,
    call: async (name, args = {}, context = {}) =>
      (await tool(name)).execute(args, {
        runId: "run-1",
        callId: "call-1",
        agent: "rag-agent",
        signal: never,
        shared: { v: 1, results: {} },
        log,
        ...context,
      }),
  };
}
