import type { Log, LogFields } from "@troupe/core";
import type { LoggingLevel } from "@modelcontextprotocol/sdk/types.js";

const SEVERITY: { readonly [level in LoggingLevel]: number } = {
  debug: 0,
  info: 1,
  notice: 2,
  warning: 3,
  error: 4,
  critical: 5,
  alert: 6,
  emergency: 7,
};

/** Whether a client that asked for `wanted` and worse gets a message of `level`. */
export function isLogged(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return SEVERITY[level] >= SEVERITY[wanted];
}

/**
 * The same log, whose messages the client gets too. Their fields stay here, because they may hold what is
 * internal to this server or belongs to others.
 */
export function clientLog(log: Log, send: (level: LoggingLevel, message: string) => void): Log {
  const both =
    (method: "debug" | "info" | "warn" | "error", level: LoggingLevel) =>
    (message: string, fields?: LogFields): void => {
      log[method](message, fields);
      send(level, message);
    };
  return {
    debug: both("debug", "debug"),
    info: both("info", "info"),
    warn: both("warn", "warning"),
    error: both("error", "error"),
    child: (fields) => clientLog(log.child(fields), send),
  };
}
