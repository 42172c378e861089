import type { AgentEntry } from "@troupe/core";

/** What kinds of work the fixed rules can tell apart. */
export type Role = "documents" | "data" | "deck";

/** Tags and skill ids an agent says it does each kind of work with. */
const TAGS: { readonly [R in Role]: ReadonlySet<string> } = {
  documents: new Set(["documents", "document", "retrieval", "rag", "search", "citations", "knowledge"]),
  data: new Set(["data", "sql", "analytics", "query", "charts", "chart"]),
  deck: new Set(["presentation", "presentations", "deck", "slides", "powerpoint", "pptx"]),
};

/** How many of a role's words stand in the agent's skill tags, and half as much for its skill ids. */
function fit(agent: AgentEntry, role: Role): number {
  const tags = TAGS[role];
  let score = 0;
  for (const skill of agent.skills) {
    score += skill.tags.filter((tag) => tags.has(tag.toLowerCase())).length;
    score +=
      skill.id
        .toLowerCase()
        .split(/[-_.\s]+/)
        .filter((word) => tags.has(word)).length / 2;
  }
  return score;
}

/** The agent that fits a role best, of those that are up; the first named wins a tie. */
export function agentFor(role: Role, agents: readonly AgentEntry[]): AgentEntry | undefined {
  let best: AgentEntry | undefined;
  let bestScore = 0;
  for (const agent of agents) {
    if (agent.status !== "up" || mainRole(agent) !== role) continue;
    const score = fit(agent, role);
    if (score > bestScore) [best, bestScore] = [agent, score];
  }
  return best;
}

/** An agent is taken for what it fits most: a deck agent that lists `charts` stays a deck agent. */
function mainRole(agent: AgentEntry): Role | undefined {
  const roles: readonly Role[] = ["deck", "data", "documents"];
  let best: Role | undefined;
  let bestScore = 0;
  for (const role of roles) {
    const score = fit(agent, role);
    if (score > bestScore) [best, bestScore] = [role, score];
  }
  return best;
}
