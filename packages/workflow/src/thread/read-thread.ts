import type { StepResult } from "@troupe/core";
import type { Citation, Plan } from "@troupe/stream";

import type { WorkflowEngine } from "../engine/port.ts";
import type { RunLog } from "../engine/run-log.ts";
import type { RunOutcome, StepOutcome } from "../engine/run.ts";
import { hasResult } from "../planner/findings.ts";
import { placeOf } from "../planner/renumber.ts";
import {
  MAX_WHOLE,
  numberTurns,
  type NumberedRun,
  type RunSource,
  type ThreadQuery,
} from "./number-turns.ts";
import type { Thread, ThreadStep, ThreadTurn } from "./thread.ts";

export interface ThreadSource extends RunSource {
  readonly log: RunLog;
  readonly engine: Pick<WorkflowEngine, "result"> & RunSource["engine"];
}

/** A conversation, as one who goes on with it has it. */
export interface ReadThread {
  /** The runs before, from what is on record: they are the same after a restart. */
  readonly thread: Thread;
  /** Of the run that goes on with it; kept with that run. */
  readonly turn: number;
}

export async function readThread(source: ThreadSource, query: ThreadQuery): Promise<ReadThread> {
  const { before, turn } = await numberTurns(source, query);
  const whole = new Set(before.slice(-MAX_WHOLE));
  const thread = await Promise.all(
    before.map(async (run) => (whole.has(run) ? readTurn(source, run) : headOf(run))),
  );
  return { thread, turn };
}

function headOf({ view, turn }: NumberedRun): ThreadTurn {
  const { runId, objective, status, reason } = view;
  return {
    turn,
    runId,
    asked: objective,
    status,
    ...(reason === undefined ? {} : { reason }),
    answer: "",
    steps: [],
  };
}

/** Of the latest turns what each step was told and found is at hand, of those before what was asked. */
async function readTurn(source: ThreadSource, run: NumberedRun): Promise<ThreadTurn> {
  const { view, turn, input } = run;
  const head = headOf(run);
  const plan = view.steps.length === 0 ? undefined : await planOf(source.log, view.runId);
  if (plan === undefined) return head;
  const outcome = view.outcome === undefined ? undefined : await outcomeOf(source, view.runId);
  const found = new Map(outcome?.steps.map((step) => [step.stepId, step]));
  const { collectionId } = input ?? {};
  return {
    ...head,
    answer: outcome?.response.content ?? "",
    ...(plan.answerStep === undefined ? {} : { answerStep: plan.answerStep }),
    ...(collectionId === undefined ? {} : { collectionId }),
    steps: [...plan.steps, ...addedTo(outcome)].map((step): ThreadStep => {
      const name = `turn${turn}.${step.id}`;
      const result = found.get(step.id);
      return {
        ...step,
        name,
        earlier: step.earlier ?? [],
        ...(result && hasResult(result) && outcome !== undefined
          ? { result: asEarlier(result, name, outcome) }
          : {}),
      };
    }),
  };
}

/** The first event of a run that was begun is its plan. */
async function planOf(log: RunLog, runId: string): Promise<Plan | undefined> {
  const reading = new AbortController();
  try {
    for await (const { event } of log.read(runId, { from: 0, signal: reading.signal }))
      if (event.type === "plan-update" && event.stepId === undefined) return event.plan;
    return undefined;
  } finally {
    reading.abort();
  }
}

/** Steps that were added to the plan of a run, as people see them. */
function addedTo(outcome: RunOutcome | undefined): Plan["steps"] {
  const added = outcome?.revisions?.flatMap(({ steps }) => steps) ?? [];
  return added.map(({ id, kind, agent, instruction, dependsOn }) => ({
    id,
    kind,
    agent,
    instruction,
    dependsOn,
  }));
}

/** What a run ended with; undefined where its engine does not keep it any more. */
async function outcomeOf({ engine }: ThreadSource, runId: string): Promise<RunOutcome | undefined> {
  try {
    return await engine.result(runId);
  } catch {
    return undefined;
  }
}

/** Under its name, with who found what it cites: it may have been handed that itself. */
function asEarlier(step: StepOutcome, name: string, outcome: RunOutcome): StepResult {
  const { state: _state, ms: _ms, reason: _reason, keptFrom = outcome.runId, ...result } = step;
  const finders = new Map(outcome.citations.map((one) => [placeOf(one), one.foundBy]));
  const citations = result.citations.map(({ foundBy: _said, ...citation }): Citation => {
    const foundBy = finders.get(placeOf(citation));
    return foundBy === undefined
      ? citation
      : { ...citation, foundBy: { ...foundBy, runId: foundBy.runId ?? outcome.runId } };
  });
  return { ...result, citations, stepId: name, provenance: { ...result.provenance, runId: keptFrom } };
}
