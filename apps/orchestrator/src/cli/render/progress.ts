import type { AgentEvent } from "@troupe/stream";

/** Shows a run while it goes on. Everything it writes is progress, never the answer. */
export interface Progress {
  event(event: AgentEvent): void;
  /** Leaves the screen as it should stay. */
  end(): void;
}
