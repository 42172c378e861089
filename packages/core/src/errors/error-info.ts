import type { ErrorInfo } from "@troupe/stream";

import { isTroupeError } from "./troupe-error.ts";

/** What a client may see of any error: a code and a sentence, never an internal message. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (isTroupeError(error)) return { code: error.code, message: error.message };
  return {
    code: "agent.internal",
    message: "Something went wrong inside the agent. Its log has the details.",
  };
}
