import {
  toErrorInfo,
  type AgentRequest,
  type Log,
  type RunnableAgent,
  type WorkflowRunner,
} from "@troupe/core";
import { EMPTY_RESPONSE, type AgentEvent, type ErrorInfo } from "@troupe/stream";

import type { Stop } from "./stop.ts";

export interface ExecuteOptions {
  readonly agent: RunnableAgent;
  readonly request: AgentRequest;
  readonly workflows?: WorkflowRunner;
  readonly run: {
    readonly signal: AbortSignal;
    readonly stop: Stop | undefined;
    /** More was put into the sink than its readers are given time for. */
    readonly crowded: boolean;
    /** False while nobody waits for what comes first. */
    readonly followed: boolean;
  };
  /** Takes the events; the run's own finish ends it. */
  readonly sink: { push(event: AgentEvent): void; ended(): boolean };
  readonly log: Log;
  /** Gives the sockets a turn, so that what was published leaves before a burst goes on. */
  readonly yieldToLoop: () => Promise<void>;
}

/** Events after which the sockets get a turn: the first ones are those a person waits for. */
const FLUSHED_EVENTS = 3;
/** So many events of a burst come in one turn of the loop; then other tasks get theirs. */
const EVENTS_A_TURN = 64;

/**
 * Runs the agent into the sink. It ends in a finish, whatever the agent does: none at all, an
 * error (of which a client sees a code and a safe sentence), or events after the finish.
 */
export async function execute(options: ExecuteOptions): Promise<void> {
  const { agent, request, run, sink, log, workflows } = options;
  let seq = 0;
  let count = 0;
  const end = (outcome: "failed" | "canceled", error?: ErrorInfo): void =>
    sink.push(endOf({ runId: request.runId, agent: agent.profile.name, seq }, outcome, error));
  try {
    for await (const event of agent.run(request, {
      signal: run.signal,
      ...(workflows === undefined ? {} : { workflows }),
    })) {
      if (event.stepId === undefined) seq = event.seq + 1;
      sink.push(asStopped(event, run.stop));
      if (sink.ended()) return;
      // A text-start sends nothing: its first word, which may be here already, goes out with it.
      if (event.type === "text-start") continue;
      count++;
      const waitedFor = count <= FLUSHED_EVENTS && run.followed;
      if (waitedFor || count % EVENTS_A_TURN === 0 || run.crowded) await options.yieldToLoop();
    }
    if (run.stop !== undefined) end(run.stop.outcome, run.stop.error);
    else {
      log.error("agent ended without a finish", { runId: request.runId });
      end("failed", { code: "agent.no-finish", message: "The agent ended without a result." });
    }
  } catch (error) {
    if (sink.ended()) return;
    if (run.stop !== undefined) end(run.stop.outcome, run.stop.error);
    else {
      log.error("agent failed", { runId: request.runId, error });
      end("failed", toErrorInfo(error));
    }
  }
}

/** A finish for a run that cannot say it itself. */
export function endOf(
  at: { readonly runId: string; readonly agent: string; readonly seq: number },
  outcome: "failed" | "canceled",
  error?: ErrorInfo,
): AgentEvent {
  return {
    v: 1,
    ...at,
    attempt: 1,
    type: "finish",
    outcome,
    response: EMPTY_RESPONSE,
    answerItems: [],
    ...(error === undefined ? {} : { error }),
  };
}

/** However an agent reports that it was stopped, the task ends as whoever stopped it meant. */
function asStopped(event: AgentEvent, stop: Stop | undefined): AgentEvent {
  if (stop === undefined || event.type !== "finish" || event.stepId !== undefined) return event;
  if (event.outcome !== "failed" && event.outcome !== "canceled") return event;
  const { error: _, ...rest } = event;
  return { ...rest, outcome: stop.outcome, ...(stop.error === undefined ? {} : { error: stop.error }) };
}
