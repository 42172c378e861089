import { type AgentEntry } from "@troupe/core";
import { deedIn } from "@troupe/core/request";

import { intentsOf } from "./intents.ts";
import { mainRole, specialistFor, type Role } from "./roles.ts";
import { thenOrdered } from "./then-ordered.ts";

const DOES: { readonly [R in Role]: string } = {
  documents: "answers questions from documents",
  data: "queries data and draws charts",
  deck: "makes presentations",
};

const PARTS: { readonly [R in Role]: string } = {
  documents: "what documents say",
  data: "figures from data",
  deck: "a presentation",
};

/** Something is to be made; "what do the slides say" asks for none. */
const ORDER =
  /^(?:(?:please|can you|could you|i need|we need|give me)\s+)?(?:make|create|build|prepare|generate|produce|draft|write|put together|(?:an?\s+)?(?:\w+\s+)?(?:presentation|(?:slide ?)?deck|slides))\b/i;

/**
 * Why a task is refused. It orders a deed, such as sending or deleting something, and no agent has a
 * skill for that, as the whole or with what else is asked for; it then says what can be asked for in its place. Or it orders a presentation, and
 * nobody does a part of it: one without that part would be taken for the whole. Undefined else.
 */
export function refusalOf(task: string, agents: readonly AgentEntry[]): string | undefined {
  const then = thenOrdered(task);
  if (then !== undefined && specialistFor(then.deed, agents) === undefined) return cannot(then.deed, agents);
  if (specialistFor(task, agents) !== undefined) return undefined;
  const deed = deedIn(task);
  return deed === undefined ? missingPart(task, new Set(agents.map(mainRole))) : cannot(deed, agents);
}

function cannot(deed: string, agents: readonly AgentEntry[]): string | undefined {
  const roles = new Set(agents.map(mainRole));
  const does = (["documents", "data", "deck"] as const).filter((role) => roles.has(role));
  // An agent of another kind may do it, for all the fixed rules know.
  if (does.length === 0) return undefined;
  return `none can "${deed}"; Troupe ${listed(does.map((role) => DOES[role]))}.`;
}

function missingPart(task: string, roles: ReadonlySet<Role | undefined>): string | undefined {
  const intents = intentsOf(task);
  if (!intents.has("deck") || !ORDER.test(task.trim())) return undefined;
  // A lone agent of another kind is asked everything; it may well make them.
  if (roles.size === 1 && roles.has(undefined)) return undefined;
  const missing = (["deck", "documents", "data"] as const).find(
    (role) => intents.has(role) && !roles.has(role),
  );
  return missing && `it asks for ${PARTS[missing]}, and there is no agent that ${DOES[missing]}.`;
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1) ?? ""}`;
