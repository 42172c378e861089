import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

import { onError } from "../adapters/sdk-hooks.ts";
import { trackedFetch } from "../adapters/tracked-fetch.ts";
import { fromStatus, toFailure } from "./classify.ts";
import type { ChildServerConfig, RemoteServerConfig, ResolvedConfig } from "./config.ts";
import type { TransportKind } from "./connection.ts";
import { LinkFailure } from "./failure.ts";

/** A transport with what the SDK does not tell by itself. */
export interface OpenTransport {
  readonly kind: TransportKind;
  readonly transport: Transport;
  /** Why the handshake failed with this error, where the transport knows more than the error. */
  failure(error: unknown): LinkFailure;
  /** Called once, after the handshake. */
  connected(client: Client): void;
  sayGoodbye(): Promise<void>;
}

/** What a transport may use and tell of the connection it serves. */
export interface TransportHooks {
  readonly clock: Clock;
  readonly log: Log;
  readonly toolsMayHaveChanged: () => void;
}

type Remote = ResolvedConfig & RemoteServerConfig;
type Child = ResolvedConfig & ChildServerConfig;

/** How long the end of a session may take, in milliseconds. */
const GOODBYE_MS = 1_000;
/** Of the error output of a child server before it is ready, to find the cause in when it ends. */
const MAX_TAIL_CHARS = 4_000;
const MAX_LINE_CHARS = 500;
/** A shorter value may be a word that is needed to understand the error. */
const MIN_SECRET_CHARS = 8;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|_URL/i;
const nothing = (): void => undefined;
const nothingLater = (): Promise<void> => Promise.resolve();

export function httpTransport(config: Remote, hooks: TransportHooks): OpenTransport {
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: fetchFor(config, hooks),
    requestInit: { headers: { ...config.headers } },
  });
  return {
    kind: "http",
    transport,
    failure: toFailure,
    connected: nothing,
    async sayGoodbye() {
      await new Promise<void>((resolve) => {
        const cancelTimer = hooks.clock.schedule(GOODBYE_MS, resolve);
        transport
          .terminateSession()
          .catch(nothing)
          .finally(() => {
            cancelTimer();
            resolve();
          });
      });
    },
  };
}

export function sseTransport(config: Remote, hooks: TransportHooks): OpenTransport {
  let last: LinkFailure | undefined;
  const tracked = fetchFor(config, hooks);
  const fetch: FetchLike = async (url, init) => {
    try {
      const response = await tracked(url, init);
      if (!response.ok) last = fromStatus(response.status, "", false);
      return response;
    } catch (error) {
      last = toFailure(error);
      throw error;
    }
  };
  const transport = new SSEClientTransport(new URL(config.url), {
    fetch,
    requestInit: { headers: { ...config.headers } },
  });
  return {
    kind: "sse",
    transport,
    failure: (error) => last ?? toFailure(error),
    // Answers come on the one stream. When it breaks they are lost, and a new stream is a new session.
    connected: (client) =>
      onError(transport, (error) => {
        if (error instanceof SseError) void client.close();
      }),
    sayGoodbye: nothingLater,
  };
}

export function stdioTransport(config: Child, hooks: TransportHooks): OpenTransport {
  const transport = new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...config.env },
    stderr: "pipe",
    maxBufferSize: config.maxResponseBytes,
    ...(config.cwd !== undefined && { cwd: config.cwd }),
  });
  let tail = "";
  let ready = false;
  transport.stderr?.on("data", (chunk: Buffer) => {
    if (!ready) tail = (tail + chunk.toString("utf8")).slice(-MAX_TAIL_CHARS);
    hooks.log.debug("mcp server said", {
      server: config.name,
      text: chunk.toString("utf8", 0, 2_000).trimEnd(),
    });
  });
  return {
    kind: "stdio",
    transport,
    failure: (error) => {
      const failure = toFailure(error);
      return failure.kind === "lost"
        ? new LinkFailure("exited", lastErrorLine(tail, config.env) ?? "none", { cause: error })
        : failure;
    },
    connected: () => {
      ready = true;
      tail = "";
    },
    sayGoodbye: nothingLater,
  };
}

/** The last line that is no part of a stack or of what Node prints around one, without secrets of the environment. */
function lastErrorLine(text: string, env: Child["env"] = {}): string | undefined {
  const lines = text.split("\n").filter((line) => /^[^\s}]/.test(line) && !line.startsWith("Node.js v"));
  let line = lines.at(-1)?.trimEnd();
  for (const [name, value] of Object.entries(env))
    if (SECRET_NAME.test(name) && value.length >= MIN_SECRET_CHARS) line = line?.replaceAll(value, "***");
  return line?.slice(0, MAX_LINE_CHARS);
}

function fetchFor(config: Remote, hooks: TransportHooks): FetchLike {
  return trackedFetch({
    clock: hooks.clock,
    noticeTimeoutMs: config.connectTimeoutMs,
    maxResponseBytes: config.maxResponseBytes,
    onListenEnd: hooks.toolsMayHaveChanged,
  });
}
