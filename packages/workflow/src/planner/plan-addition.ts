import { asPeriod, oneLine, varied, type FollowUp } from "@troupe/core/request";

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
import { intentsOf } from "./intents.ts";
import { askForFigures, figures, research, singleStep } from "./plan-by-rules.ts";
import { agentFor } from "./roles.ts";
import type { ToldStep } from "./told-thread.ts";

type Addition = Omit<Extract<FollowUp, { readonly kind: "add" }>, "kind">;

/** They stand beside every statement, and on a slide of their own. */
const SOURCES = /^(?:all |the |its |your )*(?:sources?|citations?|references?)(?: slide)?$/i;

/**
 * More beside what was made: it is found, and the presentation made again with it and with what it was made of; an
 * answer is given again with what is found beside it.
 */
export function planAddition(ground: Ground, addition: Addition): WorkflowInput | Refusal {
  const { agents, last, task } = ground;
  const decks = last.filter((step) => roleOf(step, agents) === "deck");
  if (SOURCES.test(addition.what))
    return followingPlan(
      task,
      last.flatMap((step) => redone(step, ground, task) ?? []),
    );
  if (decks.length === 0 && addition.slide)
    return {
      refusal: `there is no presentation before that "${task}" could add a slide to; "make a deck of that" makes one of what was found`,
    };
  const found = moreOf(ground, addition.what, decks);
  if (found === undefined) return { refusal: `no agent finds "${addition.what}"` };
  const again = last.flatMap((step) => redone(step, ground, decks.includes(step) ? task : undefined) ?? []);
  if (again.length === 0) return { refusal: "no agent is there that could do again what was done before" };
  const id = again.some((step) => step.id === found.id) ? "more" : (found.id ?? "more");
  const more = { ...found, id };
  return followingPlan(
    task,
    decks.length === 0
      ? [...again, more]
      : [more, ...again.map((step) => ({ ...step, depends_on: [...(step.depends_on ?? []), id] }))],
  );
}

/** The step that finds it: another time of the figures that were asked for, other figures, or what documents say. */
function moreOf(ground: Ground, what: string, decks: readonly ToldStep[]): Steps[number] | undefined {
  const { agents, last, task } = ground;
  const asked = decks.length === 0 ? last : decks.flatMap((deck) => inputsOf(deck, ground));
  const before = asked.find((step) => roleOf(step, agents) === "data");
  const data = agentFor("data", agents, what);
  if (data !== undefined && before !== undefined && asPeriod(what) !== undefined) {
    const question = varied(askedOf(before), { what, how: "other" }, true);
    if (question !== undefined)
      return { ...figures(data, question), instruction: askForFigures(question, task) };
  }
  if (data !== undefined && intentsOf(what).has("data")) return figures(data, what);
  const documents = agentFor("documents", agents, what);
  if (documents === undefined) return undefined;
  if (decks.length > 0) return research(documents, { kind: "overview", subject: what }, task);
  const [question] = singleStep(`What do the documents say about ${oneLine(what)}?`, documents).steps;
  return question && { ...question, depends_on: [] };
}
