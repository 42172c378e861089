import { isTroupeError, StoreError } from "@troupe/core";

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

/** What a client may see of a put that failed: the folder stands in the cause, for the log. */
export function putError(error: unknown, name: string): Error {
  if (isTroupeError(error)) return error;
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new StoreError(
      "store.full",
      `"${name}" could not be saved: the disk is full. Free some space and run again.`,
      { cause: error, retryable: true },
    );
  return new StoreError(
    "store.io",
    `"${name}" could not be saved${code === undefined ? "" : ` (${code})`}.`,
    { cause: error },
  );
}

export function damaged(name: string, cause?: unknown): StoreError {
  return new StoreError(
    "store.corrupt",
    `The stored file "${name}" is damaged, so it is not given out. Make it again.`,
    { cause },
  );
}
