import { createArtifactChecker, type ArtifactViolation } from "./artifact-checker.ts";
import type { WireEvent } from "./parts.ts";

export interface WatchOptions {
  /** Told of each violation before the event that it is about is passed on. Throwing ends the stream. */
  readonly onViolation: (violation: ArtifactViolation) => void;
}

/**
 * Passes one task's stream through, unchanged, and checks it on the way: at any client, proxy or
 * server. What is missing is told at the end of the stream, not when the reader leaves before it.
 */
export async function* watchArtifacts(
  events: AsyncIterable<WireEvent>,
  { onViolation }: WatchOptions,
): AsyncGenerator<WireEvent, void, undefined> {
  const checker = createArtifactChecker();
  for await (const event of events) {
    for (const violation of checker.push(event)) onViolation(violation);
    yield event;
  }
  for (const violation of checker.end()) onViolation(violation);
}
