import { InputError, isTroupeError, suggestNames, ToolError, type ToolSource } from "@troupe/core";

import { startDeadline } from "../wire/deadline.ts";
import { resolveConfig, type McpServerConfig } from "./config.ts";
import { createSource, type McpSource, type SourceOptions } from "./source.ts";

export type McpPoolOptions = SourceOptions;

/** The MCP servers of one agent. Connections open at the first use and are shared. */
export interface McpPool {
  /** The tools of one server. Throws a `ToolError` (`tool.unknown`) for a name not in the pool. */
  source(name: string): ToolSource;
  /** All of them, in the order of the configuration. */
  readonly sources: readonly ToolSource[];
  /** Which servers do not answer within 2 s, in words; empty when all do. Never fails. */
  unanswered(): Promise<readonly string[]>;
  /** Ends every session and child process. Running calls fail. */
  close(): Promise<void>;
}

/** Throws an `InputError` when a name stands twice or an address is none. */
export function createMcpPool(servers: readonly McpServerConfig[], options: McpPoolOptions): McpPool {
  const sources = new Map<string, McpSource>();
  for (const config of servers) {
    if (sources.has(config.name)) {
      throw new InputError("input.invalid", `MCP server "${config.name}" is configured twice. Rename one.`);
    }
    sources.set(config.name, createSource(resolveConfig(config), options));
  }
  return {
    source(name) {
      const source = sources.get(name);
      if (source) return source;
      const known = suggestNames(name, [...sources.keys()]);
      throw new ToolError("tool.unknown", `No MCP server "${name}" is configured.${known}`);
    },
    sources: [...sources.values()],
    async unanswered() {
      const reasons = await Promise.all(
        [...sources.values()].map((source) => whyUnanswered(source, options.clock)),
      );
      return reasons.flatMap((reason) => reason ?? []);
    },
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()));
    },
  };
}

/** How long a server may take to answer a ping, in milliseconds. */
const PING_MS = 2_000;

async function whyUnanswered(source: McpSource, clock: McpPoolOptions["clock"]): Promise<string | undefined> {
  const deadline = startDeadline(clock, PING_MS, new AbortController().signal);
  try {
    await source.ping({ signal: deadline.signal });
    return undefined;
  } catch (error) {
    return isTroupeError(error) && !deadline.expired()
      ? error.message
      : `MCP server "${source.name}" does not answer within ${PING_MS / 1_000} s.`;
  } finally {
    deadline.dispose();
  }
}
