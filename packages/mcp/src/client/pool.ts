import { InputError, suggestNames, ToolError, type ToolSource } from "@troupe/core";

import { resolveConfig, type McpServerConfig } from "./config.ts";
import { createSource, type SourceOptions } from "./source.ts";

export type McpPoolOptions = SourceOptions;

/** The MCP servers of one agent. Connections open at the first use and are shared. */
export interface McpPool {
  /** The tools of one server. Throws a `ToolError` (`tool.unknown`) for a name not in the pool. */
  source(name: string): ToolSource;
  /** All of them, in the order of the configuration. */
  readonly sources: readonly ToolSource[];
  /** Ends every session and child process. Running calls fail. */
  close(): Promise<void>;
}

/** Throws an `InputError` when a name stands twice or an address is none. */
export function createMcpPool(servers: readonly McpServerConfig[], options: McpPoolOptions): McpPool {
  const sources = new Map<string, ToolSource>();
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
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()));
    },
  };
}
