import type { IncomingMessage, ServerResponse } from "node:http";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";

import type { McpServer } from "./create-mcp-server.ts";

/** Where clients of the HTTP+SSE transport (MCP 2024-11-05) read events and post messages. */
export const SSE_PATH = "/sse";
export const MESSAGES_PATH = "/messages";

/** A comment this often keeps proxies from closing a quiet stream, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** A client that leaves more bytes than this unread is disconnected. */
const MAX_UNREAD = 64 * 1024 * 1024;

export interface LegacySseOptions {
  readonly create: () => McpServer;
  readonly maxSessions: number;
  readonly clock: Clock;
  readonly log: Log;
}

interface Session {
  readonly server: McpServer;
  readonly transport: SSEServerTransport;
}

/** Sessions over HTTP+SSE: one for each open stream, with a server and transport each. */
export class LegacySseSessions {
  readonly #options: LegacySseOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: LegacySseOptions) {
    this.#options = options;
  }

  /** Opens a session on the response to `GET /sse`. False when there are too many. */
  async open(response: ServerResponse): Promise<boolean> {
    const { create, maxSessions, log } = this.#options;
    if (this.#sessions.size >= maxSessions) return false;
    const server = create();
    const transport = new SSEServerTransport(MESSAGES_PATH, response);
    const id = transport.sessionId;
    this.#sessions.set(id, { server, transport });
    response.setHeader("X-Accel-Buffering", "no");
    const stopHeartbeat = this.#heartbeat(response);
    response.once("close", () => {
      stopHeartbeat();
      this.#sessions.delete(id);
      // Ends the calls that nobody can get an answer to any more.
      server.close().catch((error: unknown) => log.warn("mcp session did not close", { error }));
    });
    await server.connect(transport);
    return true;
  }

  /** Takes a message of `POST /messages`. False for a session that is not open. */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<boolean> {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const session = this.#sessions.get(searchParams.get("sessionId") ?? "");
    if (!session) return false;
    await session.transport.handlePostMessage(request, response, body);
    return true;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  #heartbeat(response: ServerResponse): () => void {
    let cancel = (): void => undefined;
    const beat = (): void => {
      if (response.writableLength > MAX_UNREAD) return void response.destroy();
      response.write(": keep-alive\n\n");
      cancel = this.#options.clock.schedule(HEARTBEAT_MS, beat);
    };
    cancel = this.#options.clock.schedule(HEARTBEAT_MS, beat);
    return () => cancel();
  }
}
