import type { AgentEntry } from "@troupe/core";

/** An agent as a directory lists it, with one skill of these tags. */
export function agentEntry(
  name: string,
  tags: readonly string[],
  more: Partial<AgentEntry> = {},
): AgentEntry {
  return {
    name,
    title: name,
    description: `Does ${tags.join(", ")}.`,
    version: "1.0.0",
    skills: [{ id: `${name}-skill`, name, description: "", tags, examples: [] }],
    status: "up",
    ...more,
  };
}

/** A team of three whose names say nothing: rules must go by tags. */
export const trialTeam: readonly AgentEntry[] = [
  agentEntry("alpha", ["documents", "retrieval"]),
  agentEntry("beta", ["data", "sql", "chart"]),
  agentEntry("gamma", ["presentation", "deck", "chart"]),
];
