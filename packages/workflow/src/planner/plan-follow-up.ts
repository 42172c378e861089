import { readSubject, withChange, type AgentEntry } from "@troupe/core";
import { followUpIn, type FollowUp } from "@troupe/core/request";
import { unreachable } from "@troupe/stream";

import type { WorkflowInput } from "../schema/workflow-schema.ts";
import {
  askedOf,
  followingPlan,
  groundOf,
  redone,
  roleOf,
  type Ground,
  type Refusal,
} from "./follow-up-ground.ts";
import { topicOf } from "./intents.ts";
import { planAddition } from "./plan-addition.ts";
import { deckStep } from "./plan-by-rules.ts";
import { planVariation } from "./plan-variation.ts";
import { agentFor } from "./roles.ts";
import type { ToldTurn } from "./told-thread.ts";

/** What figures can be without, that is a form and no part of them. */
const FORM =
  /\b(?:charts?|graphs?|tables?|figures?|numbers?|sources?|notes?|slides?|agenda|details?|titles?)\b/i;

/**
 * Plans a few words that follow on what was done before in a conversation: the last step is done again with
 * what it was handed then and the change, or more is found beside it, or the same is asked of something else, or
 * a deck is made of what was found. A refusal says what they lack; undefined where they stand for themselves.
 */
export function planFollowUp(
  task: string,
  agents: readonly AgentEntry[],
  turns: readonly ToldTurn[],
): WorkflowInput | Refusal | undefined {
  const asks = turns.length === 0 ? undefined : followUpIn(task);
  if (asks === undefined) return undefined;
  const ground = groundOf(task, agents, turns);
  if (ground !== undefined) return planOn(ground, asks);
  return asks.kind === "add"
    ? undefined
    : {
        refusal: `nothing before in this conversation has a result that "${task}" could change; say all of what is wanted`,
      };
}

function planOn(ground: Ground, asks: FollowUp): WorkflowInput | Refusal {
  const { agents, last } = ground;
  const roles = new Set(last.map((step) => roleOf(step, agents)));
  switch (asks.kind) {
    case "vary":
      return planVariation(ground, asks);
    case "without":
      return roles.size === 1 && roles.has("data") && !FORM.test(asks.what)
        ? planVariation(ground, { what: `excluding ${asks.what}`, how: "only" })
        : again(ground);
    case "add":
      return planAddition(ground, asks);
    case "present":
      return roles.has("deck") ? again(ground) : presented(ground);
    case "change":
      return again(ground);
    default:
      return unreachable(asks);
  }
}

/** Done again with what they were handed then. */
function again(ground: Ground): WorkflowInput | Refusal {
  const { task, last } = ground;
  const steps = last.flatMap((step) => redone(step, ground, task) ?? []);
  return steps.length === 0
    ? { refusal: `no agent is there that could do again what "${task}" changes` }
    : followingPlan(task, steps);
}

/** A deck of everything the turn found. */
function presented({ task, agents, turns, base }: Ground): WorkflowInput | Refusal {
  const deck = agentFor("deck", agents, task);
  const found = base.steps.filter((step) => step.found && roleOf(step, agents) !== "deck");
  if (deck === undefined || found.length === 0)
    return { refusal: "no agent makes presentations of what was found before" };
  const asked = standsAlone(turns, base);
  const subject = readSubject(found[0]?.instruction ?? "")?.subject ?? topicOf(plainSubject(asked), false);
  const { instruction, ...step } = deckStep(
    deck,
    asked,
    { kind: "overview", subject },
    found.some(({ charts }) => charts > 0),
  );
  const earlier = found.map(({ name }) => name);
  return followingPlan(task, [
    { ...step, instruction: withChange(instruction, task), depends_on: [], earlier },
  ]);
}

/** "What was the revenue by region in 2025?" is about "revenue by region in 2025". */
function plainSubject(asked: string): string {
  return asked
    .replace(/^(?:what|which|who|how (?:much|many))\s+(?:is|are|was|were|do|does|did)\s+/i, "")
    .replace(/^(?:the|our)\s+/i, "")
    .replace(/[\s.?!]+$/, "");
}

/** What the turn was asked, as it can be understood alone. */
function standsAlone(turns: readonly ToldTurn[], base: ToldTurn): string {
  const [only, ...others] = base.steps.filter((step) => step.kind === "agent");
  if (only !== undefined && others.length === 0 && base.steps.length === 1) return askedOf(only);
  const alone = turns.findLast((turn) => turn.turn <= base.turn && followUpIn(turn.asked) === undefined);
  return (alone ?? base).asked;
}
