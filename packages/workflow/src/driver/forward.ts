import type { EventLog } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";

/** Attempts an agent may make of its own within one attempt of the step. */
const OWN_ATTEMPTS = 100;

/**
 * The `attempt` an event of a step carries: it counts the step's attempts and, within each, the
 * agent's own, so that a later one is always greater. The first of a step is 1.
 */
export function eventAttempt(stepAttempt: number, agentAttempt = 1): number {
  return (stepAttempt - 1) * OWN_ATTEMPTS + Math.min(agentAttempt, OWN_ATTEMPTS);
}

export interface ForwardOptions {
  readonly eventLog: EventLog;
  readonly runId: string;
  readonly stepId: string;
  /** Of the step, from 1. */
  readonly attempt: number;
  /** Replies a person gave in this attempt so far. */
  readonly replies: number;
}

export interface Forwarder {
  readonly onEvent: (event: AgentEvent) => void;
  /** The items that made the agent's answer, as the run names them: `stepId/attempt/id`. */
  readonly answerItems: () => readonly string[];
}

/**
 * Puts an agent's events into the run's log under (step, attempt, seq), so joining a task again
 * after a crash adds nothing twice. What the agent asks is left out: the run asks it itself, under
 * a request id of its own.
 */
export function forwarder(options: ForwardOptions): Forwarder {
  const { eventLog, runId, stepId, replies } = options;
  const turn = replies === 0 ? String(options.attempt) : `${options.attempt}.${replies}`;
  const attempts = new Map<string, number>();
  let answerItems: readonly string[] = [];
  return {
    answerItems: () => answerItems,
    onEvent(event) {
      if (event.type === "input-required") return;
      const attempt = eventAttempt(options.attempt, event.attempt);
      const own = event.stepId === undefined;
      const forwarded: AgentEvent = {
        ...(replies === 0 ? event : rename(event, `${replies}.`)),
        runId,
        attempt,
        stepId: own ? stepId : `${stepId}/${event.stepId}`,
      };
      if (own && forwarded.type === "text-start") attempts.set(forwarded.itemId, attempt);
      if (own && forwarded.type === "finish")
        answerItems = forwarded.answerItems.map((id) => `${stepId}/${attempts.get(id) ?? attempt}/${id}`);
      const nested = own ? "" : `${event.stepId}/${event.attempt}/`;
      eventLog.append(runId, `${stepId}/${turn}/${nested}${event.seq}`, forwarded);
    },
  };
}

/** The turn after a reply counts its items anew; theirs must not be taken for those before. */
function rename(event: AgentEvent, prefix: string): AgentEvent {
  switch (event.type) {
    case "text-start":
    case "text-delta":
    case "text-role":
    case "text-end":
      return { ...event, itemId: prefix + event.itemId };
    case "tool-start":
    case "tool-end":
      return { ...event, callId: prefix + event.callId };
    case "attempt-start":
      return event.items ? { ...event, items: event.items.map((id) => prefix + id) } : event;
    case "finish":
      return { ...event, answerItems: event.answerItems.map((id) => prefix + id) };
    default:
      return event;
  }
}
