import { createServer, type ServerHttp2Session } from "node:http2";

import { endpoint } from "@restatedev/restate-sdk";
import { ProcessError, type Log } from "@troupe/core";

import type { RunService } from "../run-service.ts";

export interface ServeOptions {
  readonly service: RunService;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Public keys of the Restate servers that may call; every other request is refused. */
  readonly identityKeys: readonly string[];
  readonly log: Log;
}

export interface ServedService {
  readonly port: number;
  /** Ends every attempt that runs here; Restate makes the next one where the service is served then. */
  close(): Promise<void>;
}

/** What it calls info it says of every attempt, and an error is whatever cut one off, such as our own end. */
const LEVELS = { trace: "debug", debug: "debug", info: "debug", warn: "info", error: "warn" } as const;

/** Serves the service to Restate, which calls it over HTTP/2. Throws a `ProcessError` when the port is taken. */
export async function serve(options: ServeOptions): Promise<ServedService> {
  const { host, identityKeys, log } = options;
  const served = endpoint()
    .bind(options.service)
    .setLogger(({ level, context }, message, ...more: unknown[]) => {
      const fields = { runId: context?.key, handler: context?.handlerName, more };
      log[LEVELS[level]](`restate: ${String(message)}`, fields);
    });
  if (identityKeys.length > 0) served.withIdentityV1(...identityKeys);
  const server = createServer(served.http2Handler());
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", (error) => log.debug("a connection from restate broke", { error }));
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      const message = taken
        ? `port ${options.port} on ${host} is taken; free it, or serve runs to Restate on another`
        : `runs cannot be served to Restate on ${host}:${options.port} (${cause.code ?? cause.message})`;
      reject(new ProcessError(taken ? "process.port-taken" : "process.start", message, { cause }));
    });
    server.listen(options.port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : options.port);
    });
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
