import { isTerminal } from "./state.ts";
import type { WireEvent } from "./parts.ts";

/** A rule of the artifact stream that an event broke. */
export interface ArtifactViolation {
  readonly rule: "append-unknown" | "create-known" | "after-close" | "no-parts" | "after-end" | "left-open";
  readonly artifactId: string;
  /** Index of the event in what was checked; its length for what was missing at the end. */
  readonly at: number;
}

/** Artifacts that stand for a state and may be sent anew as a whole. */
const REPLACEABLE: ReadonlySet<string> = new Set(["execution_plan_update", "execution_plan_status_update"]);

/**
 * Checks one task's stream against the rules of A2A artifacts: append=false comes first for an id
 * and only once (plan snapshots excepted), append=true only for a known one, at least one part,
 * nothing after lastChunk, everything closed when the task ends. Pure; for tests and captures.
 */
export function checkArtifactStream(events: readonly WireEvent[]): readonly ArtifactViolation[] {
  const violations: ArtifactViolation[] = [];
  const open = new Set<string>();
  const closed = new Set<string>();
  let ended = false;
  for (const [at, event] of events.entries()) {
    if (event.$case === "task") {
      for (const artifact of event.value.artifacts) closed.add(artifact.artifactId);
      continue;
    }
    if (event.$case === "statusUpdate") {
      if (isTerminal(event.value.status?.state)) ended = true;
      continue;
    }
    if (event.$case !== "artifactUpdate" || event.value.artifact === undefined) continue;
    const { artifactId, name, parts } = event.value.artifact;
    const broke = (rule: ArtifactViolation["rule"]): void => void violations.push({ rule, artifactId, at });
    if (parts.length === 0) broke("no-parts");
    if (ended) broke("after-end");
    if (closed.has(artifactId)) broke("after-close");
    else if (event.value.append && !open.has(artifactId)) broke("append-unknown");
    else if (!event.value.append && open.has(artifactId) && !REPLACEABLE.has(name)) broke("create-known");
    if (event.value.lastChunk) {
      open.delete(artifactId);
      closed.add(artifactId);
    } else if (!closed.has(artifactId)) open.add(artifactId);
  }
  for (const artifactId of open) violations.push({ rule: "left-open", artifactId, at: events.length });
  return violations;
}
