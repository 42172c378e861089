import { A2A_ERROR_CODE } from "@a2a-js/sdk/errors";

import { OWN_CODE, StatusError } from "../status-error.ts";

/** How a limit that was met is told in each binding. */
const KINDS = {
  /** Less of it: the same again is refused again. */
  TOO_LARGE: { statusCode: 413, code: A2A_ERROR_CODE.INVALID_PARAMS },
  /** Later. */
  TOO_MANY: { statusCode: 429, code: OWN_CODE },
} as const;

/** A limit of the server was met; nothing was begun. */
export class LimitError extends StatusError {
  override readonly reason: string;
  readonly statusCode: 413 | 429;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    reason: keyof typeof KINDS,
    message: string,
    options: { readonly retryAfterMs?: number; readonly limit: number },
  ) {
    const { retryAfterMs } = options;
    super({ message, metadata: { limit: String(options.limit) } });
    this.reason = reason;
    const { statusCode, code } = KINDS[reason];
    this.statusCode = statusCode;
    this.code = code;
    this.headers =
      retryAfterMs === undefined
        ? {}
        : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  }
}
