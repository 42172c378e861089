import { readChanges, readSubject, withChange, withSubject, type AgentEntry } from "@troupe/core";

import type { WorkflowInput } from "../schema/workflow-schema.ts";
import { followUpIn, varied, type FollowUp } from "./follow-up.ts";
import { intentsOf, topicOf } from "./intents.ts";
import { deckStep, figures, nameOf, planByRules, research } from "./plan-by-rules.ts";
import { agentFor, mainRole } from "./roles.ts";
import type { ToldStep, ToldTurn } from "./told-thread.ts";

type Steps = WorkflowInput["steps"];

/**
 * Plans a few words that follow on what was done before in a conversation: the last step is done again with
 * what it was handed then and the change, or more is found beside it, or a deck is made of what was found.
 * `nothing` where they refer to what is not there; undefined where they stand for themselves.
 */
export function planFollowUp(
  task: string,
  agents: readonly AgentEntry[],
  turns: readonly ToldTurn[],
): WorkflowInput | "nothing" | undefined {
  const asks = turns.length === 0 ? undefined : followUpIn(task);
  if (asks === undefined) return undefined;
  const base = turns.findLast((turn) => turn.steps.some((step) => step.found && step.kind === "agent"));
  if (base === undefined) return asks.kind === "add" ? undefined : "nothing";
  const plan = planOn({ task, agents, turns, base }, asks);
  return plan ?? "nothing";
}

interface Ground {
  readonly task: string;
  readonly agents: readonly AgentEntry[];
  readonly turns: readonly ToldTurn[];
  /** The latest turn that found something. */
  readonly base: ToldTurn;
}

function planOn(ground: Ground, asks: FollowUp): WorkflowInput | undefined {
  const { task, agents, base } = ground;
  const last = lastSteps(base);
  const decks = last.filter((step) => isDeck(step, agents));
  switch (asks.kind) {
    case "vary":
      return planByRules(varied(standsAlone(ground), asks.what), agents);
    case "add":
      if (decks.length > 0) return withMore(ground, asks.what, decks);
      return planByRules(`${standsAlone(ground).replace(/[\s.?!]+$/, "")}, with ${asks.what}`, agents);
    case "present":
      return decks.length > 0 ? again(task, last, ground) : presented(ground);
    default:
      return again(task, last, ground);
  }
}

/** Done again with what they were handed then. */
function again(task: string, last: readonly ToldStep[], ground: Ground): WorkflowInput | undefined {
  const steps = last.flatMap((step) => redone(step, task, ground) ?? []);
  return steps.length === 0 ? undefined : workflow(task, steps);
}

function redone(step: ToldStep, task: string, ground: Ground): Steps[number] | undefined {
  const { agents, base } = ground;
  const agent = agents.find(({ name }) => name === step.agent);
  if (step.kind === "human" || agent === undefined) return undefined;
  const deck = isDeck(step, agents);
  const first =
    deck && readSubject(step.instruction) === undefined ? aboutWhat(step, base) : step.instruction;
  return {
    id: step.id,
    agent: agent.name,
    instruction: withChange(first, task),
    depends_on: [],
    earlier: inputsOf(step, ground),
    ...(deck ? { timeout_seconds: 600 } : {}),
  };
}

/** A deck's subject stands in what was asked first; what is asked now names none. */
function aboutWhat(step: ToldStep, base: ToldTurn): string {
  const asked = base.asked.trim() === "" ? readChanges(step.instruction).first : base.asked;
  return withSubject(step.instruction, { kind: "overview", subject: topicOf(asked, true) });
}

/** More is found, and the deck made again with it and with what it was handed then. */
function withMore(ground: Ground, what: string, decks: readonly ToldStep[]): WorkflowInput | undefined {
  const { task, agents } = ground;
  const data = intentsOf(what).has("data") ? agentFor("data", agents, what) : undefined;
  const documents = agentFor("documents", agents, what);
  const found =
    data === undefined
      ? documents && research(documents, { kind: "overview", subject: what }, task)
      : figures(data, what);
  if (found === undefined) return undefined;
  const steps = decks.flatMap((step) => redone(step, task, ground) ?? []);
  if (steps.length === 0) return undefined;
  const id = steps.some((step) => step.id === found.id) ? "more" : found.id;
  return workflow(task, [{ ...found, id }, ...steps.map((step) => ({ ...step, depends_on: [id ?? ""] }))]);
}

/** A deck of everything the turn found. */
function presented(ground: Ground): WorkflowInput | undefined {
  const { task, agents, base } = ground;
  const deck = agentFor("deck", agents, task);
  const found = base.steps.filter((step) => step.found && !isDeck(step, agents));
  if (deck === undefined || found.length === 0) return undefined;
  const asked = standsAlone(ground);
  const subject = readSubject(found[0]?.instruction ?? "")?.subject ?? topicOf(plainSubject(asked), false);
  const step = deckStep(
    deck,
    asked,
    { kind: "overview", subject },
    found.some(({ charts }) => charts > 0),
  );
  const { instruction, ...rest } = step;
  return workflow(task, [
    {
      ...rest,
      instruction: withChange(instruction, task),
      depends_on: [],
      earlier: found.map(({ name }) => name),
    },
  ]);
}

/** "What was the revenue by region in 2025?" is about "revenue by region in 2025". */
function plainSubject(asked: string): string {
  return asked
    .replace(/^(?:what|which|who|how (?:much|many))\s+(?:is|are|was|were|do|does|did)\s+/i, "")
    .replace(/^(?:the|our)\s+/i, "")
    .replace(/[\s.?!]+$/, "");
}

/** The last request of the conversation that can be understood alone. */
function standsAlone({ turns, base }: Ground): string {
  const [only, ...others] = base.steps.filter((step) => step.kind === "agent");
  if (only !== undefined && others.length === 0 && base.steps.length === 1) {
    const { first } = readChanges(only.instruction);
    return readSubject(first)?.subject ?? first;
  }
  const alone = turns.findLast((turn) => turn.turn <= base.turn && followUpIn(turn.asked) === undefined);
  return (alone ?? base).asked;
}

/** Names of what a step was handed, as far as it is there. */
function inputsOf(step: ToldStep, { turns }: Ground): string[] {
  const found = new Set(turns.flatMap((turn) => turn.steps.flatMap((one) => (one.found ? one.name : []))));
  return [...new Set(step.inputs)].filter((name) => found.has(name));
}

/** The step whose answer was the run's, else all that nothing was built upon. */
function lastSteps({ steps, answer_step: answer }: ToldTurn): readonly ToldStep[] {
  const one = steps.filter((step) => step.id === answer);
  if (one.length > 0) return one;
  const used = new Set(steps.flatMap((step) => step.inputs));
  return steps.filter((step) => !used.has(step.name));
}

function isDeck(step: ToldStep, agents: readonly AgentEntry[]): boolean {
  const agent = agents.find(({ name }) => name === step.agent);
  return agent !== undefined && mainRole(agent) === "deck";
}

function workflow(task: string, steps: Steps): WorkflowInput {
  const needed = new Set(steps.flatMap((step) => step.depends_on ?? []));
  const sinks = steps.filter(({ id }) => id === undefined || !needed.has(id));
  return {
    version: 1,
    name: nameOf(task),
    mode: "parallel",
    steps,
    final: sinks.length === 1 ? "passthrough" : "synthesize",
  };
}
