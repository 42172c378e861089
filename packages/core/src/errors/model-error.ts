import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type ModelErrorCode =
  | "model.auth"
  | "model.rate-limited"
  | "model.overloaded"
  | "model.invalid-request"
  | "model.unreachable"
  | "model.first-token-timeout"
  | "model.idle-timeout"
  | "model.stream-broken"
  | "model.unscripted";

/** A model call that did not end as it should. */
export class ModelError extends TroupeError {
  declare readonly code: ModelErrorCode;
  /** What the provider asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    options: TroupeErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}
