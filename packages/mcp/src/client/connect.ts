import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

import { onError } from "../adapters/sdk-hooks.ts";
import { startDeadline } from "../wire/deadline.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { toFailure } from "./classify.ts";
import type { ResolvedConfig } from "./config.ts";
import { createConnection, type Connection } from "./connection.ts";
import { LinkFailure } from "./failure.ts";
import {
  httpTransport,
  sseTransport,
  stdioTransport,
  type OpenTransport,
  type TransportHooks,
} from "./transports.ts";

export interface ConnectOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when nobody needs the connection any more. */
  readonly signal: AbortSignal;
}

/** What a server that knows only the SSE transport answers to a POST, by the specification. */
const MAYBE_LEGACY = new Set([400, 404, 405]);

/** Opens a connection and shakes hands. Throws a `LinkFailure`; a tool cannot have run by then. */
export async function connect(config: ResolvedConfig, options: ConnectOptions): Promise<Connection> {
  const open = (transport: (hooks: TransportHooks) => OpenTransport): Promise<Connection> =>
    shakeHands(transport, config, options);

  if ("command" in config) return open((hooks) => stdioTransport(config, hooks));
  if (config.transport === "sse") return open((hooks) => sseTransport(config, hooks));
  if (config.transport === "http") return open((hooks) => httpTransport(config, hooks));
  try {
    return await open((hooks) => httpTransport(config, hooks));
  } catch (error) {
    const failure = toFailure(error);
    if (failure.status === undefined || !MAYBE_LEGACY.has(failure.status)) throw failure;
    options.log.debug("no Streamable HTTP here, trying SSE", { server: config.name, status: failure.status });
    return open((hooks) => sseTransport(config, hooks)).catch(() => Promise.reject(failure));
  }
}

async function shakeHands(
  openTransport: (hooks: TransportHooks) => OpenTransport,
  config: ResolvedConfig,
  options: ConnectOptions,
): Promise<Connection> {
  const { clock, log } = options;
  let toolsVersion = 0;
  const toolsMayHaveChanged = (): void => {
    toolsVersion++;
  };
  const deadline = startDeadline(clock, config.connectTimeoutMs, options.signal);
  const transport = openTransport({ clock, log, toolsMayHaveChanged });
  const client = new Client({ name: "troupe", version: "1" });
  onError(client, (error) => log.debug("mcp connection", { server: config.name, reason: error.message }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsMayHaveChanged);
  try {
    const { signal } = deadline;
    // The SDK's own timer is set out of reach: the deadline is ours and runs on the clock.
    await untilAborted(client.connect(transport.transport, { signal, timeout: 2 ** 31 - 1 }), signal);
  } catch (error) {
    client.close().catch(() => undefined);
    options.signal.throwIfAborted();
    if (deadline.expired()) {
      throw new LinkFailure("no-answer", `no connection within ${config.connectTimeoutMs} ms`, {
        cause: error,
      });
    }
    throw neverRan(transport.failure(error));
  } finally {
    deadline.dispose();
  }
  transport.connected(client);
  return createConnection({
    kind: transport.kind,
    client,
    sayGoodbye: () => transport.sayGoodbye(),
    toolsVersion: () => toolsVersion,
  });
}

/** Before the handshake is over no tool has run, so what is doubtful later is certain here. */
function neverRan(failure: LinkFailure): LinkFailure {
  if (failure.kind !== "lost" && failure.kind !== "server-error" && failure.kind !== "session-lost") {
    return failure;
  }
  return new LinkFailure("unreachable", failure.detail, {
    cause: failure,
    ...(failure.status !== undefined && { status: failure.status }),
  });
}
