import type { StepResult } from "@troupe/core";
import type { Plan } from "@troupe/stream";

import { hasResult } from "../driver/kept-results.ts";
import type { WorkflowEngine } from "../engine/port.ts";
import type { RunLog } from "../engine/run-log.ts";
import type { RunInput, RunOutcome, RunView, StepOutcome } from "../engine/run.ts";
import type { Thread, ThreadStep, ThreadTurn } from "./thread.ts";

/** Turns that are counted; those of a conversation that is longer are counted from the first that is looked at. */
const MAX_TURNS = 100;
/** Of the latest turns what each step was told and found is at hand, of those before what was asked. */
const MAX_WHOLE = 10;

export interface ThreadSource {
  readonly log: RunLog;
  readonly engine: Pick<WorkflowEngine, "result"> & {
    /** What a run was asked; undefined for one that was never begun. */
    input(runId: string): Promise<RunInput | undefined>;
  };
}

export interface ThreadQuery {
  readonly threadId: string;
  /** Whose it is: nobody sees the turns of another, whatever conversation they name. */
  readonly userId?: string;
  /** The run that is about to begin; it is no turn before itself. */
  readonly runId?: string;
}

/** The earlier runs of a conversation, from what is on record: it is the same after a restart. */
export async function readThread(source: ThreadSource, { runId, ...query }: ThreadQuery): Promise<Thread> {
  const views = (await source.log.runs({ ...query, limit: MAX_TURNS })).toReversed();
  // Every turn keeps its number, also the run's own where others were begun after it.
  const turns = views.map((view, index) => ({ view, turn: index + 1 }));
  const before = turns.filter(({ view }) => view.runId !== runId);
  const whole = new Set(before.slice(-MAX_WHOLE));
  return Promise.all(
    before.map(async (entry) =>
      whole.has(entry) ? readTurn(source, entry.view, entry.turn) : { ...headOf(entry.view, entry.turn) },
    ),
  );
}

function headOf(view: RunView, turn: number): ThreadTurn {
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

async function readTurn(source: ThreadSource, view: RunView, turn: number): Promise<ThreadTurn> {
  const head = headOf(view, turn);
  const plan = view.steps.length === 0 ? undefined : await planOf(source.log, view.runId);
  if (plan === undefined) return head;
  const outcome = view.outcome === undefined ? undefined : await outcomeOf(source, view.runId);
  const found = new Map(outcome?.steps.map((step) => [step.stepId, step]));
  const { collectionId } = (await source.engine.input(view.runId)) ?? {};
  return {
    ...head,
    answer: outcome?.response.content ?? "",
    ...(plan.answerStep === undefined ? {} : { answerStep: plan.answerStep }),
    ...(collectionId === undefined ? {} : { collectionId }),
    steps: plan.steps.map((step): ThreadStep => {
      const name = `turn${turn}.${step.id}`;
      const result = found.get(step.id);
      return {
        ...step,
        name,
        earlier: step.earlier ?? [],
        ...(hasResult(result) ? { result: asEarlier(result, name, view.runId) } : {}),
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

/** What a run ended with; undefined where its engine does not keep it any more. */
async function outcomeOf({ engine }: ThreadSource, runId: string): Promise<RunOutcome | undefined> {
  try {
    return await engine.result(runId);
  } catch {
    return undefined;
  }
}

function asEarlier(step: StepOutcome, name: string, runId: string): StepResult {
  const { state: _state, ms: _ms, reason: _reason, keptFrom = runId, ...result } = step;
  return { ...result, stepId: name, provenance: { ...result.provenance, runId: keptFrom } };
}
