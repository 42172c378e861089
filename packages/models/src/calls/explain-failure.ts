import { clip, isTroupeError, ModelError, type ModelErrorCode } from "@troupe/core";
import { retryAfterMs } from "@troupe/core/resilience";

import { withoutCredentials, withoutSecrets } from "./secrets.ts";

/** Characters of a provider's message that are read and shown. */
const MAX_READ = 100_000;
const MAX_SAID = 2_000;

/** Who was called, for messages. */
export interface Endpoint {
  /** Name for people, such as `Anthropic`. */
  readonly provider: string;
  readonly model: string;
  readonly address: string;
  /** Never shown; scrubbed from what the provider says. */
  readonly secret: string | undefined;
  /** Setting that holds the key, such as `ANTHROPIC_API_KEY`. */
  readonly keySetting: string;
}

/** What both SDKs' `APIError` have in common. */
interface ApiFailure {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly error?: unknown;
  readonly message: string;
  readonly cause?: unknown;
  readonly requestID?: string | null | undefined;
}

/** Turns what an SDK threw into a `ModelError`. `opened` tells whether the stream had begun. */
export function explainFailure(error: unknown, endpoint: Endpoint, opened: boolean, now: number): ModelError {
  if (isTroupeError(error) && error.code.startsWith("model.")) return error as ModelError;
  const failure = asFailure(error);
  const type = errorType(failure.error);
  const text = withoutSecrets(withoutBinary(providerText(failure)), endpoint.secret).replace(/[\s:]+$/, "");
  const detail = text === "" ? "" : `: ${text}`;
  if (failure.status !== undefined)
    return explainStatus(failure.status, failure, type, detail, endpoint, now);
  if (type !== undefined) return explainStatus(statusOf(type), failure, type, detail, endpoint, now);
  if (opened) {
    return new ModelError(
      "model.stream-broken",
      `${endpoint.provider} (${endpoint.model}) broke off in the middle of its answer. What arrived is kept; try again.`,
      { retryable: true, cause: error },
    );
  }
  return new ModelError(
    "model.unreachable",
    `${endpoint.provider} cannot be reached at ${withoutCredentials(endpoint.address)} (${networkReason(failure)}). Check the address and the network, and that the server runs.`,
    { retryable: true, cause: error },
  );
}

function explainStatus(
  status: number,
  failure: ApiFailure,
  type: string | undefined,
  /** The message of the provider after `: `; empty if there is none. */
  detail: string,
  endpoint: Endpoint,
  now: number,
): ModelError {
  const who = `${endpoint.provider} (${endpoint.model})`;
  const request = failure.requestID ? `, request ${failure.requestID}` : "";
  const tail = `HTTP ${status}${request}`;
  const make = (code: ModelErrorCode, message: string, retryable: boolean): ModelError => {
    const after = retryAfterMs(failure.headers, now);
    return new ModelError(code, message, {
      retryable,
      ...(after === undefined ? {} : { retryAfterMs: after }),
    });
  };
  if (status === 401 || status === 403) {
    return make(
      "model.auth",
      `${endpoint.provider} does not accept the key (${tail}). Check ${endpoint.keySetting}: it may be wrong, expired or without access to "${endpoint.model}".`,
      false,
    );
  }
  if (status === 429) {
    const spent = type === "insufficient_quota" || /quota|billing|credit/i.test(detail);
    return make(
      "model.rate-limited",
      spent
        ? `${who} says the account has nothing left to spend (${tail})${detail}`
        : `${who} asks to slow down (${tail}). Wait and try again, or run fewer steps in parallel.`,
      !spent,
    );
  }
  if (status === 408 || status === 409 || status >= 500) {
    return make("model.overloaded", `${who} cannot answer right now (${tail})${detail}. Try again.`, true);
  }
  if (status === 404) {
    return make(
      "model.invalid-request",
      `${endpoint.provider} knows no model "${endpoint.model}" at ${withoutCredentials(endpoint.address)} (${tail})${detail}. Check the model name and the base URL.`,
      false,
    );
  }
  return make("model.invalid-request", `${who} refused the request (${tail})${detail}`, false);
}

/** Errors inside a stream carry a type instead of a status. */
function statusOf(type: string): number {
  switch (type) {
    case "authentication_error":
    case "permission_error":
      return 401;
    case "invalid_request_error":
      return 400;
    case "not_found_error":
      return 404;
    case "rate_limit_error":
    case "insufficient_quota":
      return 429;
    case "overloaded_error":
      return 529;
    default:
      return 500;
  }
}

/** Some servers quote the refused request with its images; their messages appear in logs and answers. */
function withoutBinary(text: string): string {
  return clip(text.slice(0, MAX_READ).replace(/[A-Za-z0-9+/]{100,}={0,2}/g, "..."), MAX_SAID);
}

/** The provider's own sentence: `error.message`, one level deeper at Anthropic. */
function providerText(failure: ApiFailure): string {
  const body = record(failure.error);
  const inner = record(body?.["error"]) ?? body;
  const message = inner?.["message"];
  return typeof message === "string" && message.trim() !== "" ? message : failure.message;
}

function errorType(body: unknown): string | undefined {
  const outer = record(body);
  const inner = record(outer?.["error"]) ?? outer;
  const code = inner?.["code"] === "insufficient_quota" ? "insufficient_quota" : inner?.["type"];
  return typeof code === "string" ? code : undefined;
}

function networkReason(failure: ApiFailure): string {
  let last: unknown = failure;
  for (let depth = 0; depth < 5; depth++) {
    const code = record(last)?.["code"];
    if (typeof code === "string") return code;
    const cause = record(last)?.["cause"];
    if (cause === undefined) break;
    last = cause;
  }
  return failure.message;
}

function asFailure(error: unknown): ApiFailure {
  return error instanceof Error ? error : { message: String(error) };
}

function record(value: unknown): { readonly [key: string]: unknown } | undefined {
  return typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : undefined;
}
