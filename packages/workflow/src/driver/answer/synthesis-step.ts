import {
  isTroupeError,
  limitPrices,
  todayAt,
  withinLimits,
  type Limits,
  type Model,
  type ModelRequest,
  type UnreadFile,
} from "@troupe/core";
import {
  addUsage,
  EVENT_VERSION,
  NO_USAGE,
  type ErrorInfo,
  type AgentEvent,
  type AgentEventBody,
  type Json,
} from "@troupe/stream";

import { WorkflowError } from "../../engine/workflow-error.ts";
import type { MoreSteps, Replanning } from "../../planner/add-steps.ts";
import { hasWords, type EndedStep } from "../../planner/findings.ts";
import { joinAnswers, synthesize, type Synthesis } from "../../planner/synthesize.ts";
import { budgetError, shortLimits } from "../limits/budget-error.ts";
import type { DriverServices } from "../options.ts";
import { stamp } from "../stamped.ts";
import { Pace } from "../limits/tell-limits.ts";

export type Synthesized = {
  /** Null if no step found anything in words, or more steps run first. */
  readonly synthesis: Synthesis | null;
  /** Steps that the model asked for instead of answering. */
  readonly more?: MoreSteps;
  /** How many events it emitted, so that the run's own numbers go on after them. */
  readonly events: number;
  /** Why it is only joined: what the run may still use does not pay for a model. */
  readonly short?: ErrorInfo;
};

export interface SynthesisStepOptions {
  readonly runId: string;
  readonly task: string;
  readonly results: readonly EndedStep[];
  readonly unreadFiles?: readonly UnreadFile[];
  readonly services: DriverServices;
  /** Decided when the run began; a model that is there since, or no more, does not change it. */
  readonly modelWrites: boolean;
  /** 1 for the first answer of the run, 2 for the one after its first added steps. */
  readonly round?: number;
  readonly firstSeq: number;
  /** What the run may still use. */
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Steps added so far, and whether more may be added; absent if the plan is fixed. */
  readonly replanning?: () => Promise<Replanning>;
}

/**
 * Writes the run's answer and streams it as the run's own text. It may run again after a crash:
 * keys and items carry an id of this execution, so two tellings never mix.
 */
export function synthesisStep(options: SynthesisStepOptions): Promise<Json> {
  const { runId, task, results, services, signal } = options;
  const { round = 1 } = options;
  const execution = `${round === 1 ? "" : `${round}-`}${services.newId()}`;
  let events = 0;
  let attempt = 1;
  /** A text item keeps the attempt that it began in. */
  const itemAttempts = new Map<string, number>();
  let usage = NO_USAGE;
  const pace = new Pace();
  let mayGoOn: Promise<void> | undefined;
  const emit = (body: AgentEventBody): void => {
    // Nobody waits for it any more, and the run may have ended.
    if (signal.aborted) return;
    if (body.type === "attempt-start") attempt++;
    if (body.type === "text-start") itemAttempts.set(body.itemId, attempt);
    if (body.type === "usage") usage = addUsage(usage, body.usage);
    // The run has gone on without it, and counts on from another number.
    if (signal.aborted) return;
    const event: AgentEvent = {
      v: EVENT_VERSION,
      runId,
      seq: options.firstSeq + events,
      attempt: "itemId" in body ? (itemAttempts.get(body.itemId) ?? attempt) : attempt,
      agent: services.agent,
      ...body,
    };
    services.eventLog.append(runId, `synthesize/${execution}/${events}`, event);
    events++;
    if (pace.add(JSON.stringify(event).length) === "wait")
      mayGoOn = services.eventLog.kept?.() ?? services.eventLog.drained?.(runId);
  };
  const itemId = `answer-${execution}`;
  return stamp(services.clock, async (): Promise<Synthesized> => {
    if (!results.some(hasWords)) return { synthesis: null, events: 0 };
    if (!options.modelWrites) return { synthesis: joinAnswers({ task, results, emit, itemId }), events };
    try {
      const { model: writer, prices } = services;
      if (!writer)
        throw new WorkflowError("workflow.internal", "the run was begun with a model, and there is none");
      const model = pausing(writer, async () => mayGoOn);
      const known = limitPrices(writer, prices);
      const bound = (request: ModelRequest): ModelRequest =>
        withinLimits(request, { limits: options.limits, spent: usage, modelId: model.id }, known);
      const { answerCheck, answerReview: review = false } = services;
      const today = todayAt(services.clock.now()).date;
      const synthesis = await synthesize({
        task,
        results,
        model,
        signal,
        emit,
        itemId,
        bound,
        prices,
        unreadFiles: options.unreadFiles ?? [],
        ...(answerCheck && { check: { answerCheck, review, today } }),
        replanning: await options.replanning?.(),
      });
      return "more" in synthesis ? { synthesis: null, more: synthesis.more, events } : { synthesis, events };
    } catch (error) {
      signal.throwIfAborted();
      // What the steps found is worth more than a well-turned answer: it is handed over as it is.
      services.log.warn("the answer could not be written from the steps' results", { runId, error });
      const reason = "the answer could not be written; the steps' answers follow as they are";
      emit({ type: "attempt-start", reason, items: [...itemAttempts.keys()] });
      const joined = joinAnswers({ task, results, emit, itemId: `${itemId}-joined` });
      const short = shortOf(error, options.limits);
      return { synthesis: { ...joined, usage, outcome: "partial" }, events, ...(short && { short }) };
    }
  });
}

/** The same model, which is read on once what was made of it so far may be followed by more. */
function pausing(model: Model, mayGoOn: () => Promise<void>): Model {
  return {
    id: model.id,
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) {
        yield event;
        await mayGoOn();
      }
    },
  };
}

/** The limits of the run stood in the way, and not the model. */
function shortOf(error: unknown, limits: Limits): ErrorInfo | undefined {
  if (!isTroupeError(error)) return undefined;
  const why = `The answer was not written but joined from the steps' answers. ${error.message}`;
  if (error.code === "agent.budget") return budgetError(why, shortLimits(error.message, limits));
  return error.code === "agent.config" ? { code: error.code, message: why } : undefined;
}
