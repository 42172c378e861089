const MARK = Symbol.for("troupe.error");

export interface TroupeErrorOptions {
  /** Trying the same again may work. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * What every error of Troupe is. `code` is stable and dotted (`model.rate-limited`); `message`
 * quotes the input and says what to do, and is safe to show to a person.
 */
export class TroupeError extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: TroupeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, MARK, { value: true });
  }
}

/** By symbol, not `instanceof`: two copies of a package must recognise each other's errors. */
export function isTroupeError(value: unknown): value is TroupeError {
  return typeof value === "object" && value !== null && MARK in value;
}
