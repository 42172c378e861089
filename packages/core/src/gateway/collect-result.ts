import {
  addUsage,
  NO_USAGE,
  type AgentEvent,
  type ArtifactRef,
  type InputRequest,
  type Usage,
} from "@troupe/stream";

import { AgentError } from "../errors/agent-error.ts";
import type { AgentResult } from "../ports/agent.ts";

/** Folds the events of one agent's run into its result. `add` throws an `AgentError` when it names too many files. */
export interface ResultCollector {
  add(event: AgentEvent): void;
  /** Undefined until the run's own `finish` has been seen. */
  result(): AgentResult | undefined;
}

/** An agent may name files without an end. */
const MAX_FILES = 1_000;

function tooMany(agent: string): AgentError {
  const most = MAX_FILES.toLocaleString("en-US");
  return new AgentError("agent.protocol", `Agent "${agent}" named more than ${most} files in one run.`);
}

/** A file that one step hands on to the next is one. */
function differing(files: readonly ArtifactRef[]): readonly ArtifactRef[] {
  return [...new Map(files.map((file) => [JSON.stringify([file.id, file.sha256]), file])).values()];
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
      if (event.type === "artifact") {
        // An id is one step's own: it may make a file anew under it, another step does not.
        const file = JSON.stringify([event.stepId ?? "", event.artifact.id]);
        if (artifacts.size >= MAX_FILES && !artifacts.has(file)) throw tooMany(agent);
        artifacts.set(file, event.artifact);
      }
      if (event.stepId !== undefined) return;
      if (event.type === "input-required") request = event.request;
      if (event.type !== "finish") return;
      result = {
        agent,
        outcome: event.outcome,
        answer: event.response.content,
        data: event.response.data,
        citations: event.response.citations,
        artifacts: differing([...artifacts.values()]),
        usage,
        ...(event.error === undefined ? {} : { error: event.error }),
        ...(event.response.checks === undefined ? {} : { checks: event.response.checks }),
        ...(event.outcome === "input-required" && request !== undefined ? { request } : {}),
      };
    },
    result: () => result,
  };
}
