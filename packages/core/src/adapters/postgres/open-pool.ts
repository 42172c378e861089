import { Pool } from "pg";

import { InputError } from "../../errors/input-error.ts";
import type { Log } from "../../ports/log.ts";

export interface PoolOptions {
  /** `postgres://user:password@host/database`; a pool of connections is opened on it. */
  readonly connectionString?: string;
  /** A pool of the caller's own, in place of an address; it stays open at `close`. */
  readonly pool?: Pool;
  /** Milliseconds after which a statement that has no answer is given up, 10,000 by default. */
  readonly statementTimeoutMs?: number;
  /** Connections of the pool, 10 by default. */
  readonly maxConnections?: number;
}

export interface OpenedPool {
  readonly pool: Pool;
  /** Lets go of the connections that were opened here; of a caller's own nothing. */
  readonly close: () => Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 10;

/** Opens a pool, or takes the caller's own. Throws an `InputError` where neither is given. */
export function openPool(
  options: PoolOptions,
  own: {
    /** In the plural, such as "the tasks". */
    readonly what: string;
    /** Under which name the database lists the connections. */
    readonly name: string;
    readonly log: Log;
  },
): OpenedPool {
  const { connectionString, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  if (options.pool !== undefined) return { pool: options.pool, close: async () => undefined };
  // Without an address `pg` takes what the environment names, which nobody chose for this.
  if (connectionString === undefined)
    throw new InputError(
      "input.invalid",
      `No database is named for ${own.what}: hand in a connectionString such as postgres://user@host/database, or a pool.`,
    );
  const pool = new Pool({
    connectionString,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // The server gives up first; this is for one that is not there to do so.
    query_timeout: statementTimeoutMs + CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: own.name,
  });
  // A connection that breaks while nobody uses it; whoever asks next gets another one.
  pool.on("error", (error) => own.log.warn(`a connection to the database of ${own.what} broke`, { error }));
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    // What is asked within this turn gets its connection only after it, and never from a pool that ends.
    await new Promise((resolve) => setImmediate(resolve));
    await pool.end();
  };
  return { pool, close: () => (closed ??= end()) };
}
