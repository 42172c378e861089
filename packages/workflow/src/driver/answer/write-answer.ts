import type { ErrorInfo } from "@troupe/stream";

import type { Pending, Settled } from "../../engine/port.ts";
import type { Revision, StepOutcome } from "../../engine/run.ts";
import type { AddedStepsContext, MoreSteps, Replanning } from "../../planner/add-steps.ts";
import { hasResult, hasWords, wordsOf } from "../../planner/findings.ts";
import { joinAnswers, type Synthesis } from "../../planner/synthesize.ts";
import type { DagSpec } from "../../schema/spec.ts";
import type { RunBudget } from "../limits/budget.ts";
import type { RunDeadline } from "../limits/deadline.ts";
import { keptResults } from "./kept-results.ts";
import { limitTime } from "../limits/limit-time.ts";
import type { StepHost } from "../host.ts";
import { nameFiles, sayAnswer } from "./name-files.ts";
import type { RunStory } from "../run-story.ts";
import { synthesisStep, type Synthesized } from "./synthesis-step.ts";

/** How long a model may take to write the answer, while somebody waits for it. */
const SYNTHESIS_MS = 300_000;

export interface AnswerOptions {
  readonly host: StepHost;
  readonly story: RunStory;
  /** The single sink of `final: passthrough`. */
  readonly answerStep: StepOutcome | undefined;
  readonly passthrough: boolean;
  /** Of all steps, in the order of the workflow. */
  readonly results: readonly StepOutcome[];
  /** Else the steps' answers are joined. */
  readonly modelWrites: boolean;
  readonly budget: RunBudget;
  readonly deadline: RunDeadline;
  /** Waits for one thing, what stops the run included. */
  readonly turn: () => Promise<void>;
  /** Revisions so far: the model was asked for the answer once before each of them. */
  readonly revisions: readonly Revision[];
  /** The plan so far. */
  readonly spec: DagSpec;
  /** Why no model is asked any more. */
  readonly stopped: () => "canceled" | "overdue" | undefined;
}

export interface Written {
  /** Undefined where a step gave the answer, or where there is none. */
  readonly synthesis: Synthesis | undefined;
  /** The run's own bound, where it kept the answer from being written. */
  readonly cut: ErrorInfo | undefined;
  /** Steps to run first, instead of an answer. */
  readonly more?: MoreSteps;
}

/** The answer that no single step gives. */
export async function writeAnswer(o: AnswerOptions): Promise<Written> {
  const { host, story, results } = o;
  const whole = (synthesis?: Synthesis): Written => ({ synthesis, cut: undefined });
  if (o.stopped() === "canceled") return whole();
  if (o.passthrough) {
    if (o.answerStep && hasResult(o.answerStep)) return whole(sayValue(o.answerStep, story));
    return whole(keptResults(results, (body) => story.emit(`kept/${story.seq}`, body)));
  }
  const files = (): Written => whole(nameFiles(results, (body) => story.emit(`files/${story.seq}`, body)));
  // Refused answers alone are asked about too, which comes to nothing: earlier versions have journaled it so.
  if (!results.some((result) => result.answer.trim() !== "" || hasWords(result))) return files();
  const paid = !o.modelWrites || o.budget.state === "free";
  const written = paid && o.stopped() === undefined ? await askModel(o) : undefined;
  if (written?.more) return { synthesis: undefined, cut: undefined, more: written.more };
  if (written?.synthesis) return { synthesis: written.synthesis, cut: written.short };
  if (o.stopped() === "canceled") return whole();
  if (!results.some(hasWords)) return files();
  const synthesis = joined(host, story, results);
  // Where no model was to write it, this is the answer that was due.
  if (!o.modelWrites) return whole(synthesis);
  const cut = o.stopped() === "overdue" ? o.deadline.error : paid ? undefined : o.budget.error;
  return { synthesis: { ...synthesis, outcome: "partial" }, cut };
}

/** Undefined when it was given up: the run was stopped meanwhile, or it took too long. */
async function askModel(o: AnswerOptions): Promise<Synthesized | undefined> {
  const { host, modelWrites, budget, story, results, turn, stopped } = o;
  const { ctx, input, services } = host;
  const name = synthesisName(o.revisions.length);
  const asked = ctx.step(name, ({ signal }) =>
    synthesisStep({
      runId: ctx.runId,
      task: input.objective,
      results,
      ...(input.unreadFiles === undefined ? {} : { unreadFiles: input.unreadFiles }),
      services,
      modelWrites,
      round: o.revisions.length + 1,
      firstSeq: story.seq,
      limits: budget.left,
      signal,
      ...(o.spec.maxReplans !== undefined && modelWrites && { replanning: () => replanningOf(o) }),
    }),
  );
  const limits = new Set<Pending>();
  const answer: { settled?: Settled; late: boolean } = { late: false };
  host.watch(asked, (settled) => {
    answer.settled = settled;
  });
  limitTime(host, {
    ms: SYNTHESIS_MS,
    timer: `${name}/timeout`,
    overdue: `${name}/overdue`,
    hold: (pending, on) => {
      limits.add(pending);
      host.watch(pending, (value) => {
        limits.delete(pending);
        on(value);
      });
    },
    over: () => {
      answer.late = true;
    },
  });
  while (answer.settled === undefined && !answer.late && stopped() === undefined) await turn();
  for (const pending of limits) host.drop(pending);
  const { settled } = answer;
  if (settled === undefined) host.drop(asked);
  const stamped = settled && host.read<Synthesized>(settled);
  if (stamped?.ok === true) {
    story.skip(stamped.value.events);
    return stamped.value;
  }
  story.skipUnknown();
  return undefined;
}

/** Name of the journal entry for the answer after this many revisions; no step id has a dot. */
export const synthesisName = (revisions: number): string =>
  revisions === 0 ? "synthesize" : `synthesize.${revisions + 1}`;

/** For the step function only: it reads the current state of the agents, which is not journaled. */
async function replanningOf({ host, spec, results, revisions }: AnswerOptions): Promise<Replanning> {
  const { replan } = host.services;
  const refused = revisions.some((revision) => revision.refused !== undefined);
  if (replan === undefined || refused || revisions.length >= (spec.maxReplans ?? 0)) return { revisions };
  const team = await replan.team(host.input);
  if (!team.agents.some(({ status }) => status === "up")) return { revisions };
  const outcomes = new Map(results.map(({ stepId, outcome }) => [stepId, outcome]));
  const steps = spec.steps.map((step) => ({ ...step, outcome: outcomes.get(step.id) ?? "skipped" }));
  const normalize: AddedStepsContext["normalize"] = (workflow) => replan.normalize(workflow, spec);
  return { offer: { ...team, steps, normalize }, revisions };
}

/** The answer of a step that gave a value and no words; undefined where its words or files are the answer. */
function sayValue(step: StepOutcome, story: RunStory): Synthesis | undefined {
  const content = wordsOf(step);
  if (content === "" || step.answer.trim() !== "") return undefined;
  const { citations, data, checks } = step;
  const said = sayAnswer({ content, citations, data, ...(checks && { checks }) }, "answer-value", (body) =>
    story.emit(`value/${story.seq}`, body),
  );
  return { ...said, from: [step.stepId] };
}

/** What the steps found is worth more than a well-turned answer: it is handed over as it is. */
function joined(host: StepHost, story: RunStory, results: readonly StepOutcome[]): Synthesis {
  const emit = (body: Parameters<RunStory["emit"]>[1]): void => story.emit(`joined/${story.seq}`, body);
  return joinAnswers({ task: host.input.objective, results, emit, itemId: "answer-joined" });
}
