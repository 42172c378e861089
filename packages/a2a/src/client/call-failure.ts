/** Why a request brought no answer of the protocol. */
export type CallFailureKind =
  /** HTTP 429 or 503: it did not run, and may a little later. */
  | "busy"
  /** HTTP 502 or 504, from something between: it may have run. */
  | "gateway"
  /** It was not sent: the agent has failed too often just now. */
  | "resting";

/** Between the request and the policy about it; it never leaves the client. */
export class CallFailure extends Error {
  readonly kind: CallFailureKind;
  /** Milliseconds until another attempt is welcome, where that is known. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: CallFailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.name = "CallFailure";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
