import { sameWord, wordsOf, type Word } from "../words.ts";

/** An agent as the planner lists it. */
export interface ListedAgent {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Names of the documents, or of the tables and columns, that it can read. */
  readonly holds?: string;
  readonly skills: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples: readonly string[];
  }[];
}

export type Role = "documents" | "data" | "deck";

/** Tags, and parts of skill ids, that name a role. */
const TAGS: { readonly [R in Role]: ReadonlySet<string> } = {
  documents: new Set(["documents", "document", "retrieval", "rag", "search", "citations", "knowledge"]),
  data: new Set(["data", "sql", "analytics", "query", "charts", "chart"]),
  deck: new Set(["presentation", "presentations", "deck", "slides", "powerpoint", "pptx"]),
};

/** The role that most of an agent's tags name; undefined where they name none. */
export function roleOf(agent: ListedAgent): Role | undefined {
  const roles = (["deck", "data", "documents"] as const).map((role) => ({ role, fit: fit(agent, role) }));
  const best = roles.toSorted((a, b) => b.fit - a.fit)[0];
  return best === undefined || best.fit === 0 ? undefined : best.role;
}

function fit({ skills }: ListedAgent, role: Role): number {
  const count = (words: readonly string[]): number => words.filter((word) => TAGS[role].has(word)).length;
  return skills.reduce(
    (sum, { id, tags }) =>
      sum + count(tags.map((tag) => tag.toLowerCase())) + count(id.toLowerCase().split(/[-_.\s]+/)) / 2,
    0,
  );
}

/** The agent of a role whose skills share most words with the request; the first listed wins a tie. */
export function agentOf(
  role: Role,
  agents: readonly ListedAgent[],
  words: readonly Word[],
): ListedAgent | undefined {
  return agents
    .filter((agent) => roleOf(agent) === role)
    .map((agent) => ({ agent, score: sharedWords(agent, words) }))
    .toSorted((a, b) => b.score - a.score)[0]?.agent;
}

/** How many of the words are in the description of an agent and its skills. */
export function sharedWords({ title, description, skills }: ListedAgent, words: readonly Word[]): number {
  const text = [
    title,
    description,
    ...skills.flatMap((skill) => [
      skill.id.replaceAll(/[-_.]/g, " "),
      skill.name,
      skill.description,
      ...skill.tags,
      ...skill.examples,
    ]),
  ].join(" ");
  const own = wordsOf(text).map(({ folded }) => folded);
  return words.filter(({ folded }) => own.some((word) => sameWord(word, folded))).length;
}
