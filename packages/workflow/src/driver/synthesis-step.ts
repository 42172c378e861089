import type { StepResult } from "@troupe/core";
import { EVENT_VERSION, type AgentEvent, type AgentEventBody, type Json } from "@troupe/stream";

import { joinAnswers, synthesize, type Synthesis } from "../planner/synthesize.ts";
import type { DriverServices } from "./options.ts";
import { stamp } from "./stamped.ts";

export type Synthesized = {
  readonly synthesis: Synthesis;
  /** How many events it emitted, so that the run's own numbers go on after them. */
  readonly events: number;
};

export interface SynthesisStepOptions {
  readonly runId: string;
  readonly task: string;
  readonly results: readonly StepResult[];
  readonly services: DriverServices;
  readonly firstSeq: number;
  readonly signal: AbortSignal;
}

/**
 * Writes the run's answer and streams it as the run's own text. It may run again after a crash:
 * keys and items carry an id of this execution, so two tellings never mix.
 */
export function synthesisStep(options: SynthesisStepOptions): Promise<Json> {
  const { runId, task, results, services, signal } = options;
  const execution = services.newId();
  let events = 0;
  let attempt = 1;
  const emit = (body: AgentEventBody): void => {
    const event: AgentEvent = {
      v: EVENT_VERSION,
      runId,
      seq: options.firstSeq + events,
      attempt,
      agent: services.agent,
      ...body,
    };
    services.eventLog.append(runId, `synthesize/${execution}/${events}`, event);
    events++;
  };
  const itemId = `answer-${execution}`;
  return stamp(services.clock, async (): Promise<Synthesized> => {
    if (!services.model) return { synthesis: joinAnswers({ task, results, emit, itemId }), events };
    try {
      const synthesis = await synthesize({ task, results, model: services.model, signal, emit, itemId });
      return { synthesis, events };
    } catch (error) {
      signal.throwIfAborted();
      // What the steps found is worth more than a well-turned answer: it is handed over as it is.
      services.log.warn("the answer could not be written from the steps' results", { runId, error });
      attempt++;
      const reason = "the answer could not be written; the steps' answers follow as they are";
      emit({ type: "attempt-start", reason, items: [itemId] });
      const joined = joinAnswers({ task, results, emit, itemId: `${itemId}-joined` });
      return { synthesis: { ...joined, outcome: "partial" }, events };
    }
  });
}
