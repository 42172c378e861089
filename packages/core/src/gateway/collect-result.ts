import {
  addUsage,
  NO_USAGE,
  type AgentEvent,
  type ArtifactRef,
  type InputRequest,
  type Usage,
} from "@troupe/stream";

import type { AgentResult } from "../ports/agent.ts";

/** Folds the events of one agent's run into its result. */
export interface ResultCollector {
  add(event: AgentEvent): void;
  /** Undefined until the run's own `finish` has been seen. */
  result(): AgentResult | undefined;
}

/** Steps inside the run (events with a `stepId`) count for usage and files, not for the answer. */
export function collectResult(agent: string): ResultCollector {
  let usage: Usage = NO_USAGE;
  let request: InputRequest | undefined;
  let result: AgentResult | undefined;
  const artifacts = new Map<string, ArtifactRef>();
  return {
    add(event) {
      if (event.type === "usage") usage = addUsage(usage, event.usage);
      if (event.type === "artifact") artifacts.set(event.artifact.id, event.artifact);
      if (event.stepId !== undefined) return;
      if (event.type === "input-required") request = event.request;
      if (event.type !== "finish") return;
      result = {
        agent,
        outcome: event.outcome,
        answer: event.response.content,
        data: event.response.data,
        citations: event.response.citations,
        artifacts: [...artifacts.values()],
        usage,
        ...(event.error === undefined ? {} : { error: event.error }),
        ...(event.outcome === "input-required" && request !== undefined ? { request } : {}),
      };
    },
    result: () => result,
  };
}
