import { AgentError } from "@troupe/core";

/** A deadline of this client's own, as opposed to one of whoever calls: it says something about the agent. */
export class CallTimeout extends AgentError {
  constructor(where: string, what: string, ms: number) {
    super("agent.timeout", `${where} ${what} within ${ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`}.`, {
      retryable: true,
    });
  }
}
