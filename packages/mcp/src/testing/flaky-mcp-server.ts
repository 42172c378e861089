import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { silentLog, systemClock } from "@troupe/core";

import type { McpServer } from "../server/create-mcp-server.ts";
import { HttpSessions } from "../server/http-sessions.ts";
import { readJsonBody } from "../server/read-json-body.ts";
import { sendRpcError } from "../server/replies.ts";

/** What happens to one `tools/call`. */
export type CallFault =
  | "ok"
  /** Taken, and never answered. */
  | "hang"
  /** The connection is reset before an answer. */
  | "reset"
  /** An event stream begins, and ends without an answer. */
  | "cut"
  /** HTTP 200 with something that is not MCP. */
  | "garbage"
  | { readonly status: number; readonly body?: string };

export interface FlakyMcpServer {
  readonly url: string;
  readonly port: number;
  /** `tools/call` requests that arrived. */
  readonly calls: number;
  /** Handshakes that arrived. */
  readonly handshakes: number;
  /** Requests the client said it no longer wants. */
  readonly cancels: number;
  /** One entry for each coming `tools/call`; those after the last are answered. */
  script(...faults: CallFault[]): void;
  /** As after a restart: every session is unknown. */
  forgetSessions(): Promise<void>;
  /** Resolves when that many calls have arrived in all. */
  arrived(calls: number): Promise<void>;
  /** Resolves when that many cancels have arrived in all. */
  cancelled(cancels: number): Promise<void>;
  close(): Promise<void>;
}

/** A real MCP server over Streamable HTTP that misbehaves on request. */
export async function flakyMcpServer(options: {
  readonly create: () => McpServer;
  readonly newId: () => string;
  readonly port?: number;
}): Promise<FlakyMcpServer> {
  const newSessions = (): HttpSessions =>
    new HttpSessions({
      create: options.create,
      maxSessions: 1_000,
      idleMs: 3_600_000,
      clock: systemClock,
      newId: options.newId,
      log: silentLog,
    });
  let sessions = newSessions();
  let faults: CallFault[] = [];
  const count = { calls: 0, handshakes: 0, cancels: 0 };
  let waiting: (() => void)[] = [];

  const noted = (what: keyof typeof count): void => {
    count[what]++;
    const wake = waiting;
    waiting = [];
    wake.forEach((fn) => fn());
  };
  const reached = async (what: keyof typeof count, wanted: number): Promise<void> => {
    while (count[what] < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const misbehave = (
    fault: Exclude<CallFault, "ok">,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    if (fault === "hang") return;
    if (fault === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault === "cut") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(": working\n\ndata: {");
      return;
    }
    if (fault === "garbage") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"welcome":true}');
      return;
    }
    response.writeHead(fault.status, { "content-type": "text/plain" });
    response.end(fault.body ?? "scripted");
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = request.method === "POST" ? await readJsonBody(request, 1 << 26) : undefined;
    const message = (body?.ok === true ? body.value : {}) as { readonly method?: string };
    const id = request.headers["mcp-session-id"];
    if (message.method === "initialize") noted("handshakes");
    if (message.method === "notifications/cancelled") noted("cancels");
    if (typeof id !== "string") {
      await sessions.open(request, response, message);
      return;
    }
    if (message.method === "tools/call") {
      noted("calls");
      const fault = faults.shift() ?? "ok";
      if (fault !== "ok") return misbehave(fault, request, response);
    }
    if (!sessions.has(id)) return sendRpcError(response, 404, -32001, "Session not found");
    await sessions.handle(id, request, response, body?.ok === true ? body.value : undefined);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    get calls() {
      return count.calls;
    },
    get handshakes() {
      return count.handshakes;
    },
    get cancels() {
      return count.cancels;
    },
    script: (...next) => {
      faults = next;
    },
    async forgetSessions() {
      const old = sessions;
      sessions = newSessions();
      await old.closeAll();
    },
    arrived: (calls) => reached("calls", calls),
    cancelled: (cancels) => reached("cancels", cancels),
    async close() {
      const closed = once(server, "close");
      server.close();
      await sessions.closeAll();
      server.closeAllConnections();
      await closed;
    },
  };
}
