import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { AccessRequest } from "@troupe/stream";

const CODE: number = ErrorCode.UrlElicitationRequired;

/** What a server wants a person to do at an address of its own before it runs a tool: its `URLElicitationRequired`. */
export function accessWanted(error: unknown, server: string): AccessRequest | undefined {
  if (!(error instanceof McpError) || error.code !== CODE) return undefined;
  const data = (error.data ?? {}) as { readonly elicitations?: unknown };
  const all: readonly unknown[] = Array.isArray(data.elicitations) ? data.elicitations : [];
  const url = all.map(urlOf).find((one) => one !== undefined);
  return url === undefined ? { service: server } : { service: server, url };
}

function urlOf(elicitation: unknown): string | undefined {
  if (typeof elicitation !== "object" || elicitation === null || !("url" in elicitation)) return undefined;
  return typeof elicitation.url === "string" ? elicitation.url : undefined;
}
