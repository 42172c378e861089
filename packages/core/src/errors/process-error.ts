import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type ProcessErrorCode = "process.start" | "process.port-taken";

/** A process of ours that could not be started. */
export class ProcessError extends TroupeError {
  declare readonly code: ProcessErrorCode;

  constructor(code: ProcessErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(code, message, options);
  }
}
