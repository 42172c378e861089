import type { StepState } from "@troupe/stream";

import { sinksOf } from "../../schema/spec.ts";
import type { Deed, ModelCase } from "./cases.ts";
import { RUN_RULES, STEP_RULES, type RunEnd, type StepRule, type When } from "./rules.ts";
import type { Tried } from "./try-case.ts";

/** How a step ends that has begun, whatever else happens; but for a cancel. */
const ENDS: { readonly [deed in Deed]: StepState } = {
  completes: "completed",
  partial: "partial",
  fails: "failed",
  flaky: "completed",
  stuck: "failed",
  asks: "completed",
  lost: "completed",
  stopped: "canceled",
  person: "completed",
};

/** Messages that begin work on a step that is not canceled. */
const MESSAGES: { readonly [deed in Deed]: number } = {
  completes: 1,
  partial: 1,
  fails: 1,
  // The first is refused.
  flaky: 1,
  stuck: 1,
  asks: 2,
  lost: 2,
  stopped: 1,
  person: 0,
};

const OVER: ReadonlySet<StepState> = new Set(["completed", "partial", "failed", "skipped", "canceled"]);
/** What is done at the very moment at which it may be. */
const AT_ONCE: ReadonlySet<When> = new Set(["ready", "asksFirst", "cannotRun"]);

interface Model {
  readonly steps: readonly {
    readonly id: string;
    readonly deed: Deed;
    readonly policy: string;
    readonly needs: readonly string[];
  }[];
  readonly places: number;
  readonly states: Map<string, StepState>;
  readonly asked: Set<string>;
  canceled: boolean;
}

/** Follows a run from state to state by the rules alone; a line for each thing that does not follow from them. */
export function checkStory(tried: Case): readonly string[] {
  const model = modelOf(tried);
  const problems: string[] = [];
  let now = tried.run.moves[0]?.at ?? 0;
  for (const { step, to, at } of tried.run.moves) {
    if (at > now) problems.push(...overdue(model));
    now = at;
    const from = model.states.get(step) ?? "pending";
    // Before it was at work its agent cannot have ended so.
    const byAgent = deedOf(model, step) === "stopped" && from === "in_progress";
    if (to === "canceled" && tried.run.outcome?.outcome === "canceled" && !byAgent) model.canceled = true;
    const rule = STEP_RULES.find((one) => one.from === from && one.to === to && holds(model, step, one));
    if (!rule) problems.push(`${step} went from ${from} to ${to}`);
    if (to === "input_required") model.asked.add(step);
    model.states.set(step, to);
  }
  return [...problems, ...atTheEnd(model, tried)];
}

export interface Case {
  readonly model: ModelCase;
  readonly run: Tried;
}

function modelOf({ model: { steps, spec } }: Case): Model {
  return {
    steps: spec.steps.map(({ id, dependsOn, onFailure }, at) => ({
      id,
      deed: steps[at]?.deed ?? "completes",
      policy: onFailure,
      needs: dependsOn,
    })),
    places: spec.maxParallel ?? Infinity,
    states: new Map(spec.steps.map(({ id }) => [id, "pending"])),
    asked: new Set(),
    canceled: false,
  };
}

const deedOf = ({ steps }: Model, id: string): Deed | undefined => steps.find((step) => step.id === id)?.deed;

function holds(model: Model, id: string, { to, when }: StepRule): boolean {
  const step = model.steps.find((one) => one.id === id);
  if (!step) return false;
  const person = step.deed === "person";
  const free = model.steps.filter((one) => model.states.get(one.id) === "in_progress").length < model.places;
  switch (when) {
    case "ready":
      return !person && free && mayRun(model, step.needs);
    case "asksFirst":
      return person && mayRun(model, step.needs);
    case "cannotRun":
      return !model.canceled && (stopped(model) || step.needs.some((need) => blocks(model, need)));
    case "endedWell":
    case "failed":
      return ENDS[step.deed] === to;
    case "asks":
      return step.deed === "asks" && !model.asked.has(id);
    case "answered":
      return step.deed === "asks" && free;
    case "personAnswered":
      return person;
    case "canceled":
      return model.canceled;
    case "agentCanceled":
      return model.canceled || step.deed === "stopped";
    default:
      // Nothing of an earlier run is kept here, and every answer can be used.
      return false;
  }
}

function mayRun(model: Model, needs: readonly string[]): boolean {
  if (model.canceled || stopped(model)) return false;
  return needs.every((need) => OVER.has(model.states.get(need) ?? "pending") && !blocks(model, need));
}

/** A step failed whose policy is to start nothing more. */
function stopped(model: Model): boolean {
  return model.steps.some(({ id, policy }) => policy === "fail" && model.states.get(id) === "failed");
}

function blocks(model: Model, id: string): boolean {
  const state = model.states.get(id);
  const policy = model.steps.find((step) => step.id === id)?.policy;
  if (state === "skipped") return true;
  return (state === "failed" || state === "canceled") && policy !== "continue";
}

/** Time went on, and somebody was left waiting who need not have been. */
function overdue(model: Model): readonly string[] {
  return STEP_RULES.filter(({ when }) => AT_ONCE.has(when)).flatMap((rule) =>
    model.steps
      .filter(({ id }) => model.states.get(id) === rule.from && holds(model, id, rule))
      .map(({ id }) => `${id} was left ${rule.from} and could be ${rule.to}`),
  );
}

function atTheEnd(model: Model, { model: { spec }, run }: Case): readonly string[] {
  if (!run.outcome) return ["it has not ended"];
  const problems = run.left === 0 ? [] : [`${run.left} agents still work`];
  const told = new Map(run.outcome.steps.map(({ stepId, state }) => [stepId, state]));
  for (const { id, deed } of model.steps) {
    const state = model.states.get(id) ?? "pending";
    if (!OVER.has(state) || told.get(id) !== state)
      problems.push(`${id} is ${state} and told to be ${told.get(id) ?? "nothing"}`);
    const sent = run.sent.filter((one) => one === id).length;
    const most = state === "skipped" ? 0 : MESSAGES[deed];
    if (sent > most || (!model.canceled && sent < most))
      problems.push(`${id} was sent ${sent} times, not ${most}`);
  }
  const canceled = run.entries.includes("signal:$cancel");
  const end = endOf(model, {
    canceled,
    sink: spec.final === "passthrough" ? sinksOf(spec.steps)[0]?.id : undefined,
  });
  if (run.outcome.outcome !== end) problems.push(`it is ${run.outcome.outcome}, and should be ${end}`);
  return problems;
}

function endOf(model: Model, o: { readonly canceled: boolean; readonly sink: string | undefined }): RunEnd {
  const good = (id: string): boolean => ["completed", "partial"].includes(model.states.get(id) ?? "");
  const whole = model.steps.every(({ id }) => model.states.get(id) === "completed");
  // What a person typed is an answer where it is the last word, or one of several; but no finding in the place of one.
  const found = model.steps.some(({ id, deed }) => good(id) && (deed !== "person" || o.sink === undefined));
  const answered = found || (o.sink !== undefined && good(o.sink));
  const holdsFor: { readonly [end in RunEnd]: boolean } = {
    canceled: o.canceled,
    completed: whole,
    partial: answered,
    failed: true,
  };
  return RUN_RULES.find(({ end }) => holdsFor[end])?.end ?? "failed";
}
