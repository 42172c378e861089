import { TroupeError, type TroupeErrorOptions } from "./troupe-error.ts";

export type AgentErrorCode =
  | "agent.unknown"
  | "agent.unreachable"
  | "agent.protocol"
  | "agent.task-lost"
  | "agent.timeout"
  | "agent.busy"
  | "agent.config"
  /** It asks who calls, and was not told or does not know them. */
  | "agent.unauthenticated"
  /** Whoever calls may not use it. */
  | "agent.forbidden"
  | "agent.limit"
  /** What it may use in tokens or dollars is used up. */
  | "agent.budget"
  | "agent.canceled";

/** An agent that cannot be found, reached or understood. */
export class AgentError extends TroupeError {
  declare readonly code: AgentErrorCode;
  /** How long it asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: AgentErrorCode,
    message: string,
    options: TroupeErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}
