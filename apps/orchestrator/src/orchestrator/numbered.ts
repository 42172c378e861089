import type { AgentEvent } from "@troupe/stream";

/** Counts the events of one run across its turns. */
export interface Numbering {
  next: number;
}

/** The event with the run's own count: what came from several agents gets one order. */
export function numbered(event: AgentEvent, numbering: Numbering): AgentEvent {
  return { ...event, seq: numbering.next++ };
}
