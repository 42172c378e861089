import { addUsage, NO_USAGE, type AgentEvent, type AgentEventOf } from "@troupe/stream";

import type { RecordedRun } from "../engine/recorded-run.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import {
  runInputSchema,
  type RunInput,
  type RunOutcome,
  type RunView,
  type StepOutcome,
} from "../engine/run.ts";
import { describeQuestions } from "./describe-questions.ts";
import type { GivenResult, RunDetail, StepAttempt, StepDetail } from "./run-detail.ts";
import { UsageSum, usageWithout, type CallUsage } from "./usage-detail.ts";

export interface KnownOfRun {
  readonly view: RunView;
  /** All so far, in their order. */
  readonly events: readonly LoggedEvent[];
  /** What the engine knows; without it less is told. */
  readonly recorded?: RecordedRun;
}

/** Puts together what is known of a run: from its events, and from what its engine recorded. */
export function describeRun({ view, events, recorded }: KnownOfRun): RunDetail {
  const { steps: _steps, requests: _requests, ...run } = view;
  const outcome = recorded?.outcome ?? undefined;
  const input = runInputSchema.safeParse(recorded?.input).data;
  const told = new Map(view.steps.map(({ id }) => [id, new ToldOfStep(id)]));
  const own = new UsageSum();
  const planning = new UsageSum();
  const all = new UsageSum();
  for (const logged of events) {
    const [id] = logged.event.stepId?.split("/") ?? [];
    all.add(logged.event);
    if (id === undefined) (logged.key === "planning" ? planning : own).add(logged.event);
    const { event } = logged;
    const step = event.type === "step-status" && event.stepId === undefined ? event.step : id;
    told.get(step ?? "")?.add(logged);
  }
  const plan = events.findLast(isPlan)?.event;
  const result = resultsOf(outcome, input?.kept);
  const answers = new Map(view.steps.map(({ id }) => [id, result(id) ?? told.get(id)?.result()]));
  const steps = view.steps.map((step): StepDetail => {
    const one = told.get(step.id);
    const ended = result(step.id);
    const { keptFrom } = ended ?? {};
    const attempts = one?.attempts ?? [];
    const planned = plan?.plan.steps.find(({ id }) => id === step.id);
    const given = [
      ...(planned?.earlier ?? []).flatMap((name) => givenEarlier(name, input?.earlier)),
      ...step.dependsOn.flatMap((id): readonly GivenResult[] => givenBy(view, id, answers.get(id))),
    ];
    const { taskId } = ended?.provenance ?? {};
    const addedFor = plan?.plan.revisions?.find((one) => one.steps.includes(step.id))?.reason;
    return {
      ...step,
      instruction: planned?.instruction ?? "",
      ...(addedFor === undefined ? {} : { addedFor }),
      ...(keptFrom === undefined ? {} : { keptFrom }),
      attempts,
      ...(ended === undefined ? {} : { ms: ended.ms }),
      ...(taskId === undefined ? {} : { taskId }),
      ...(attempts.length === 0 ? {} : { given }),
      answer: answers.get(step.id)?.answer ?? "",
      citations: answers.get(step.id)?.citations.length ?? 0,
      artifacts: answers.get(step.id)?.artifacts ?? [],
      usage: (one?.usage ?? new UsageSum()).detail(ended?.usage),
      calls: one?.calls() ?? [],
    };
  });
  const response = outcome?.response ?? events.findLast(isEnd)?.event.response;
  const ofSteps = steps
    .filter(({ keptFrom }) => keptFrom === undefined)
    .reduce((sum, { usage }) => addUsage(sum, usage.total), NO_USAGE);
  const { total: ofPlan } = planning.detail();
  const before = addUsage(ofSteps, ofPlan);
  const ofAnswer = outcome === undefined ? own.detail().total : usageWithout(outcome.usage, before);
  const written = events.some(
    ({ key, event }) => event.stepId === undefined && key.startsWith("synthesize/"),
  );
  return {
    v: 1,
    run,
    ...(input?.retryOf === undefined ? {} : { retryOf: input.retryOf }),
    ...(input?.collectionId === undefined ? {} : { collectionId: input.collectionId }),
    steps,
    questions: describeQuestions(view, events, recorded?.signals),
    ...(input?.planning === undefined ? {} : { planning: planning.detail() }),
    ...(written ? { synthesis: own.detail(ofAnswer) } : {}),
    usage: all.detail(addUsage(before, ofAnswer)),
    answer: response?.content ?? "",
    citations: outcome?.citations ?? [],
    ...(response?.checks === undefined ? {} : { checks: response.checks }),
    charts: (outcome?.response.data?.charts ?? []).map(({ rows: _, ...chart }) => chart),
    tables: (outcome?.response.data?.tables ?? []).map(({ rows: _, ...table }) => table),
    artifacts:
      outcome?.artifacts ??
      steps.flatMap(({ id, artifacts }) => artifacts.map((one) => ({ ...one, stepId: id }))),
    events: (events.at(-1)?.position ?? -1) + 1,
  };
}

