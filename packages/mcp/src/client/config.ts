import { InputError } from "@troupe/core";

interface CommonConfig {
  /** For messages and for `pool.source(name)`; unique in a pool. */
  readonly name: string;
  /** Only these tools; all of them when absent. */
  readonly tools?: readonly string[];
  /** One deadline over a whole call, in milliseconds: queue, connecting, retries, files. Default 60,000. */
  readonly callTimeoutMs?: number;
  /** For opening a connection, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * Further tries of what is safe to repeat. Default 2. With at least one, a server that was connected
   * before and is unreachable now is tried for 10 s, since it may be restarting.
   */
  readonly maxRetries?: number;
  /** Calls at the same time; more wait in line. Default 16. */
  readonly maxConcurrent?: number;
  /** Text of one result that a model gets to see, in UTF-8 bytes. Default 100,000. */
  readonly maxTextBytes?: number;
  /** One answer with everything in it, files too, in bytes. Default 64 MB. */
  readonly maxResponseBytes?: number;
  /** How a person starts this server, for messages, such as `npm run troupe -- up`. */
  readonly startHint?: string;
}

export interface RemoteServerConfig extends CommonConfig {
  /** Such as `http://127.0.0.1:8095/mcp`. */
  readonly url: string;
  /** Default: Streamable HTTP, and the SSE transport of old where the server knows only that. */
  readonly transport?: "http" | "sse";
  readonly headers?: { readonly [name: string]: string };
}

export interface ChildServerConfig extends CommonConfig {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to a short list of harmless variables; nothing else is inherited. */
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
}

/** An MCP server: reached at an address, or started as a child process. */
export type McpServerConfig = RemoteServerConfig | ChildServerConfig;

/** Numbers that apply when a config leaves them out. */
export const DEFAULTS = {
  callTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  maxRetries: 2,
  maxConcurrent: 16,
  maxTextBytes: 100_000,
  maxResponseBytes: 64 * 1024 * 1024,
} as const;

export type ResolvedConfig = McpServerConfig & Required<Pick<CommonConfig, keyof typeof DEFAULTS>>;

/** Fills in the defaults; throws an `InputError` for what cannot work. */
export function resolveConfig(config: McpServerConfig): ResolvedConfig {
  if ("url" in config && (!URL.canParse(config.url) || !/^https?:$/.test(new URL(config.url).protocol))) {
    throw new InputError(
      "input.invalid",
      `MCP server "${config.name}": "${config.url}" is no http address. Write it as http://127.0.0.1:8095/mcp.`,
    );
  }
  return { ...DEFAULTS, ...config };
}

/** Where a server is, without what may be secret in the address. */
export function placeOf(config: McpServerConfig): string {
  if ("command" in config) return `"${config.command}"`;
  const url = new URL(config.url);
  return `${url.origin}${url.pathname}`;
}
