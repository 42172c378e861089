import { createServer, type AddressInfo, type Socket } from "node:net";

import { Server, ServerCredentials } from "@grpc/grpc-js";
import { connectionGate, connectionTimeouts, maxConnections } from "@troupe/core";

import type { GrpcBinding, ServeGrpcOptions } from "../server/grpc-port.ts";
import { listen } from "../server/http/listen.ts";
import { admission } from "./admission.ts";
import { BYTES_SERVICE, grpcMethods } from "./methods.ts";

export interface GrpcOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /**
   * The address that the card names behind a proxy, such as `grpc.example.com:443`. The host
   * of the agent's public address with this port when absent.
   */
  readonly publicUrl?: string;
}

/** Between two pings to a quiet connection, so that one that is dead is noticed. */
const PING_MS = 60_000;
/** How long an answer to a ping may take, and streams may take to end at close. */
const GRACE_MS = 20_000;
const CLOSE_MS = 500;
/** Connections without a call are closed after this. */
const IDLE_MS = 10 * 60_000;

/**
 * A2A 1.0 over gRPC for `serveAgent`, without TLS: like the HTTP port, it listens on loopback or behind a proxy.
 * Needs `@grpc/grpc-js` and `@bufbuild/protobuf`.
 */
export function grpcBinding(options: GrpcOptions = {}): GrpcBinding {
  return {
    async open({ host, hostname, connectionLimits, limits }) {
      let serving: ServeGrpcOptions | undefined;
      const { requestTimeout } = connectionTimeouts(connectionLimits);
      const bytes = Number.isFinite(limits.bodyBytes) ? limits.bodyBytes : -1;
      const server = new Server({
        "grpc.max_receive_message_length": bytes,
        "grpc.max_send_message_length": -1,
        "grpc.max_connection_idle_ms": IDLE_MS,
        "grpc.keepalive_time_ms": PING_MS,
        "grpc.keepalive_timeout_ms": GRACE_MS,
        "grpc.enable_channelz": 0,
        interceptors: [admission(() => serving, requestTimeout)],
      });
      const sockets = createServer();
      sockets.maxConnections = maxConnections(connectionLimits);
      sockets.on("connection", connectionGate(connectionLimits));
      const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
      const open = new Set<Socket>();
      sockets.on("connection", (socket) => {
        if (socket.destroyed) return;
        open.add(socket);
        socket.once("close", () => open.delete(socket));
        injector.injectConnection(socket);
      });
      await listen(sockets, host, options.port ?? 0);
      const { port } = sockets.address() as AddressInfo;
      return {
        url: options.publicUrl ?? `${hostname}:${port}`,
        serve(now) {
          server.addService(BYTES_SERVICE, grpcMethods(now));
          serving = now;
        },
        async close() {
          const stopped = new Promise<void>((resolve) => sockets.close(() => resolve()));
          injector.drain(CLOSE_MS);
          // `drain` waits for peers that do not close their side.
          const destroyAll = (): void => open.forEach((socket) => socket.destroy());
          const cancel = serving?.clock.schedule(2 * CLOSE_MS, destroyAll);
          if (cancel === undefined) destroyAll();
          await stopped;
          cancel?.();
          server.forceShutdown();
        },
      };
    },
  };
}
