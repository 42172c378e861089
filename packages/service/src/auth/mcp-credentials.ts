import { isLoopback, type AgentConfig } from "@troupe/core";
import type { McpServerConfig } from "@troupe/mcp";

import { openMcpToken } from "./mcp-token.ts";

export interface McpCredentials {
  readonly auth: "on" | "off";
  readonly home: string;
  /** That of this machine; the home has one when absent. */
  readonly mcp_token?: string | undefined;
  /** By the server's name. */
  readonly mcp_tokens: { readonly [server: string]: string };
}

/**
 * The servers of an agent with what it shows each of them: the token its settings name for it, or that of
 * the home where the server is on this machine. What is for one server goes to no other.
 */
export function withTokens(
  servers: AgentConfig["mcp_servers"],
  { auth, home, mcp_token: shared, mcp_tokens: tokens }: McpCredentials,
): readonly McpServerConfig[] {
  return servers.map((server) => {
    if (!("url" in server)) return server;
    const own = Object.hasOwn(tokens, server.name) ? tokens[server.name] : undefined;
    const ofHome = auth === "on" && isLoopback(new URL(server.url).hostname);
    const token = own ?? (ofHome ? (shared ?? openMcpToken(home)) : undefined);
    return token === undefined ? server : { ...server, headers: { Authorization: `Bearer ${token}` } };
  });
}
