import { A2AError } from "@a2a-js/sdk/errors";
import { AgentError, isTroupeError } from "@troupe/core";

import { CallFailure } from "./call-failure.ts";
import { CallTimeout } from "./call-timeout.ts";

/** What went wrong with a call, as an AgentError; an abort by the caller stays the caller's reason. */
export function toAgentError(error: unknown, where: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (isTroupeError(error)) return error;
  if (error instanceof CallFailure) return ofFailure(error, where);
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
  const unpacking = unpackingError(error);
  if (unpacking !== undefined)
    return new AgentError(
      "agent.protocol",
      `${where} sent an answer that cannot be unpacked: ${briefly(unpacking)}.`,
      { cause: error },
    );
  if (isConnectionError(error))
    return new AgentError("agent.unreachable", `${where} cannot be reached. Is it running?`, {
      cause: error,
      retryable: true,
    });
  return new AgentError("agent.protocol", `${where} gave an answer that is not A2A: ${briefly(error)}`, {
    cause: error,
  });
}

function ofFailure(failure: CallFailure, where: string): AgentError {
  const { kind, retryAfterMs } = failure;
  const options = { cause: failure, retryable: true, retryAfterMs };
  if (kind === "gateway")
    return new AgentError("agent.unreachable", `${where} cannot be reached: ${briefly(failure)}.`, options);
  const wait = Math.ceil((retryAfterMs ?? 0) / 1_000);
  const again = wait > 0 ? ` Try again in ${wait} s.` : " Try again a little later.";
  if (kind === "busy")
    return new AgentError(
      "agent.busy",
      `${where} takes no more just now: ${briefly(failure)}.${again}`,
      options,
    );
  return new AgentError(
    "agent.unreachable",
    `${where} failed several calls in a row and is left alone for a moment.${again}`,
    options,
  );
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
  if (unpackingError(error) !== undefined) return false;
  const code = codeOf(error) ?? codeOf(error.cause);
  if (code !== undefined && /^(E[A-Z_]+|UND_ERR_[A-Z_]+)$/.test(code)) return true;
  return error instanceof TypeError && /fetch|network|terminated|load failed|aborted/i.test(error.message);
}

/** Over Node the cause is zlib's. A browser does not tell it from a connection that broke. */
function unpackingError(error: unknown): Error | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && /^(Z_|ERR__)/.test(codeOf(cause) ?? "") ? cause : undefined;
}

/** The agent is away or in trouble, as opposed to unwilling: it may be back in a moment. */
export function isAway(error: unknown): boolean {
  return error instanceof CallFailure || error instanceof CallTimeout || isConnectionError(error);
}

/** The SDK's clients read no event of more than 4 MiB, and let nobody choose. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /^SSE \w+( \w+)? exceeded the maximum allowed size/.test(error.message);
}

const NOT_SENT = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|UND_ERR_CONNECT_TIMEOUT)$/;

/** No connection came about, so the request did not run. A browser does not tell. */
export function neverArrived(error: unknown): boolean {
  const found = [error, error instanceof Error ? error.cause : undefined].find(
    (one) => codeOf(one) !== undefined,
  );
  const code = codeOf(found) ?? "";
  // One that stood may time out as well.
  return NOT_SENT.test(code) || (code === "ETIMEDOUT" && isConnecting(found));
}

function isConnecting(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "connect";
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function briefly(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  return message.length > 300 ? `${message.slice(0, 300).toWellFormed()}…` : message;
}
