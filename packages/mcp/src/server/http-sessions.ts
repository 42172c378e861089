import type { IncomingMessage, ServerResponse } from "node:http";

import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

import { onClose } from "../adapters/sdk-hooks.ts";
import type { McpServer } from "./create-mcp-server.ts";

export interface SessionOptions {
  readonly create: () => McpServer;
  readonly maxSessions: number;
  /** A session with no request open for this long is forgotten, in milliseconds. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}

interface Session {
  readonly id: string;
  readonly server: McpServer;
  readonly transport: StreamableHTTPServerTransport;
  readonly openCalls: OpenCalls;
  /** POSTs being answered. */
  calls: number;
  /** All responses still open, the client's listening stream among them. */
  open: number;
  lastUsed: number;
  cancelIdle: (() => void) | undefined;
}

/** The sessions of one HTTP server: one MCP server and transport each, bounded in number and age. */
export class HttpSessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Session>();
  #waiting: (() => void)[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Opens a session for an `initialize` request. False when all are busy. */
  async open(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<boolean> {
    if (this.#sessions.size >= this.#options.maxSessions && !this.#evict()) return false;
    const id = this.#options.newId();
    const server = this.#options.create();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session: Session = {
      id,
      server,
      transport,
      openCalls: new OpenCalls(),
      calls: 0,
      open: 0,
      lastUsed: this.#options.clock.now(),
      cancelIdle: undefined,
    };
    this.#sessions.set(id, session);
    onClose(transport, () => this.#forget(session));
    response.once("close", () => {
      // A refused handshake leaves no session behind.
      if (response.statusCode >= 400) this.#close(session);
    });
    await server.connect(transport);
    await this.#handle(session, request, response, body);
    return true;
  }

  /** Hands a request to its session; `id` must be one of ours. */
  async handle(id: string, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const session = this.#sessions.get(id);
    if (session) await this.#handle(session, request, response, body);
  }

  /** Resolves when no call is being answered. */
  async idle(): Promise<void> {
    while ([...this.#sessions.values()].some((session) => session.calls > 0)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.server.close()));
  }

  async #handle(
    session: Session,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const isCall = request.method === "POST";
    session.open++;
    if (isCall) session.calls++;
    const closed = session.openCalls.open(body);
    session.cancelIdle?.();
    session.cancelIdle = undefined;
    session.lastUsed = this.#options.clock.now();
    response.once("close", () => {
      closed();
      session.open--;
      if (isCall) session.calls--;
      this.#waiting.splice(0).forEach((wake) => wake());
      session.lastUsed = this.#options.clock.now();
      if (session.open === 0 && this.#sessions.has(session.id)) this.#armIdle(session);
    });
    await session.transport.handleRequest(request, response, body);
    // A cancelled request gets no answer, so the transport alone would keep its response open.
    for (const id of session.openCalls.cancelledBy(body)) session.transport.closeSSEStream(id);
  }

  #armIdle(session: Session): void {
    session.cancelIdle = this.#options.clock.schedule(this.#options.idleMs, () => {
      this.#options.log.debug("mcp session expired", { session: session.id.slice(0, 8) });
      this.#close(session);
    });
  }

  /** Makes room by ending the session that was used least recently and answers nothing now. */
  #evict(): boolean {
    let oldest: Session | undefined;
    for (const session of this.#sessions.values()) {
      if (session.calls === 0 && (!oldest || session.lastUsed < oldest.lastUsed)) oldest = session;
    }
    if (!oldest) return false;
    this.#options.log.warn("too many mcp sessions, the oldest ends", { max: this.#options.maxSessions });
    this.#close(oldest);
    return true;
  }

  #close(session: Session): void {
    this.#forget(session);
    session.server
      .close()
      .catch((error: unknown) => this.#options.log.warn("mcp session did not close", { error }));
  }

  #forget(session: Session): void {
    session.cancelIdle?.();
    session.cancelIdle = undefined;
    this.#sessions.delete(session.id);
  }
}

type RequestId = string | number;

/** Which requests each open POST of a session waits for. A POST may hold a batch of them. */
class OpenCalls {
  readonly #waiting = new Map<RequestId, Set<RequestId>>();

  /** Notes the requests of a POST. Call what it returns when the POST is over. */
  open(body: unknown): () => void {
    const ids = messagesOf(body).flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
    const waiting = new Set(ids);
    for (const id of ids) this.#waiting.set(id, waiting);
    return () => {
      for (const id of ids) if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  /** One request of each POST that has nothing left to wait for after the cancellations in `body`. */
  cancelledBy(body: unknown): readonly RequestId[] {
    return messagesOf(body).flatMap(({ method, params }) => {
      const id = method === "notifications/cancelled" ? params?.requestId : undefined;
      const waiting = isId(id) ? this.#waiting.get(id) : undefined;
      if (!isId(id) || waiting?.delete(id) !== true || waiting.size > 0) return [];
      return [id];
    });
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

function messagesOf(body: unknown): readonly Message[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter((message): message is Message => typeof message === "object" && message !== null);
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
