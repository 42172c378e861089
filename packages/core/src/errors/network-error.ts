import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type NetworkErrorCode = "network.refused" | "network.redirects";

/**
 * A request of ours that was not made, or not to its end: it led where none may go. The message names
 * the host as it was asked for, never what a name of it stands for.
 */
export class NetworkError extends TroupeError {
  declare readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(code, message, options);
  }
}
