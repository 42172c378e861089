import type { AgentEntry, AgentSkill } from "../ports/agent.ts";
import { skillWords } from "./skill-words.ts";

/** A skill that speaks of what was asked. */
export interface SkillMatch {
  readonly agent: string;
  readonly skill: string;
  /** Larger is better; comparable within one lookup only. */
  readonly score: number;
  /** The words that were found, in the order of the alphabet. */
  readonly words: readonly string[];
}

interface Indexed {
  readonly agent: string;
  readonly skill: string;
}

/** Words to the skills that have them, and how much each counts there. */
export interface SkillsIndex {
  readonly skills: readonly Indexed[];
  readonly words: ReadonlyMap<string, readonly { readonly at: number; readonly weight: number }[]>;
}

/** Skills of one agent, and examples of one skill, that are read: a card is a stranger's. */
const MAX_SKILLS = 100;
const MAX_EXAMPLES = 20;

/** What an agent chose to be found by counts more than what it says beside it. */
const WEIGHTS: readonly (readonly [weight: number, text: (skill: AgentSkill) => string])[] = [
  [3, ({ tags }) => tags.join(" ")],
  [2, ({ id, name }) => `${id} ${name}`],
  [1, ({ examples }) => examples.slice(0, MAX_EXAMPLES).join(" ")],
];

/** The skills of the agents that are up, by the words of their tags, names and examples. */
export function skillsIndex(agents: readonly AgentEntry[]): SkillsIndex {
  const skills: Indexed[] = [];
  const words = new Map<string, { readonly at: number; readonly weight: number }[]>();
  for (const { name, status, skills: own } of agents) {
    if (status !== "up") continue;
    for (const skill of own.slice(0, MAX_SKILLS)) {
      const at = skills.push({ agent: name, skill: skill.id }) - 1;
      for (const [word, weight] of weighed(skill)) {
        const found = words.get(word);
        if (found === undefined) words.set(word, [{ at, weight }]);
        else found.push({ at, weight });
      }
    }
  }
  return { skills, words };
}

/** Each word once, with the largest of its weights. */
function weighed(skill: AgentSkill): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [weight, text] of WEIGHTS)
    for (const word of skillWords(text(skill))) weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  return weights;
}

/**
 * The skills that speak of what a text asks for, best first. A word that few skills have says more than
 * one that many have. The same agents and text give the same list, in whichever order the agents came.
 */
export function findSkills(index: SkillsIndex, text: string): readonly SkillMatch[] {
  const found = new Map<number, { score: number; words: string[] }>();
  for (const word of [...skillWords(text)].toSorted()) {
    const hits = index.words.get(word) ?? [];
    const rarity = Math.log(1 + index.skills.length / Math.max(1, hits.length));
    for (const { at, weight } of hits) {
      const match = found.get(at) ?? { score: 0, words: [] };
      match.score += weight * rarity;
      match.words.push(word);
      found.set(at, match);
    }
  }
  const matches = [...found].flatMap(([at, match]) => {
    const skill = index.skills[at];
    return skill === undefined ? [] : [{ ...skill, ...match }];
  });
  return matches.toSorted(
    (a, b) => b.score - a.score || compare(a.agent, b.agent) || compare(a.skill, b.skill),
  );
}

/** By code unit, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
