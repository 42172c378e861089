/**
 * What a server grants a connection, so that those that send nothing, or a byte now and then, do not
 * pile up. A response may take as long as it takes: once its request is in, a stream is not cut.
 */
export interface ConnectionLimits {
  /** For the head of a request, from the moment of connecting; in milliseconds, 15 s by default. */
  readonly headersMs?: number;
  /** For a whole request with its body, in milliseconds; 60 s by default. */
  readonly requestMs?: number;
  /** Connections at a time; further ones are closed at once. 1,000 by default. */
  readonly connections?: number;
}

/** Options of that name of Node's `http.createServer`, in milliseconds. */
export interface ConnectionTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** Node looks for late connections only now and then, by default each 30 s. */
const LOOKS = 4;

export function connectionTimeouts({
  headersMs = 15_000,
  requestMs = 60_000,
}: ConnectionLimits): ConnectionTimeouts {
  const first = Math.min(headersMs, requestMs);
  return {
    headersTimeout: first,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(first / LOOKS),
  };
}

/** For `maxConnections` of a server. */
export const maxConnections = ({ connections = 1_000 }: ConnectionLimits): number => connections;
