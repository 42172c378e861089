import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import {
  connectionGate,
  connectionTimeouts,
  InputError,
  isLoopback,
  maxConnections,
  randomId,
  type ConnectionLimits,
  silentLog,
  systemClock,
  type Log,
} from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";

import type { McpServer } from "./create-mcp-server.ts";
import { HttpSessions } from "./http-sessions.ts";
import { LegacySseSessions, MESSAGES_PATH, SSE_PATH } from "./legacy-sse.ts";
import { listen } from "./listen.ts";
import { readJsonBody } from "./read-json-body.ts";
import { sendJson, sendRpcError } from "./replies.ts";
import { refuseStranger, refuseWebPage } from "./request-guard.ts";

export interface HttpOptions {
  /** Makes the server of one session. */
  readonly create: () => McpServer;
  /** Default `127.0.0.1`. Anything but loopback needs `auth`. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Default `/mcp`. */
  readonly path?: string;
  /** Serve the HTTP+SSE transport of MCP 2024-11-05 too, at `/sse` and `/messages`. False by default. */
  readonly legacySse?: boolean;
  /** Largest request body, in bytes. 4 MB by default. */
  readonly bodyLimit?: number;
  /**
   * What is missing before the server can work; empty when ready. Shown on `/readyz`; with `auth` to
   * whoever has a good token, because it may tell where things are.
   */
  readonly ready?: () => readonly string[] | Promise<readonly string[]>;
  /** True when a bearer token is good. With it every request needs one, on loopback too. */
  readonly auth?: (token: string) => boolean | Promise<boolean>;
  /** Web origins that may call, besides loopback ones on a loopback host. */
  readonly allowedOrigins?: readonly string[];
  readonly connectionLimits?: ConnectionLimits;
  /** Default 256. When all are in use, the least recently used idle one ends. */
  readonly maxSessions?: number;
  /** Default 30 minutes without an open request, in milliseconds. */
  readonly sessionIdleMs?: number;
  readonly clock?: Clock;
  /** Session ids; they must not be guessable. */
  readonly newId?: () => string;
  readonly log?: Log;
}

export interface HttpServer {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly port: number;
  /** Refuses new work, lets running calls end for `graceMs` (5 s), then ends what is left. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP with sessions, and over HTTP+SSE where that is asked for, plus `/livez` and `/readyz`.
 * Throws an `InputError` when the port is taken or the host is open to others without `auth`.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host = "127.0.0.1", path = "/mcp", bodyLimit = 4 * 1024 * 1024, log = silentLog } = options;
  const { clock = systemClock, newId = randomId, allowedOrigins = [] } = options;
  if (!isLoopback(host) && !options.auth) {
    throw new InputError(
      "input.invalid",
      `Host "${host}" is reachable by others and no auth is set. Set auth, or bind 127.0.0.1.`,
    );
  }

  let closing = false;
  const sessions = new HttpSessions({
    create: options.create,
    maxSessions: options.maxSessions ?? 256,
    idleMs: options.sessionIdleMs ?? 30 * 60_000,
    clock,
    newId,
    log,
  });
  const legacy =
    options.legacySse === true
      ? new LegacySseSessions({ create: options.create, maxSessions: options.maxSessions ?? 256, clock, log })
      : undefined;
  const guard = { host, allowedOrigins, ...(options.auth && { auth: options.auth }) };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Before anything, health too: what keeps a server from being ready is nothing for a web page.
    const foreign = refuseWebPage(request, guard);
    if (foreign) return sendRpcError(response, foreign.status, -32000, foreign.message);
    const pathname = (request.url ?? "/").split("?", 1)[0];
    // Without a token: whoever probes a process has none.
    if (pathname === "/livez") return sendJson(response, 200, { status: "ok" });
    if (pathname === "/readyz") {
      const missing = closing ? ["stopping"] : ((await options.ready?.()) ?? []);
      if (missing.length === 0) return sendJson(response, 200, { status: "ready", reasons: [] });
      const reasons = (await refuseStranger(request, guard)) ? ["not ready"] : missing;
      return sendJson(response, 503, { status: "not ready", reasons });
    }
    const isLegacy = legacy !== undefined && (pathname === SSE_PATH || pathname === MESSAGES_PATH);
    if (pathname !== path && !isLegacy)
      return sendJson(response, 404, { error: `Nothing here. MCP is served at ${path}.` });

    const stranger = await refuseStranger(request, guard);
    if (stranger) {
      const headers = { "www-authenticate": "Bearer" };
      return sendRpcError(response, stranger.status, -32000, stranger.message, headers);
    }
    if (closing) {
      return sendRpcError(response, 503, -32000, "The server is stopping.", { "retry-after": "1" });
    }

    let body: unknown;
    if (request.method === "POST") {
      const read = await readJsonBody(request, bodyLimit);
      if (!read.ok) return sendRpcError(response, read.status, -32700, read.message, { connection: "close" });
      body = read.value;
    }

    if (legacy && isLegacy) {
      const method = pathname === SSE_PATH ? "GET" : "POST";
      if (request.method !== method)
        return sendRpcError(response, 405, -32000, `Use ${method} for ${pathname}.`, { allow: method });
      if (method === "GET" && !(await legacy.open(response)))
        return sendRpcError(response, 503, -32000, "All sessions are busy.", { "retry-after": "5" });
      if (method === "POST" && !(await legacy.post(request, response, body)))
        return sendRpcError(response, 404, -32001, `Session not found. Open ${SSE_PATH} for a new one.`);
      return;
    }

    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") {
      if (!sessions.has(id)) {
        return sendRpcError(response, 404, -32001, "Session not found. Send initialize to open a new one.");
      }
      return sessions.handle(id, request, response, body);
    }
    if (!isInitializeRequest(body)) {
      return sendRpcError(
        response,
        400,
        -32000,
        "No session: send initialize first, then its Mcp-Session-Id.",
      );
    }
    if (!(await sessions.open(request, response, body))) {
      return sendRpcError(response, 503, -32000, "All sessions are busy.", { "retry-after": "5" });
    }
  };

  const { connectionLimits = {} } = options;
  const server = createServer(connectionTimeouts(connectionLimits), (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error("mcp request failed", { error });
      if (!response.headersSent) sendRpcError(response, 500, -32603, "internal error");
      else response.destroy();
    });
  });
  server.maxConnections = maxConnections(connectionLimits);
  server.on("connection", connectionGate(connectionLimits));
  const port = await listen(server, host, options.port);
  const shownHost = host.includes(":") ? `[${host}]` : host;

  const close = async (graceMs: number): Promise<void> => {
    closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = new AbortController();
    if (graceMs > 0) {
      await Promise.race([sessions.idle(), clock.sleep(graceMs, timer.signal).catch(() => undefined)]);
    }
    timer.abort();
    await Promise.all([sessions.closeAll(), legacy?.closeAll()]);
    server.closeAllConnections();
    await closed;
  };
  let closed: Promise<void> | undefined;
  return {
    url: `http://${shownHost}:${port}${path}`,
    port,
    close: ({ graceMs = 5_000 } = {}) => (closed ??= close(graceMs)),
  };
}
