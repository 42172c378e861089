import {
  InputError,
  isTroupeError,
  StoreError,
  type InputErrorCode,
  type StoreErrorCode,
} from "@troupe/core/errors";

/** An error on its way between threads and processes, where classes do not survive. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export function toWireError(error: unknown): WireError {
  if (isTroupeError(error)) return { code: error.code, message: error.message, retryable: error.retryable };
  return { code: "", message: error instanceof Error ? error.message : String(error), retryable: false };
}

export function fromWireError({ code, message, retryable }: WireError): Error {
  if (code.startsWith("input.")) return new InputError(code as InputErrorCode, message, { retryable });
  if (code.startsWith("store.")) return new StoreError(code as StoreErrorCode, message, { retryable });
  return new Error(message);
}
