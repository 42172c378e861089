import { skillWords, type AgentEntry } from "@troupe/core";

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

/**
 * The agent that fits a role best: by what the task speaks of, then by tags; the first named wins a tie.
 * One that is down only where none of that role is up: the task is then refused by its name.
 */
export function agentFor(role: Role, agents: readonly AgentEntry[], task = ""): AgentEntry | undefined {
  const best = (status: AgentEntry["status"]): AgentEntry | undefined => {
    const ranked = agents
      .filter((agent) => agent.status === status && mainRole(agent) === role)
      .map((agent) => ({ agent, score: fit(agent, role) + 2 * sharedWords(task, agent) }));
    return ranked.toSorted((a, b) => b.score - a.score)[0]?.agent;
  };
  return best("up") ?? best("down");
}

/** The one agent of no such kind that does something else, by its skills' tags, names and examples. */
export function specialistFor(task: string, agents: readonly AgentEntry[]): AgentEntry | undefined {
  const words = skillWords(task);
  const fitting = agents.filter((agent) => {
    if (mainRole(agent) !== undefined) return false;
    const named = agent.skills.flatMap((skill) => [...skill.tags, skill.id, skill.name]);
    if (named.some((name) => [...skillWords(name)].some((word) => words.has(word)))) return true;
    return agent.skills.some((skill) => skill.examples.some((example) => isLike(words, example)));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** More than half of what an example says, its numbers aside, stands in the task too. */
function isLike(task: ReadonlySet<string>, example: string): boolean {
  const words = [...skillWords(example)].filter((word) => !/^\d+$/.test(word));
  return words.filter((word) => task.has(word)).length * 2 > words.length;
}

/** How many of the task's words an agent's skills speak of. */
export function sharedWords(task: string, agent: AgentEntry): number {
  const own = skillWords(
    agent.skills
      .flatMap(({ name, description, tags, examples }) => [name, description, ...tags, ...examples])
      .join(" "),
  );
  return [...skillWords(task)].filter((word) => own.has(word)).length;
}

/** An agent is taken for what it fits most: a deck agent that lists `charts` stays a deck agent. */
export function mainRole(agent: AgentEntry): Role | undefined {
  const roles: readonly Role[] = ["deck", "data", "documents"];
  let best: Role | undefined;
  let bestScore = 0;
  for (const role of roles) {
    const score = fit(agent, role);
    if (score > bestScore) [best, bestScore] = [role, score];
  }
  return best;
}