type Result = Pick<StepOutcome, "outcome" | "answer" | "artifacts" | "citations">;

/** What the events tell of one step. */
class ToldOfStep {
  readonly #id: string;
  readonly attempts: StepAttempt[] = [];
  readonly usage = new UsageSum();
  readonly #calls = new Map<
    string,
    { readonly path: readonly string[]; readonly agent: string; readonly sum: UsageSum }
  >();
  #finish: AgentEventOf<"finish"> | undefined;
  readonly #files = new Map<string, AgentEventOf<"artifact">["artifact"]>();

  constructor(id: string) {
    this.#id = id;
  }

  add({ at, event }: LoggedEvent): void {
    this.usage.add(event);
    if (event.type === "usage" && event.stepId !== this.#id) this.#callOf(event).add(event);
    else if (event.type === "artifact") this.#files.set(event.artifact.id, event.artifact);
    else if (event.type === "finish" && event.stepId === this.#id) this.#finish = event;
    else if (event.type === "attempt-start" && event.items === undefined && event.stepId === this.#id)
      this.#begin(at, event.reason);
    else if (event.type !== "step-status" || event.stepId !== undefined) return;
    else if (event.state === "in_progress" || event.state === "input_required") this.#begin(at);
    else this.#end(at);
  }

  result(): Result | undefined {
    const finish = this.#finish;
    if (finish === undefined) return undefined;
    const { content, citations } = finish.response;
    return { outcome: finish.outcome, answer: content, citations, artifacts: [...this.#files.values()] };
  }

  calls(): readonly CallUsage[] {
    return [...this.#calls.values()].map(({ path, agent, sum }) => ({ path, agent, ...sum.detail() }));
  }

  /** A step goes on after a question in the attempt that asked it. */
  #begin(at: number, reason?: string): void {
    if (reason === undefined && this.attempts.length > 0) return;
    this.#end(at);
    this.attempts.push({ startedAt: at, ...(reason === undefined ? {} : { reason }) });
  }

  #end(at: number): void {
    const last = this.attempts.at(-1);
    if (last !== undefined && last.endedAt === undefined)
      this.attempts.splice(-1, 1, { ...last, endedAt: at });
  }

  #callOf(event: AgentEvent): UsageSum {
    const path = (event.stepId ?? "").split("/").slice(1);
    const key = JSON.stringify([path, event.agent]);
    const known = this.#calls.get(key) ?? { path, agent: event.agent, sum: new UsageSum() };
    this.#calls.set(key, known);
    return known.sum;
  }
}

function resultsOf(
  outcome: RunOutcome | undefined,
  kept: { readonly [step: string]: StepOutcome } = {},
): (id: string) => StepOutcome | undefined {
  const ended = new Map(outcome?.steps.map((step) => [step.stepId, step]) ?? Object.entries(kept));
  return (id) => ended.get(id);
}

function givenBy({ steps }: RunView, id: string, result: Result | undefined): readonly GivenResult[] {
  if (result === undefined) return [];
  return [givenOf(id, steps.find((step) => step.id === id)?.agent ?? "", result)];
}

const givenOf = (
  step: string,
  agent: string,
  { answer, outcome, artifacts }: Pick<Result, "answer" | "outcome" | "artifacts">,
): GivenResult => ({
  step,
  agent,
  outcome,
  characters: answer.length,
  files: artifacts.map(({ name }) => name),
});

/** Of an earlier run of the conversation; the run keeps what it is handed. */
function givenEarlier(name: string, earlier: RunInput["earlier"]): readonly GivenResult[] {
  const result = earlier?.results[name];
  return result === undefined ? [] : [givenOf(name, result.agent, result)];
}

type Logged<T extends AgentEvent["type"]> = LoggedEvent & { readonly event: AgentEventOf<T> };
const isPlan = (logged: LoggedEvent): logged is Logged<"plan-update"> =>
  logged.event.type === "plan-update" && logged.event.stepId === undefined;
const isEnd = (logged: LoggedEvent): logged is Logged<"finish"> =>
  logged.event.type === "finish" && logged.event.stepId === undefined;
