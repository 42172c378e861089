import { readChanges, readSubject, withChange, withSubject } from "@troupe/core";
import { varied, type FollowUp } from "@troupe/core/request";

import type { WorkflowInput } from "../schema/workflow-schema.ts";
import {
  askedOf,
  followingPlan,
  inputsOf,
  redone,
  roleOf,
  type Ground,
  type Refusal,
  type Steps,
} from "./follow-up-ground.ts";
import { askForFigures, askForFindings } from "./plan-by-rules.ts";
import type { ToldStep } from "./told-thread.ts";

type Variation = Pick<Extract<FollowUp, { readonly kind: "vary" }>, "what" | "how">;

/**
 * The earlier request with another time, grouping or part of the figures. Of a presentation the figures are
 * queried anew and it is made again of them and of all else that it was made of; of an answer, the step that
 * can follow it is asked again. A refusal says what cannot be told.
 */
export function planVariation(ground: Ground, variation: Variation): WorkflowInput | Refusal {
  const { agents, last, task } = ground;
  const decks = last.filter((step) => roleOf(step, agents) === "deck");
  if (decks.length > 0) return ofDecks(ground, variation, decks);
  const figures = last.filter((step) => roleOf(step, agents) === "data");
  const steps: Steps[number][] = [];
  for (const step of figures.length > 0 ? figures : last) {
    const asked = asksVaried(step, ground, variation);
    if ("refusal" in asked) return asked;
    steps.push(asked);
  }
  return followingPlan(task, steps);
}

function ofDecks(ground: Ground, variation: Variation, decks: readonly ToldStep[]): WorkflowInput | Refusal {
  const { agents, task } = ground;
  const inputs = decks.flatMap((deck) => inputsOf(deck, ground));
  const figures = new Map(
    inputs.filter((step) => roleOf(step, agents) === "data").map((step) => [step.name, step]),
  );
  if (figures.size === 0)
    return {
      refusal: `the presentation before has no figures that "${task}" could change, and what documents say cannot be changed so by fixed rules; ask for the whole presentation with that in it`,
    };
  const asked: Steps[number][] = [];
  for (const step of figures.values()) {
    const again = asksVaried(step, ground, variation);
    if ("refusal" in again) return again;
    const taken = [...asked, ...decks].some(({ id }) => id === again.id);
    asked.push(taken ? { ...again, id: `figures-${asked.length + 1}` } : again);
  }
  const made = decks.flatMap((deck): Steps => {
    const again = redone(deck, ground, task);
    if (again === undefined) return [];
    const { instruction = "" } = again;
    const others = (again.earlier ?? []).filter((name) => !figures.has(name));
    return [
      {
        ...again,
        instruction: others.length === 0 ? aboutVaried(instruction, variation) : instruction,
        earlier: others,
        depends_on: asked.flatMap(({ id }) => id ?? []),
      },
    ];
  });
  return made.length === 0 ? noAgent(decks) : followingPlan(task, [...asked, ...made]);
}

/** A presentation of figures alone is named by what is asked of them. */
function aboutVaried(instruction: string, variation: Variation): string {
  const about = readSubject(instruction);
  const subject = about && varied(about.subject, variation, true);
  if (about === undefined || subject === undefined) return instruction;
  return withSubject(instruction.slice(0, instruction.lastIndexOf("\n")), { ...about, subject });
}

/** One step with its question varied, and every other change that was asked of it since. */
function asksVaried(step: ToldStep, ground: Ground, variation: Variation): Steps[number] | Refusal {
  const role = roleOf(step, ground.agents);
  // Who does something else may understand it.
  if (role === undefined || role === "deck") return redone(step, ground, ground.task) ?? noAgent([step]);
  const asked = askedOf(step);
  const question = varied(asked, variation, role === "data");
  if (question === undefined)
    return {
      refusal: `fixed rules cannot tell what "${ground.task}" takes the place of in "${asked}"; ask the whole question with that in it`,
    };
  const again = redone(step, ground);
  if (again === undefined) return noAgent([step]);
  const { changes } = readChanges(step.instruction);
  const about = readSubject(step.instruction);
  const instruction =
    about === undefined
      ? question
      : role === "data"
        ? askForFigures(question, ground.task)
        : askForFindings({ ...about, subject: question }, ground.task);
  return { ...again, instruction: changes.reduce(withChange, instruction) };
}

const noAgent = (steps: readonly ToldStep[]): Refusal => ({
  refusal: `it needs ${[...new Set(steps.map(({ agent }) => agent || "a person"))].join(", ")} again, and there is no such agent`,
});
