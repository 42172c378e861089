import type { AgentEventOf, Outcome, StepState } from "@troupe/stream";

import { endsRun } from "../engine/ends-run.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import type { RunOutcome, RunView, StepOutcome } from "../engine/run.ts";
import { describeRun } from "./describe-run.ts";
import type { StepDetail } from "./run-detail.ts";

/**
 * How a run ended, as far as its events tell: for one that its engine has forgotten. The answer is whole; of its
 * steps there is what their agents told, and of its plan who approved it is not. Undefined where no end was told.
 */
export function outcomeOnRecord(view: RunView, events: readonly LoggedEvent[]): RunOutcome | undefined {
  const end = events.find(({ event }) => endsRun(event))?.event;
  if (end?.type !== "finish" || end.outcome === "input-required") return undefined;
  const { steps, artifacts, usage } = describeRun({ view, events });
  const ends = new Map(
    events.flatMap(({ event }) => (event.type === "finish" ? [[event.stepId, event]] : [])),
  );
  return {
    v: 1,
    runId: view.runId,
    outcome: end.outcome,
    response: end.response,
    steps: steps.map((step) => toOutcome(view, step, ends.get(step.id))),
    citations: end.response.citations,
    artifacts,
    usage: usage.total,
    ...(end.error === undefined ? {} : { error: end.error }),
  };
}

function toOutcome(view: RunView, step: StepDetail, end: AgentEventOf<"finish"> | undefined): StepOutcome {
  const { attempts, state, reason, answers } = step;
  const startedAt = attempts[0]?.startedAt ?? view.createdAt;
  const endedAt = attempts.at(-1)?.endedAt ?? startedAt;
  return {
    stepId: step.id,
    agent: step.agent,
    state,
    outcome: OUTCOMES[state] ?? "skipped",
    answer: step.answer,
    data: end?.response.data ?? null,
    citations: end?.response.citations ?? [],
    artifacts: step.artifacts,
    usage: step.usage.total,
    ms: endedAt - startedAt,
    provenance: { attempt: Math.max(1, attempts.length), startedAt, endedAt },
    ...(end?.error === undefined ? {} : { error: end.error }),
    ...(reason === undefined ? {} : { reason }),
    ...(answers === undefined ? {} : { answers }),
  };
}

const OUTCOMES: { readonly [state in StepState]?: Outcome } = {
  completed: "completed",
  partial: "partial",
  failed: "failed",
  canceled: "canceled",
};
