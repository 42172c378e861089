import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { ResolvedConfig } from "./config.ts";
import { connect } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { LinkFailure } from "./failure.ts";

export interface LinkOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** The way to one server: a connection that is opened when needed and shared by all callers. */
export interface Link {
  /** The open connection, or a new one. Throws a `LinkFailure`. */
  get(): Promise<Connection>;
  /** Whether a connection was ever open: a server that is unreachable then may be restarting. */
  connectedBefore(): boolean;
  /** The next `get` opens a new connection, unless somebody has already done so. */
  drop(connection: Connection): void;
  /** Whatever connection there is, the next `get` opens a new one. */
  reset(): void;
  close(): Promise<void>;
}

export function createLink(config: ResolvedConfig, options: LinkOptions): Link {
  const closing = new AbortController();
  let current: Connection | undefined;
  /** Those too that take nothing new any more and still work on a call. */
  const all = new Set<Connection>();
  let opening: Promise<Connection> | undefined;
  let connections = 0;

  const open = async (): Promise<Connection> => {
    const connection = await connect(config, { ...options, signal: closing.signal });
    if (closing.signal.aborted) {
      await connection.close();
      throw closing.signal.reason as Error;
    }
    current = connection;
    connections++;
    all.add(connection);
    void connection.closed.then(() => all.delete(connection));
    options.log.debug(connections === 1 ? "mcp server connected" : "mcp server connected again", {
      server: config.name,
      transport: connection.kind,
    });
    return connection;
  };

  const drop = (connection: Connection): void => {
    if (current === connection) current = undefined;
    connection.retire();
  };

  return {
    get() {
      if (closing.signal.aborted) return Promise.reject(closing.signal.reason as Error);
      if (current?.open() === true) return Promise.resolve(current);
      // One attempt for everybody who waits. Each of them may leave; the attempt has its own end.
      opening ??= open().finally(() => (opening = undefined));
      return opening;
    },
    connectedBefore: () => connections > 0,
    drop,
    reset() {
      if (current) drop(current);
    },
    async close() {
      closing.abort(new LinkFailure("rejected", "the pool is closed"));
      await opening?.catch(() => undefined);
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
}
