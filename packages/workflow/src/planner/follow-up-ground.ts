import { readChanges, readSubject, withChange, withSubject, type AgentEntry } from "@troupe/core";

import type { WorkflowInput } from "../schema/workflow-schema.ts";
import { topicOf } from "./intents.ts";
import { nameOf } from "./plan-by-rules.ts";
import { mainRole, type Role } from "./roles.ts";
import type { ToldStep, ToldTurn } from "./told-thread.ts";

export type Steps = WorkflowInput["steps"];

/** What a few words follow on. */
export interface Ground {
  readonly task: string;
  readonly agents: readonly AgentEntry[];
  readonly turns: readonly ToldTurn[];
  /** The latest turn that made something. */
  readonly base: ToldTurn;
  /** The steps of it that its answer came from. */
  readonly last: readonly ToldStep[];
}

/** Why words that follow on something are not planned. */
export interface Refusal {
  readonly refusal: string;
}

/** Undefined where no turn before made anything. */
export function groundOf(
  task: string,
  agents: readonly AgentEntry[],
  turns: readonly ToldTurn[],
): Ground | undefined {
  const base = turns.findLast(
    (turn) =>
      turn.steps.some((step) => step.found && step.kind === "agent") &&
      // A presentation that was not made is nothing to go on with: the one before it is.
      !turn.steps.some((step) => step.found && step.files.length === 0 && roleOf(step, agents) === "deck"),
  );
  return base === undefined ? undefined : { task, agents, turns, base, last: lastSteps(base) };
}

/**
 * The step whose answer was the run's, else all that nothing was built upon. What a person said is not done
 * again: in its place stand the steps of agents that came before it.
 */
function lastSteps({ steps, answer_step: answer }: ToldTurn): readonly ToldStep[] {
  const used = new Set(steps.flatMap((step) => step.inputs));
  const one = steps.filter((step) => step.id === answer);
  const last = one.length > 0 ? one : steps.filter((step) => !used.has(step.name));
  const ofAgents = (step: ToldStep): readonly ToldStep[] =>
    step.kind === "agent"
      ? [step]
      : steps.filter(({ name }) => step.inputs.includes(name)).flatMap((before) => ofAgents(before));
  return [...new Set(last.flatMap((step) => ofAgents(step)))];
}

export function roleOf(step: ToldStep, agents: readonly AgentEntry[]): Role | undefined {
  const agent = agents.find(({ name }) => name === step.agent);
  return agent && mainRole(agent);
}

/** The steps whose results a step was handed, as far as they are there. */
export function inputsOf(step: ToldStep, { turns }: Ground): readonly ToldStep[] {
  const known = new Map(turns.flatMap((turn) => turn.steps.map((one) => [one.name, one] as const)));
  return [...new Set(step.inputs)].flatMap((name) => {
    const input = known.get(name);
    return input?.found === true ? [input] : [];
  });
}

/** A step done again with what it was handed then, and the change, where there is one. */
export function redone(step: ToldStep, ground: Ground, change?: string): Steps[number] | undefined {
  const agent = ground.agents.find(({ name }) => name === step.agent);
  if (step.kind === "human" || agent === undefined) return undefined;
  const deck = mainRole(agent) === "deck";
  const first =
    deck && readSubject(step.instruction) === undefined ? aboutWhat(step, ground.base) : step.instruction;
  return {
    id: step.id,
    agent: agent.name,
    instruction: change === undefined ? first : withChange(first, change),
    depends_on: [],
    earlier: inputsOf(step, ground).map(({ name }) => name),
    ...(deck ? { timeout_seconds: 600 } : {}),
  };
}

/** A deck's subject stands in what was asked first; what is asked now names none. */
function aboutWhat(step: ToldStep, base: ToldTurn): string {
  const asked = base.asked.trim() === "" ? readChanges(step.instruction).first : base.asked;
  return withSubject(step.instruction, { kind: "overview", subject: topicOf(asked, true) });
}

/** What a step was asked, on one line: the subject it was told, or the first line. */
export function askedOf({ instruction }: Pick<ToldStep, "instruction">): string {
  const read = readSubject(instruction);
  return read?.subject ?? readChanges(instruction).first.trimStart().split("\n", 1)[0] ?? "";
}

export function followingPlan(task: string, steps: Steps): WorkflowInput {
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
