/** How a request to a server went wrong, below the level of tools. */
export type FailureKind =
  /** No connection came about: the request never left. */
  | "unreachable"
  /** Nobody answered the attempt to connect in time. */
  | "no-answer"
  /** The connection broke after the request left: it may have run. */
  | "lost"
  /** No answer in time: it may have run. */
  | "timeout"
  /** HTTP 5xx: it may have run. */
  | "server-error"
  /** The server has forgotten the session, so it did not run. */
  | "session-lost"
  /** HTTP 429: it did not run, and may a little later. */
  | "busy"
  /** Any other HTTP 4xx. */
  | "refused"
  /** An answer that says no, or is none. */
  | "rejected"
  /** More bytes than we take. */
  | "too-large"
  /** The command of a child server does not exist. */
  | "not-startable"
  /** A child server ended before the handshake was over. */
  | "exited";

interface Policy {
  /** Whether the server's health is in doubt: only such failures open the breaker. */
  readonly counts: boolean;
  readonly repeat: "always" | "if-idempotent" | "never";
}

export const POLICY: { readonly [K in FailureKind]: Policy } = {
  unreachable: { counts: true, repeat: "always" },
  // A server that hangs is not helped by more of the same, and the time is used up.
  "no-answer": { counts: true, repeat: "never" },
  lost: { counts: true, repeat: "if-idempotent" },
  timeout: { counts: true, repeat: "never" },
  "server-error": { counts: true, repeat: "if-idempotent" },
  "session-lost": { counts: false, repeat: "always" },
  busy: { counts: false, repeat: "always" },
  refused: { counts: false, repeat: "never" },
  rejected: { counts: false, repeat: "never" },
  "too-large": { counts: false, repeat: "never" },
  "not-startable": { counts: false, repeat: "never" },
  // What stops a server from starting, such as a damaged file, lasts longer than our pauses.
  exited: { counts: true, repeat: "never" },
};

/**
 * The one error between the wire and the retry policy; it never leaves this package.
 * `detail` is short and for a message, `status` the HTTP status where there was one.
 */
export class LinkFailure extends Error {
  readonly kind: FailureKind;
  readonly detail: string;
  readonly status: number | undefined;

  constructor(
    kind: FailureKind,
    detail: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(`${kind}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LinkFailure";
    this.kind = kind;
    this.detail = detail;
    this.status = options.status;
  }
}
