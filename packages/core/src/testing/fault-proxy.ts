import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

import type { Clock } from "@troupe/stream";

/** What the proxy does to bytes and connections from now on, running ones included. */
export type Fault =
  | { readonly kind: "none" }
  /** Every piece arrives this much later, both ways, in milliseconds of the clock. */
  | { readonly kind: "latency"; readonly ms: number }
  /** Takes connections and bytes, and never says anything. */
  | { readonly kind: "black-hole" }
  /** Running connections are reset, new ones at their first byte. */
  | { readonly kind: "reset" }
  /** Nobody listens on the port. */
  | { readonly kind: "refuse" }
  /** Bytes arrive in pieces of this size. */
  | { readonly kind: "slices"; readonly bytes: number };

export interface FaultProxy {
  readonly port: number;
  /** Connections taken so far. */
  readonly connections: number;
  /** Resolves when the fault is in force. */
  set(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

/** A TCP proxy on loopback that breaks in the ways networks break. */
export async function faultProxy(options: {
  readonly targetPort: number;
  readonly clock: Clock;
}): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let fault: Fault = { kind: "none" };
  let connections = 0;
  let port = 0;

  const pass = (chunk: Buffer, to: Socket): void => {
    switch (fault.kind) {
      case "black-hole":
      case "refuse":
        return;
      case "latency":
        options.clock.schedule(fault.ms, () => to.write(chunk));
        return;
      case "slices":
        for (let at = 0; at < chunk.length; at += fault.bytes) to.write(chunk.subarray(at, at + fault.bytes));
        return;
      case "reset":
        reset();
        return;
      case "none":
        to.write(chunk);
    }
  };

  const take = (client: Socket): void => {
    connections++;
    const upstream = connect(options.targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (chunk) => pass(chunk, to));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        // A black hole keeps its silence, even when the other end has gone.
        if (fault.kind !== "black-hole") to.destroy();
      });
    }
  };

  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  let server: Server | undefined;
  const listen = async (): Promise<void> => {
    server = createServer(take).listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    if (!server) return;
    const closed = once(server, "close");
    server.close();
    server = undefined;
    reset();
    await closed;
  };

  await listen();
  return {
    get port() {
      return port;
    },
    get connections() {
      return connections;
    },
    async set(next) {
      fault = next;
      if (next.kind === "refuse") await stop();
      else if (!server) await listen();
      if (next.kind === "reset") reset();
    },
    close: stop,
  };
}
