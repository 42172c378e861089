import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type InputErrorCode =
  | "input.invalid"
  | "input.not-found"
  | "input.unsupported"
  | "input.too-large"
  /** The id or key is in use for something else. */
  | "input.conflict";

/** Something a person handed in that cannot be used: a file, a workflow, a setting, an argument. */
export class InputError extends TroupeError {
  declare readonly code: InputErrorCode;
  /** Each problem on its own, where there are several. */
  readonly issues: readonly string[];

  constructor(
    code: InputErrorCode,
    message: string,
    options: TroupeErrorOptions & { readonly issues?: readonly string[] } = {},
  ) {
    super(code, message, options);
    this.issues = options.issues ?? [];
  }
}
