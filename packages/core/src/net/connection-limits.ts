import { isLoopback } from "./is-loopback.ts";

/**
 * What a server grants a connection, so that those that send nothing, or a byte now and then, do not
 * pile up. A response may take as long as it takes: once its request is in, a stream is not cut.
 */
export interface ConnectionLimits {
  /** For the head of a request, from the moment of connecting; in milliseconds, 15 s by default. */
  readonly headersMs?: number | undefined;
  /** For a whole request with its body, in milliseconds; 60 s by default. */
  readonly requestMs?: number | undefined;
  /** Connections at a time; further ones are closed at once. 4,096 by default. */
  readonly connections?: number | undefined;
  /**
   * Of those, from one address of another machine; 1,024 by default, so that one alone cannot shut
   * everybody out. Raise it where all come through one proxy. This machine's own are not counted.
   */
  readonly connectionsPerAddress?: number | undefined;
}

/** Options of that name of Node's `http.createServer`, in milliseconds. */
export interface ConnectionTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout: number;
}

/** Node looks for late connections only now and then, by default each 30 s. */
const LOOKS = 4;

/**
 * Between two requests. Longer than proxies keep a connection they do not use, commonly 60 s: whoever
 * closes first must not be the one that a request is just on its way to.
 */
const KEPT_MS = 65_000;

export function connectionTimeouts({
  headersMs = 15_000,
  requestMs = 60_000,
}: ConnectionLimits): ConnectionTimeouts {
  const first = Math.min(headersMs, requestMs);
  return {
    headersTimeout: first,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(first / LOOKS),
    keepAliveTimeout: KEPT_MS,
  };
}

/** For `maxConnections` of a server. */
export const maxConnections = ({ connections = 4_096 }: ConnectionLimits): number => connections;

/** What of Node's socket is looked at. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** For the `connection` event of a server: closes those of an address that has too many. */
export function connectionGate({
  connectionsPerAddress = 1_024,
}: ConnectionLimits): (connection: Connection) => void {
  const open = new Map<string, number>();
  return (connection) => {
    const address = connection.remoteAddress;
    if (address === undefined || isLoopback(address.replace(/^::ffff:/, ""))) return;
    const count = open.get(address) ?? 0;
    if (count >= connectionsPerAddress) {
      connection.destroy();
      return;
    }
    open.set(address, count + 1);
    connection.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  };
}
