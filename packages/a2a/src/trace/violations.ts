import { TaskState } from "@a2a-js/sdk";

import type { SeenArtifact, SeenEvent, SeenState } from "../capture/read-event.ts";
import { createArtifactChecker, type ArtifactViolation } from "../wire/artifact-checker.ts";
import { artifactOf, textPart, type WireEvent } from "../wire/parts.ts";

/** Checks what was captured against the rules of artifacts; `at` is the index of the captured event. */
export function createArtifactCheck(): {
  push(event: SeenEvent, at: number): void;
  /** What was wrong so far, and what is missing if nothing more comes. */
  violations(at: number): readonly ArtifactViolation[];
} {
  const checker = createArtifactChecker();
  const found: ArtifactViolation[] = [];
  return {
    push(event, at) {
      const wire = withoutContent(event);
      if (wire !== undefined) for (const violation of checker.push(wire)) found.push({ ...violation, at });
    },
    violations: (at) => [...found, ...checker.end().map((violation) => ({ ...violation, at }))],
  };
}

/** The event as the checker takes it. It looks at ids, flags and states only. */
function withoutContent(event: SeenEvent): WireEvent | undefined {
  const ids = { taskId: "", contextId: "" };
  switch (event.kind) {
    case "artifact": {
      const { append, lastChunk } = event;
      const artifact = bare(event.artifact);
      return { $case: "artifactUpdate", value: { ...ids, artifact, append, lastChunk, metadata: undefined } };
    }
    case "status": {
      const { metadata } = event;
      return { $case: "statusUpdate", value: { ...ids, status: statusOf(event.state), metadata } };
    }
    case "task": {
      const { metadata } = event;
      const artifacts = event.artifacts.map(bare);
      const status = statusOf(event.state);
      return { $case: "task", value: { id: "", contextId: "", status, artifacts, history: [], metadata } };
    }
    default:
      return undefined;
  }
}

function bare({ artifactId, name, parts, metadata }: SeenArtifact): ReturnType<typeof artifactOf> {
  return artifactOf(artifactId, name, parts === 0 ? [] : [textPart("")], metadata);
}

function statusOf(state: SeenState) {
  return { state: STATES[state], message: undefined, timestamp: undefined };
}

const STATES: { readonly [state in SeenState]: TaskState } = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  rejected: TaskState.TASK_STATE_REJECTED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
  "auth-required": TaskState.TASK_STATE_AUTH_REQUIRED,
  unknown: TaskState.TASK_STATE_UNSPECIFIED,
};
