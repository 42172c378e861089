import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type StoreErrorCode =
  | "store.full"
  | "store.io"
  | "store.corrupt"
  | "store.locked"
  | "store.not-found"
  /** Somebody else changed it meanwhile. */
  | "store.conflict";

/** Storage that refused. */
export class StoreError extends TroupeError {
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(code, message, options);
  }
}
