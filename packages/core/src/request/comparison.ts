import { bare, withoutCourtesy } from "./phrase.ts";
import { ASKING_WORD } from "./questions.ts";

/** Two things to be set side by side. */
export interface Comparison {
  readonly things: readonly [string, string];
  /** The side of them that is asked for, with its preposition: `the size of the team in`. */
  readonly aspect?: string;
}

const JOIN = "(?:with|to|and|against|versus|vs\\.?|or)";
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^(?:compare|contrast|compare and contrast)\\s+(?:both\\s+)?(.+?)\\s+${JOIN}\\s+(.+)$`, "i"),
  /\b(?:differences?|comparison|distinction) (?:is there |are there )?between\s+(?:both\s+)?(.+?)\s+(?:and|versus|vs\.?)\s+(.+)$/i,
  /\bcomparison of\s+(.+?)\s+(?:and|with|to|versus|vs\.?)\s+(.+)$/i,
  /^how (?:do|does|did)\s+(.+?)\s+(?:differ|deviate) from\s+(.+)$/i,
  /^how (?:is|are|was|were)\s+(.+?)\s+different (?:from|to|than)\s+(.+)$/i,
  /^(?:how|in what (?:way|respect)s?) (?:do|does|did)\s+(.+?)\s+and\s+(.+?)\s+differ$/i,
  /^how (?:do|does|did)\s+(.+?)\s+compare (?:with|to|against)\s+(.+)$/i,
  new RegExp(`^(?!${ASKING_WORD}\\b)(.+?)\\s+compared (?:with|to|against)\\s+(.+)$`, "i"),
  new RegExp(`^(?!${ASKING_WORD}\\b)(.+?)\\s+(?:versus|vs\\.?)\\s+(.+)$`, "i"),
];
const PREPOSITION = "(?:in|of|for|under|at|by|from|with|according to)";

/** The two things a line wants compared; undefined where it wants something else. */
export function comparisonIn(line: string): Comparison | undefined {
  const plain = bare(withoutCourtesy(line));
  for (const pattern of PATTERNS) {
    const [, one, other] = pattern.exec(plain) ?? [];
    if (one !== undefined && other !== undefined) return sides(one.trim(), other.trim());
  }
  return undefined;
}

/** "the size of the team in the old and in the new plan": what both are asked for is said once. */
function sides(one: string, other: string): Comparison {
  const again = new RegExp(`^(${PREPOSITION})\\s+(.+)$`, "i").exec(other);
  const year = /^(?:19|20)\d{2}$/.test(other);
  const preposition = again?.[1] ?? (year ? PREPOSITION : undefined);
  const shared =
    preposition === undefined ? null : new RegExp(`^(.+\\s${preposition})\\s+(.+)$`, "i").exec(one);
  const [, aspect, thing = one] = shared ?? [];
  const things = likened(thing, (shared === null ? undefined : again?.[2]) ?? other);
  return aspect === undefined ? { things } : { things, aspect };
}

/** "the 2026 one", "the 2024 and the 2026 plan": the noun stands with one of them. */
function likened(one: string, other: string): readonly [string, string] {
  const noun = (phrase: string): string => phrase.split(" ").at(-1) ?? "";
  if (/\bones?$/i.test(other)) return [one, other.replace(/\bones?$/i, noun(one))];
  const bareYear = /^the (?:(?:19|20)\d{2}|old|new|current|previous|first|second)$/i;
  return bareYear.test(one) ? [`${one} ${noun(other)}`, other] : [one, other];
}
