import type { Log, LogFields } from "@troupe/core";
import pino from "pino";

import { scrub } from "./scrub.ts";

export interface LogOptions {
  readonly name: string;
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** Values that must never appear in a line. */
  readonly secrets?: readonly string[];
  /** Takes one finished line; stderr by default, because stdout is for answers and protocols. */
  readonly write?: (line: string) => void;
}

/** JSON lines through pino, each scrubbed of secrets as a whole. */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string): void => void process.stderr.write(line));
  const secrets = options.secrets ?? [];
  const sink = { write: (line: string): void => write(scrub(line, secrets)) };
  return wrap(pino({ name: options.name, level: options.level, base: { name: options.name } }, sink));
}

function wrap(logger: pino.Logger): Log {
  return {
    debug: (message, fields) => logger.debug(withError(fields), message),
    info: (message, fields) => logger.info(withError(fields), message),
    warn: (message, fields) => logger.warn(withError(fields), message),
    error: (message, fields) => logger.error(withError(fields), message),
    child: (fields) => wrap(logger.child(fields)),
  };
}

/** Pino prints errors well only under the key `err`. */
function withError(fields: LogFields | undefined): object {
  if (fields === undefined) return {};
  const { error, ...rest } = fields;
  return error instanceof Error ? { ...rest, err: error } : fields;
}
