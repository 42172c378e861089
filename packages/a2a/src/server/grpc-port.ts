import type { AgentCard } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { ConnectionLimits, Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { Authenticate } from "./http/gate.ts";
import type { Accounts } from "./limits/accounts.ts";
import type { ServerLimits } from "./limits/server-limits.ts";

/** Serves an agent over gRPC on a port of its own; made by `grpcBinding` of `@troupe/a2a/grpc`. */
export interface GrpcBinding {
  /**
   * Starts to listen, on loopback or wherever the agent's HTTP port does. No call is answered before `serve`.
   *
   * @throws InputError when the port is taken
   */
  open(options: OpenGrpcOptions): Promise<OpenGrpcBinding>;
}

export interface OpenGrpcOptions {
  readonly host: string;
  /** The name in the agent's public address, for the card. */
  readonly hostname: string;
  readonly connectionLimits: ConnectionLimits;
  readonly limits: ServerLimits;
}

export interface OpenGrpcBinding {
  /** The address for the card, such as `127.0.0.1:50051`. */
  readonly url: string;
  serve(options: ServeGrpcOptions): void;
  close(): Promise<void>;
}

export interface ServeGrpcOptions {
  readonly card: AgentCard;
  readonly handler: A2ARequestHandler;
  /** Shared with the other bindings, so that a caller has one share for all of them. */
  readonly accounts: Accounts;
  readonly authenticate: Authenticate | undefined;
  /** No more calls are taken. */
  readonly closing: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}
