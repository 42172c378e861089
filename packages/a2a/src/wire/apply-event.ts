import type { Artifact, Part, Task } from "@a2a-js/sdk";

import { EXT } from "./extension.ts";
import type { Metadata, WireEvent } from "./parts.ts";
import { isObject } from "./json.ts";

/**
 * A task that takes updates in place, each in O(1): adjacent text is joined, so n chunks are not
 * n parts, and nothing is copied but at `snapshot`.
 */
export interface LiveTask {
  readonly task: Task;
  apply(event: WireEvent): void;
  /** A copy that later updates do not touch; costs the number of artifacts, not of characters. */
  snapshot(): Task;
}

/** Takes over `task`: the caller keeps no other hand on it. */
export function liveTask(task: Task): LiveTask {
  const byId = new Map(task.artifacts.map((artifact) => [artifact.artifactId, artifact]));
  /** Events of our extension add up on the task: that is where those without an artifact are kept. */
  const events = eventsOf(task.metadata);
  const applyMetadata = (update: Metadata | undefined): void => {
    if (update === undefined) return;
    const { [EXT]: record, ...rest } = update;
    events.push(...eventsOf({ [EXT]: record }));
    task.metadata = { ...task.metadata, ...rest };
    if (isObject(record)) task.metadata[EXT] = { ...record, events };
  };

  const applyArtifact = (update: Artifact, append: boolean): void => {
    const known = byId.get(update.artifactId);
    if (known === undefined) {
      const artifact = { ...update, parts: [...update.parts] };
      byId.set(update.artifactId, artifact);
      task.artifacts.push(artifact);
    } else if (append) {
      for (const part of update.parts) addPart(known.parts, part);
      if (update.metadata !== undefined) known.metadata = { ...known.metadata, ...update.metadata };
    } else {
      known.name = update.name;
      known.description = update.description;
      known.parts = [...update.parts];
      known.metadata = update.metadata;
    }
  };

  return {
    task,
    apply(event) {
      if (event.$case === "artifactUpdate" && event.value.artifact !== undefined)
        applyArtifact(event.value.artifact, event.value.append);
      else if (event.$case === "statusUpdate") {
        task.status = event.value.status;
        applyMetadata(event.value.metadata);
      }
    },
    snapshot: () => copyTask(task),
  };
}

/** Shallow where values are never changed in place, deep where they are. */
export function copyTask(task: Task): Task {
  const record: unknown = task.metadata?.[EXT];
  const own = isObject(record) ? { [EXT]: { ...record, events: [...eventsOf(task.metadata)] } } : {};
  return {
    ...task,
    artifacts: task.artifacts.map((artifact) => ({ ...artifact, parts: [...artifact.parts] })),
    history: [...task.history],
    metadata: task.metadata === undefined ? undefined : { ...task.metadata, ...own },
  };
}

function eventsOf(metadata: Metadata | undefined): unknown[] {
  const record = metadata?.[EXT];
  return isObject(record) && Array.isArray(record["events"]) ? record["events"] : [];
}

function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (part.content?.$case !== "text") {
    parts.push(part);
    return;
  }
  if (part.content.value === "" && last !== undefined) return;
  if (last?.content?.$case === "text" && last.mediaType === part.mediaType && plain(last) && plain(part)) {
    const value = last.content.value + part.content.value;
    parts[parts.length - 1] = { ...last, content: { $case: "text", value } };
  } else parts.push(part);
}

function plain(part: Part): boolean {
  return part.filename === "" && part.metadata === undefined;
}
