import { AgentError } from "@troupe/core";

/** A deadline of this client's own, as opposed to one of whoever calls: it says something about the agent. */
export class CallTimeout extends AgentError {
  /** What goes on `for` so long has begun; what comes not `within` it has not. */
  constructor(where: string, what: string, ms: number, how: "within" | "for" = "within") {
    super("agent.timeout", `${where} ${what} ${how} ${ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`}.`, {
      retryable: true,
    });
  }
}
