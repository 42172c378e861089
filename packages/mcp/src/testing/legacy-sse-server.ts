import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";

import type { McpServer } from "../server/create-mcp-server.ts";

export interface LegacySseServer {
  /** Address of the event stream. */
  readonly url: string;
  /** Streams opened so far. */
  readonly streams: number;
  /** Cuts every open stream; clients have to come back. */
  dropStreams(): void;
  close(): Promise<void>;
}

/** A server of the time before Streamable HTTP: a stream to read at `/sse`, messages to `/messages`. */
export async function legacySseServer(options: {
  readonly create: () => McpServer;
}): Promise<LegacySseServer> {
  const transports = new Map<string, SSEServerTransport>();
  let streams = 0;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/sse" && request.method === "GET") {
      streams++;
      const transport = new SSEServerTransport("/messages", response);
      transports.set(transport.sessionId, transport);
      response.once("close", () => transports.delete(transport.sessionId));
      void options.create().connect(transport);
      return;
    }
    const transport = transports.get(url.searchParams.get("sessionId") ?? "");
    if (url.pathname === "/messages" && request.method === "POST" && transport) {
      void transport.handlePostMessage(request, response);
      return;
    }
    response.writeHead(url.pathname === "/sse" ? 405 : 404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
    get streams() {
      return streams;
    },
    dropStreams: () => server.closeAllConnections(),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
