import { createArtifactChecker, type ArtifactViolation } from "./artifact-checker.ts";
import type { WireEvent } from "./parts.ts";

/** Checks one task's whole stream against the rules of artifacts. Pure; for tests and captures. */
export function checkArtifactStream(events: readonly WireEvent[]): readonly ArtifactViolation[] {
  const checker = createArtifactChecker();
  const violations = events.flatMap((event) => checker.push(event));
  return [...violations, ...checker.end()];
}
