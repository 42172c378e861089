import type { EventLog } from "@troupe/core";
import {
  addUsage,
  NO_USAGE,
  type AgentEvent,
  type AgentEventBody,
  type Clock,
  type Usage,
} from "@troupe/stream";

import { UntoldText, type ToldText } from "./told-text.ts";
import { MAX_RESULT_CHARS, Pace, TellCount, type TellLimits } from "../limits/tell-limits.ts";

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
  /** What the log has of this run from before: an agent that is joined again tells it once more. */
  readonly told: () => ToldText;
  readonly clock: Clock;
  readonly limits: TellLimits;
  readonly runId: string;
  readonly stepId: string;
  /** Of the step, from 1. */
  readonly attempt: number;
  /** Replies a person gave in this attempt so far. */
  readonly replies: number;
}

export interface Forwarder {
  /** Returns a promise where whoever reads the agent is to wait before it reads on. */
  readonly onEvent: (event: AgentEvent) => void | Promise<void>;
  /** The items that made the agent's answer, as the run names them: `stepId/attempt/id`. */
  readonly answerItems: () => readonly string[];
  /** What the agent told it used, steps of its own included. */
  readonly usage: () => Usage;
}

/**
 * Puts an agent's events into the run's log under (step, attempt, seq), so joining a task again
 * after a crash adds nothing twice; of text, which is told again in other pieces, what is new. What the agent asks is left out: the run asks it itself, under
 * a request id of its own. An agent that tells without an end fills neither memory nor log: beyond
 * its limits all but its end is left out, and a note says so.
 */
export function forwarder(options: ForwardOptions): Forwarder {
  const { eventLog, runId, stepId, replies } = options;
  const turn = replies === 0 ? String(options.attempt) : `${options.attempt}.${replies}`;
  // The run tells the states of a step "1" under `status/1/...`, where a step of that name would tell its first attempt.
  const place = stepId === "status" ? "status." : stepId;
  const attempts = new Map<string, number>();
  const count = new TellCount(options.limits);
  const untold = new UntoldText(options.told);
  const pace = new Pace();
  let whole = true;
  let answerItems: readonly string[] = [];
  let usage = NO_USAGE;

  const tell = (event: AgentEvent, key: string): void => {
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
    const delta = forwarded.type === "text-delta" ? untold.of(forwarded) : "";
    if (delta === undefined) return;
    const fresh = forwarded.type === "text-delta" ? { ...forwarded, delta } : forwarded;
    eventLog.append(runId, `${place}/${turn}/${key}`, fresh);
  };
  const note = (event: AgentEvent): void => {
    whole = false;
    const { stepId: _, ...at } = event;
    notShown(event.agent).forEach((body, n) => tell({ ...at, ...body }, `not-shown/${n}`));
  };

  return {
    answerItems: () => answerItems,
    usage: () => usage,
    onEvent(event) {
      if (event.type === "input-required") return undefined;
      if (event.type === "usage") usage = addUsage(usage, event.usage);
      const chars = JSON.stringify(event).length;
      const room = count.add(chars);
      if (room === "last") note(event);
      const ends = event.type === "finish" && event.stepId === undefined && chars <= MAX_RESULT_CHARS;
      const nested = event.stepId === undefined ? "" : `${event.stepId}/${event.attempt}/`;
      const key = `${nested}${event.seq}`;
      // Of an answer that was not told to its end no item holds the text.
      if (ends && !whole) tell({ ...event, answerItems: [] }, key);
      else if (ends || room === "fits") tell(event, key);
      if (pace.add(chars) === "on") return undefined;
      if (eventLog.kept) return eventLog.kept();
      // An agent of this process would leave nobody else a turn, however little of it is kept.
      return options.clock.sleep(0).then(() => eventLog.drained?.(runId));
    },
  };
}

/** In the place of what is left out: it has the number of the first event that is. */
function notShown(agent: string): readonly AgentEventBody[] {
  const itemId = "not-shown";
  const delta = `What ${agent} did further is not shown: it told more than is kept of a step.`;
  return [
    { type: "text-start", itemId, role: "open" },
    { type: "text-delta", itemId, delta },
    { type: "text-role", itemId, role: "narration" },
    { type: "text-end", itemId },
  ];
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
    case "plan-update":
    case "step-status":
    case "artifact":
    case "citation":
    case "usage":
    case "input-required":
      return event;
    default:
      // An agent of a newer version may send others: they go on as they are.
      event satisfies never;
      return event;
  }
}
