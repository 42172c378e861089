import { A2A_ERROR_CODE, A2AError } from "@a2a-js/sdk/errors";

/** For a server's own errors JSON-RPC leaves -32000 to -32099, of which A2A takes all but the first. */
const TOO_MANY_CODE = -32000;

/** How a limit that was met is told in each binding. */
const KINDS = {
  /** Less of it: the same again is refused again. */
  TOO_LARGE: { statusCode: 413, code: A2A_ERROR_CODE.INVALID_PARAMS },
  /** Later. */
  TOO_MANY: { statusCode: 429, code: TOO_MANY_CODE },
} as const;

/** A limit of the server was met; nothing was begun. */
export class LimitError extends A2AError {
  override readonly reason: string;
  /** By these two the SDK's own routes know the HTTP status. */
  readonly transport = "rest";
  readonly statusCode: 413 | 429;
  /** Of JSON-RPC. */
  readonly code: number;
  /** `Retry-After`, where the same may go through then. */
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
