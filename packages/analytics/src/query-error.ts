import { TroupeError, type TroupeErrorOptions } from "@troupe/core";

export type QueryErrorCode =
  | "query.denied"
  | "query.invalid"
  | "query.unknown-name"
  | "query.timeout"
  | "query.memory"
  | "query.unknown-result"
  | "query.engine";

/** A statement that was refused or did not end. */
export class QueryError extends TroupeError {
  declare readonly code: QueryErrorCode;
  /** Real names close to one that was not found. */
  readonly nearest: readonly string[];

  constructor(
    code: QueryErrorCode,
    message: string,
    options: TroupeErrorOptions & { readonly nearest?: readonly string[] } = {},
  ) {
    super(code, message, options);
    this.nearest = options.nearest ?? [];
  }
}
