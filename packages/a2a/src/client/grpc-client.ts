import type { TransportFactory } from "@a2a-js/sdk/client";
import type { Breaker } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

/** Calls agents whose cards offer gRPC alone; made by `grpcClient` of `@troupe/a2a/grpc`. */
export interface GrpcClient {
  transport(options: GrpcTransportOptions): Promise<TransportFactory>;
}

export interface GrpcTransportOptions {
  /** The address that the card was read from. */
  readonly url: string;
  /** The agent in words, to begin a sentence with. */
  readonly where: string;
  readonly breaker: Breaker;
  readonly clock: Clock;
  /** The largest message that is read, in bytes. */
  readonly answerBytes: number;
}
