import { deedIn, type AgentEntry } from "@troupe/core";

import { mainRole, specialistFor, type Role } from "./roles.ts";

const DOES: { readonly [R in Role]: string } = {
  documents: "answers questions from documents",
  data: "queries data and draws charts",
  deck: "makes presentations",
};

/**
 * Why a task is refused: it orders a deed, such as sending or deleting something, and no agent has a
 * skill for that. It says what can be asked for in its place. Undefined where the task is none such.
 */
export function refusalOf(task: string, agents: readonly AgentEntry[]): string | undefined {
  const deed = deedIn(task);
  if (deed === undefined || specialistFor(task, agents) !== undefined) return undefined;
  const roles = new Set(agents.map(mainRole));
  const does = (["documents", "data", "deck"] as const).filter((role) => roles.has(role));
  // An agent of another kind may do it, for all the fixed rules know.
  if (does.length === 0) return undefined;
  return `none can "${deed}"; Troupe ${listed(does.map((role) => DOES[role]))}.`;
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1) ?? ""}`;
