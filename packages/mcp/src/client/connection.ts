import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { z } from "zod";

import { onClose } from "../adapters/sdk-hooks.ts";
import { toFailure } from "./classify.ts";

export type TransportKind = "http" | "sse" | "stdio";

/** One open connection to a server, with its session where there is one. */
export interface Connection {
  readonly kind: TransportKind;
  /** False once the other side is gone; it never opens again. */
  open(): boolean;
  /** Grows whenever the server's tools may have changed. */
  toolsVersion(): number;
  /** Whether the server has resources at all. */
  readonly hasResources: boolean;
  /** Throws a `LinkFailure`, or the signal's reason when it aborted; then the server is told. */
  request<S extends z.ZodType>(
    request: { readonly method: string; readonly params?: { [key: string]: unknown } },
    schema: S,
    signal: AbortSignal,
  ): Promise<z.output<S>>;
  /** Takes no new requests and closes when the running ones are over. */
  retire(): void;
  close(): Promise<void>;
  /** Resolves when it is over, whoever ended it. */
  readonly closed: Promise<void>;
}

/** The longest a timer can run; deadlines are ours, not the SDK's. */
const NO_TIMEOUT = 2 ** 31 - 1;

export interface ConnectionParts {
  readonly kind: TransportKind;
  readonly client: Client;
  /** Tells the server that its session is over; bounded in time. */
  readonly sayGoodbye: () => Promise<void>;
  readonly toolsVersion: () => number;
}

export function createConnection(parts: ConnectionParts): Connection {
  const { client } = parts;
  let open = true;
  let retired = false;
  let running = 0;
  let closing: Promise<void> | undefined;
  const over = Promise.withResolvers<void>();
  onClose(client, () => {
    open = false;
    over.resolve();
  });

  const close = (): Promise<void> => {
    open = false;
    return (closing ??= parts.sayGoodbye().then(() => client.close()));
  };
  const closeWhenIdle = (): void => {
    // Nobody waits for a retired connection, so its end is nobody's error.
    if (retired && running === 0) close().catch(() => undefined);
  };

  return {
    kind: parts.kind,
    open() {
      return open && !retired;
    },
    toolsVersion() {
      return parts.toolsVersion();
    },
    hasResources: client.getServerCapabilities()?.resources !== undefined,
    async request(request, schema, signal) {
      running++;
      try {
        signal.throwIfAborted();
        return await client.request(request, schema, { signal, timeout: NO_TIMEOUT });
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error);
      } finally {
        running--;
        closeWhenIdle();
      }
    },
    retire() {
      retired = true;
      closeWhenIdle();
    },
    close,
    closed: over.promise,
  };
}
