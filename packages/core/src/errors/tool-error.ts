import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type ToolErrorCode =
  | "tool.unknown"
  | "tool.bad-arguments"
  | "tool.failed"
  | "tool.timeout"
  | "tool.unavailable"
  | "tool.duplicate"
  | "tool.needs-access";

/** A tool that cannot be found or did not do its work. */
export class ToolError extends TroupeError {
  declare readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options: TroupeErrorOptions = {}) {
    super(code, message, options);
  }
}
