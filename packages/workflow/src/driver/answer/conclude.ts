import {
  addUsage,
  EMPTY_RESPONSE,
  NO_USAGE,
  type AgentResponse,
  type ArtifactRef,
  type Citation,
  type ErrorInfo,
  type Usage,
} from "@troupe/stream";

import type { Revision, RunInput, RunOutcome, StepOutcome } from "../../engine/run.ts";
import { hasResult } from "../../planner/findings.ts";
import { placeOf } from "../../planner/renumber.ts";
import type { Synthesis } from "../../planner/synthesize.ts";
import { answerStepOf, type DagSpec } from "../../schema/spec.ts";
import { findFinders, type Finders } from "./find-finders.ts";

export interface Conclusion {
  readonly runId: string;
  readonly spec: DagSpec;
  readonly input: Pick<RunInput, "earlier" | "planning">;
  /** Present where a person approved it. */
  readonly plan?: RunOutcome["plan"];
  /** Steps that were added to the plan. */
  readonly revisions?: readonly Revision[];
  /** Usage of the model calls that asked for these steps. */
  readonly replanUsage?: Usage;
  readonly results: ReadonlyMap<string, StepOutcome>;
  /** The reason, when the run was canceled. */
  readonly canceled?: string;
  /** The run's own bound that ended it before it was done. */
  readonly cut?: ErrorInfo;
  readonly synthesis?: Synthesis;
}

type Answer = Pick<AgentResponse, "content" | "citations" | "data" | "checks">;

/**
 * How a run ends. completed: it has an answer and every step and the answer itself are complete.
 * partial: it has an answer, or what other steps found in its place, and something is not.
 * failed: neither. canceled: it was canceled. One that its own bound ended is never completed.
 */
export function conclude(run: Conclusion): RunOutcome {
  const steps = run.spec.steps.flatMap((step) => run.results.get(step.id) ?? []);
  const answerStep = run.results.get(answerStepOf(run.spec) ?? "");
  const given = run.canceled === undefined ? (run.synthesis ?? passThrough(answerStep)) : undefined;
  const finders = findFinders(steps, run.input.earlier);
  const answer = given && withFinders(given, finders);
  const whole =
    run.cut === undefined &&
    steps.every((step) => step.outcome === "completed") &&
    run.synthesis?.outcome !== "partial";
  const outcome =
    run.canceled !== undefined ? "canceled" : !answer ? "failed" : whole ? "completed" : "partial";
  const citations = answer?.citations ?? [];
  return {
    v: 1,
    runId: run.runId,
    outcome,
    response: answer
      ? {
          ...EMPTY_RESPONSE,
          is_task_complete: outcome === "completed",
          content: answer.content,
          citations,
          data: answer.data,
          ...(answer.checks === undefined ? {} : { checks: answer.checks }),
        }
      : EMPTY_RESPONSE,
    steps,
    ...(answer ? { answerFrom: madeFrom(run, steps) } : {}),
    citations: allCitations(answer, steps).map(finders.ofCitation),
    artifacts: allArtifacts(steps),
    usage: steps
      .filter(({ keptFrom }) => keptFrom === undefined)
      .reduce(
        (sum, step) => addUsage(sum, step.usage),
        [run.input.planning?.usage, run.replanUsage, run.synthesis?.usage].reduce<Usage>(
          (sum, usage) => (usage === undefined ? sum : addUsage(sum, usage)),
          NO_USAGE,
        ),
      ),
    ...(run.plan === undefined ? {} : { plan: run.plan }),
    ...(run.revisions === undefined || run.revisions.length === 0 ? {} : { revisions: run.revisions }),
    ...errorOf(outcome, steps, run, run.synthesis?.error ?? unverified(answerStep)),
  };
}

function withFinders({ content, citations, data, checks }: Answer, { ofCitation, ofChart }: Finders): Answer {
  return {
    content,
    citations: citations.map(ofCitation),
    data: data?.charts === undefined ? data : { ...data, charts: data.charts.map(ofChart) },
    ...(checks === undefined ? {} : { checks }),
  };
}

function madeFrom({ spec, synthesis }: Conclusion, steps: readonly StepOutcome[]): readonly string[] {
  const answerStep = answerStepOf(spec);
  if (!synthesis) return answerStep === undefined ? [] : [answerStep];
  return synthesis.from ?? steps.filter(hasResult).map(({ stepId }) => stepId);
}

/** The single sink's answer. */
function passThrough(step: StepOutcome | undefined): Answer | undefined {
  return step && hasResult(step)
    ? {
        content: step.answer,
        citations: step.citations,
        data: step.data,
        ...(step.checks === undefined ? {} : { checks: step.checks }),
      }
    : undefined;
}

/** Why a step's answer that is the run's is not complete; only the check of it says that in words for the run. */
function unverified(step: StepOutcome | undefined): ErrorInfo | undefined {
  return step?.error?.code === "agent.unverified" ? step.error : undefined;
}

function errorOf(
  outcome: RunOutcome["outcome"],
  steps: readonly StepOutcome[],
  { canceled, cut }: Pick<Conclusion, "canceled" | "cut">,
  ofAnswer: ErrorInfo | undefined,
): { readonly error?: ErrorInfo } {
  if (outcome === "canceled")
    return { error: { code: "workflow.canceled", message: canceled ?? "canceled" } };
  if (cut !== undefined) return { error: cut };
  const unpaid = steps.find(({ error }) => error?.code === "workflow.budget")?.error;
  if (outcome === "partial" && unpaid !== undefined) return { error: unpaid };
  if (outcome === "partial" && ofAnswer !== undefined) return { error: ofAnswer };
  if (outcome !== "failed") return {};
  const failed = steps.filter((step) => step.outcome === "failed" || step.outcome === "canceled");
  const message =
    failed.length === 0
      ? "no step gave an answer"
      : failed
          .map((step) => `step "${step.stepId}" ${step.outcome}: ${step.reason ?? "no reason given"}`)
          .join("; ");
  return { error: { code: failed[0]?.error?.code ?? "workflow.no-answer", message } };
}

/** The citations of the answer, then those of steps only, under numbers that no source of the answer has. */
function allCitations(answer: Answer | undefined, steps: readonly StepOutcome[]): readonly Citation[] {
  const { citations: first = [], data = null } = answer ?? {};
  const all = new Map(first.map((citation) => [placeOf(citation), citation]));
  const tables = data?.tables ?? [];
  const taken = new Set([...first.map(({ id }) => id), ...tables.map(({ number }) => number)]);
  let number = first.length;
  for (const citation of steps.flatMap((step) => step.citations)) {
    const place = placeOf(citation);
    if (all.has(place)) continue;
    do number++;
    while (taken.has(String(number)));
    all.set(place, { ...citation, id: String(number) });
  }
  return [...all.values()];
}

function allArtifacts(steps: readonly StepOutcome[]): readonly (ArtifactRef & { readonly stepId: string })[] {
  const all = new Map<string, ArtifactRef & { readonly stepId: string }>();
  for (const step of steps)
    for (const artifact of step.artifacts) {
      // Ids are an agent's own: two steps may name two files alike, and one may hand on the file of another.
      const file = JSON.stringify([artifact.id, artifact.sha256]);
      if (!all.has(file)) all.set(file, { ...artifact, stepId: step.stepId });
    }
  return [...all.values()];
}
