import { A2AError } from "@a2a-js/sdk/errors";
import { AgentError, isTroupeError } from "@troupe/core";

/** What went wrong with a call, as an AgentError; an abort by the caller stays the caller's reason. */
export function toAgentError(error: unknown, where: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (isTroupeError(error)) return error;
  const known = protocolError(error);
  if (known?.name.includes("TaskNotFound") === true)
    return new AgentError("agent.task-lost", `${where} does not know the task (any more).`, {
      cause: error,
      retryable: true,
    });
  if (known !== undefined)
    return new AgentError("agent.protocol", `${where} refused the call: ${briefly(known)}`, {
      cause: error,
    });
  if (isConnectionError(error))
    return new AgentError("agent.unreachable", `${where} cannot be reached. Is it running?`, {
      cause: error,
      retryable: true,
    });
  return new AgentError("agent.protocol", `${where} gave an answer that is not A2A: ${briefly(error)}`, {
    cause: error,
  });
}

/** What the protocol itself says went wrong. The SDK wraps it when it arrives inside a stream. */
export function protocolError(error: unknown): A2AError | undefined {
  if (error instanceof A2AError) return error;
  return error instanceof Error && error.cause instanceof A2AError ? error.cause : undefined;
}

/**
 * The connection failed or broke, as opposed to an answer that is wrong. fetch throws a TypeError
 * for it everywhere, but so does a mistake in a program: the words and the cause tell them apart.
 */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError") return true;
  const code = codeOf(error) ?? codeOf(error.cause);
  if (code !== undefined && /^(E[A-Z_]+|UND_ERR_[A-Z_]+)$/.test(code)) return true;
  if (error instanceof TypeError && /fetch|network|terminated|load failed|aborted/i.test(error.message))
    return true;
  return /\b50[234]\b/.test(error.message) && error.message.startsWith("HTTP error");
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function briefly(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.length > 300 ? `${message.slice(0, 300).toWellFormed()}…` : message;
}
