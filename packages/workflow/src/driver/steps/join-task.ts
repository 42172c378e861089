import { AgentError, type AgentResult } from "@troupe/core";
import type { AgentEvent, Json } from "@troupe/stream";

import { WorkflowError } from "../../engine/workflow-error.ts";
import type { DagStep } from "../../schema/spec.ts";
import { forwarder } from "./forward.ts";
import type { StepHost } from "../host.ts";
import { inNameOf } from "./in-name-of.ts";
import { readOutput, type Output } from "./read-output.ts";
import { MAX_RUN_CHARS } from "./result-room.ts";
import { stamp } from "../stamped.ts";
import { MAX_RESULT_CHARS } from "../limits/tell-limits.ts";
import type { ToldText } from "./told-text.ts";
import type { Turn } from "./turn.ts";

export type Awaited = {
  readonly result: AgentResult;
  /** Items of the run's log that made the answer. */
  readonly answerItems: readonly string[];
  /** What a completed answer holds, or why it is none, where the step has a schema. */
  readonly output?: Output;
};

export interface JoinOptions {
  readonly host: StepHost;
  readonly step: DagStep;
  readonly turn: Turn;
  readonly taskId: string;
  /** Of the step, from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Joins a task until it has ended or asks something, and puts what it tells into the run's log. */
export function joinTask({ host, step, turn, taskId, attempt, signal }: JoinOptions): Promise<Json> {
  const { ctx, input, services } = host;
  const { eventLog, gateway, clock, tellLimits: limits } = services;
  const { replies } = turn;
  let told: ToldText = new Map();
  const forward = forwarder({
    eventLog,
    told: () => told,
    clock,
    limits,
    runId: ctx.runId,
    stepId: step.id,
    attempt,
    replies,
  });
  turn.heard = forward.usage;
  return stamp(
    clock,
    async (): Promise<Awaited> => {
      // What an agent still tells when nobody waits for it is not of the run any more, which may have ended.
      const onEvent = (event: AgentEvent): void | Promise<void> =>
        signal.aborted ? undefined : forward.onEvent(event);
      if (turn.sent !== true) told = await services.told(signal);
      const result = await gateway.await(step.agent, taskId, { signal, onEvent, ...inNameOf(input) });
      const { length } = JSON.stringify(result);
      if (length > MAX_RESULT_CHARS) throw tooLarge(step.agent, length);
      const found = { result, answerItems: forward.answerItems() };
      // Judged here, so that it is journaled: a later version must not come to another verdict.
      const awaited =
        step.outputSchema === undefined || result.outcome !== "completed"
          ? found
          : { ...found, output: readOutput(step.outputSchema, result) };
      const chars = JSON.stringify(awaited).length;
      if (!host.room.take(turn.key, chars)) throw tooMuch(step.agent, chars);
      return awaited;
    },
    // Also of work that came to nothing.
    () => ({ usage: forward.usage() }),
  );
}

const inWords = (count: number): string => count.toLocaleString("en-US");

function tooLarge(agent: string, length: number): AgentError {
  return new AgentError(
    "agent.protocol",
    `agent "${agent}" answered with ${inWords(length)} characters, and a step's result may have ${inWords(MAX_RESULT_CHARS)}; it should hand large data over as a file`,
  );
}

function tooMuch(agent: string, chars: number): WorkflowError {
  return new WorkflowError(
    "workflow.too-large",
    `the result of agent "${agent}" has ${inWords(chars)} characters, and with it those of all steps of the run more than ${inWords(MAX_RUN_CHARS)}; have agents hand large data over as files, or make several workflows of this one`,
  );
}
