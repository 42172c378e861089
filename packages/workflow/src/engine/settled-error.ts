import { isTroupeError } from "@troupe/core";

/** An error as a value: a failing step never ends the attempt of its siblings. */
export interface SettledError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * What a thrown value becomes in the journal. Messages of our own errors are safe to show; any
 * other is an internal one and only its kind is told.
 */
export function toSettledError(error: unknown): SettledError {
  if (isTroupeError(error)) return { code: error.code, message: error.message, retryable: error.retryable };
  const kind = error instanceof Error ? error.name : typeof error;
  return {
    code: "workflow.internal",
    message: `Something broke inside the step (${kind}); the log has the details.`,
    retryable: false,
  };
}
