import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A plain server on loopback; the sockets it ever had tell whether connections were used again. */
export interface HttpServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly sockets: ReadonlySet<Socket>;
  readonly close: () => void;
}

export async function serveHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void handle(request, response)).on(
    "connection",
    (socket) => sockets.add(socket),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
