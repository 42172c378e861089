import { TaskState } from "@a2a-js/sdk";

import { isSettledState, type SeenArtifact, type SeenEvent } from "../capture/read-event.ts";
import { checkArtifactStream, type ArtifactViolation } from "../wire/check-artifact-stream.ts";
import { artifactOf, textPart, type WireEvent } from "../wire/parts.ts";

/** Gathers what the rules of artifacts look at, and none of the text. */
export function createArtifactCheck(): {
  push(event: SeenEvent): void;
  violations(): readonly ArtifactViolation[];
} {
  const events: WireEvent[] = [];
  return {
    push(event) {
      const reduced = bare(event);
      if (reduced !== undefined) events.push(reduced);
    },
    violations: () => checkArtifactStream(events),
  };
}

function bare(event: SeenEvent): WireEvent | undefined {
  const ids = { taskId: "", contextId: "", metadata: undefined };
  if (event.kind === "artifact")
    return {
      $case: "artifactUpdate",
      value: {
        ...ids,
        artifact: bareArtifact(event.artifact),
        append: event.append,
        lastChunk: event.lastChunk,
      },
    };
  if (event.kind === "status")
    return { $case: "statusUpdate", value: { ...ids, status: statusOf(isTerminal(event)) } };
  if (event.kind === "task")
    return {
      $case: "task",
      value: {
        id: "",
        contextId: "",
        status: statusOf(isTerminal(event)),
        artifacts: event.artifacts.map(bareArtifact),
        history: [],
        metadata: undefined,
      },
    };
  return undefined;
}

function bareArtifact({ artifactId, name, parts }: SeenArtifact): ReturnType<typeof artifactOf> {
  return artifactOf(artifactId, name, parts === 0 ? [] : [EMPTY]);
}

const EMPTY = textPart("");

function isTerminal({ state }: Extract<SeenEvent, { kind: "task" | "status" }>): boolean {
  return isSettledState(state) && state !== "input-required" && state !== "auth-required";
}

function statusOf(terminal: boolean) {
  const state = terminal ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING;
  return { state, message: undefined, timestamp: undefined };
}
