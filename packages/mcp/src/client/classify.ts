import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

import { LinkFailure, type FailureKind } from "./failure.ts";

/** Where a synthetic error answer says what happened to the stream it stands in for. */
export const FAILURE_KEY = "troupe/failure";

/** Before these a request cannot have left this machine. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
]);

/** What went wrong, from whatever the SDK or `fetch` threw. */
export function toFailure(error: unknown): LinkFailure {
  if (error instanceof LinkFailure) return error;
  if (error instanceof McpError) return fromProtocol(error);
  const code = errorCode(error);
  if (code === "ENOENT" || code === "EACCES") return new LinkFailure("not-startable", code, { cause: error });
  if (code !== undefined && NEVER_CONNECTED.has(code)) {
    return new LinkFailure("unreachable", code, { cause: error });
  }
  if (error instanceof Error && error.message === "Not connected") {
    return new LinkFailure("unreachable", "the connection is closed", { cause: error });
  }
  if (code !== undefined || isBroken(error)) {
    return new LinkFailure("lost", code ?? "the connection broke", { cause: error });
  }
  return new LinkFailure("rejected", "the answer is not MCP", { cause: error });
}

/** HTTP status of a refused POST; `hadSession` is whether it named a session. */
export function fromStatus(status: number, body: string, hadSession: boolean): LinkFailure {
  const options = { status };
  const detail = `HTTP ${status}`;
  if (status === 404 && hadSession) return new LinkFailure("session-lost", detail, options);
  if (status === 400 && /session|not initialized/i.test(body)) {
    return new LinkFailure("session-lost", detail, options);
  }
  if (status === 429) return new LinkFailure("busy", detail, options);
  if (status >= 500) return new LinkFailure("server-error", detail, options);
  return new LinkFailure("refused", detail, options);
}

function fromProtocol(error: McpError): LinkFailure {
  const data: unknown = error.data;
  if (typeof data === "object" && data !== null && FAILURE_KEY in data) {
    const kind: FailureKind = data[FAILURE_KEY] === "too-large" ? "too-large" : "lost";
    return new LinkFailure(kind, kind === "lost" ? "the connection broke" : "the answer is too large", {
      cause: error,
    });
  }
  if (error.code === (ErrorCode.ConnectionClosed as number) && error.message.endsWith("Connection closed")) {
    return new LinkFailure("lost", "the connection closed", { cause: error });
  }
  return new LinkFailure("rejected", error.message.replace(/^(MCP error -?\d+: )+/, "").slice(0, 500), {
    cause: error,
  });
}

/** `fetch` and its streams say so in these words, without a code. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || /^(fetch failed|terminated)$/.test(error.message);
}

/** The system's code of a network error; `fetch` wraps it, sometimes in an AggregateError. */
function errorCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && typeof current === "object" && current !== null; depth++) {
    if ("code" in current && typeof current.code === "string") return current.code;
    if (current instanceof AggregateError) current = current.errors[0] as unknown;
    else current = "cause" in current ? current.cause : undefined;
  }
  return undefined;
}
