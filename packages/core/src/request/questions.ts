import { bare } from "./phrase.ts";

/** What a question begins with, as a pattern. */
export const ASKING_WORD = "(?:what|who|whom|whose|when|where|which|why|how)";
const ASKING_VERB =
  "(?:is|are|am|do|does|did|has|have|had|can|could|may|must|shall|should|will|would|was|were)";
const ASKS = new RegExp(
  `\\?\\s*$|^(?:and |since |until |by |from |to |in |at |for |with )?${ASKING_WORD}\\b|^${ASKING_VERB}\\b|^(?:the )?(?:total )?number of\\b`,
  "i",
);

/** Whether a line asks something, by its first word or its mark. Other lines name a subject or give an order. */
export const asksQuestion = (line: string): boolean => ASKS.test(line.trim());

/**
 * Before the next question of a line. What follows "which" or "who" after a mere comma belongs to what stands before it, as does
 * "and has the authority": has asks only before a pronoun.
 */
const NEXT = new RegExp(
  `\\?\\s+(?=\\S)|(?:\\s*[,;]\\s*|\\s+)(?:and|but|plus)\\s+(?:also\\s+)?(?=(?:(?:since|until|by|from|in|at) )?${ASKING_WORD}\\b|${ASKING_VERB}\\s+(?:it|they|there|i|we|you|he|she)\\b|(?!ha[sd]\\b|have\\b)${ASKING_VERB}\\s+(?:the|an?|our)\\b)|;\\s*(?=${ASKING_WORD}\\b)`,
  "giu",
);
const BACK = /\b(it|its|they|them|their)\b/i;
/** Asks for a thing and leaves out of what: "what is the budget". */
const BARE_THING = /^(?:what|when|where|who|how \p{L}+) (?:is|are|was|were) the [\p{L}-]+$/iu;
const PLURAL = "(?:[\\p{L}-]+s|people|women|men|children)";
/**
 * "How many employees and customers are there": two counts. "Sales and marketing people" are one, so only single words are taken
 * for two things, unless each has its "how many".
 */
const TWO_COUNTS = new RegExp(
  `^how many (?:(${PLURAL}) and (${PLURAL})|((?:\\S+ )?${PLURAL}) and how many (\\S+(?: \\S+)?)) (${ASKING_VERB}\\b.+)$`,
  "iu",
);
/** Leaves out what it is of, which the question before it says: "and which sells least", "and how much in 2025". */
const ELLIPTIC =
  /^(?:which (?:sells?|sold|buys?|bought|is|are|was|were|has|have|had)|how(?: much| many)? (?:in|for|from|by|per|of))\b/i;
/** Known to the answer alone: nobody can be put in their place. */
const PERSON = /\b(?:he|she|him|his|her)\b/i;

/** Each question costs searches of its own. */
const MOST_QUESTIONS = 8;

/** What a line asks. */
export interface Questions {
  /** At least one, at most 8, each as it would be asked alone. */
  readonly questions: readonly string[];
  /** Those beyond the limit: who answers says that they are left out. */
  readonly unasked: readonly string[];
}

/**
 * The questions of a line, each as it would be asked alone: what `it` stands for is put in its place.
 * One where there is one, or where a part of it cannot stand alone. `named` is what was spoken of before.
 */
export function questionsIn(line: string, named = ""): Questions {
  return capped(partsAsked(line, named));
}

export const capped = (asked: readonly string[]): Questions => ({
  questions: asked.slice(0, MOST_QUESTIONS),
  unasked: asked.slice(MOST_QUESTIONS),
});

function partsAsked(line: string, before: string): readonly string[] {
  const [, one, other, former, latter, rest] = TWO_COUNTS.exec(line) ?? [];
  if (rest !== undefined)
    return [one ?? former ?? "", other ?? latter ?? ""].map((thing) => `How many ${thing} ${bare(rest)}?`);
  const parts = line.split(NEXT).map((part) => part.trim());
  const [first = ""] = parts;
  if (
    (parts.length < 2 && before === "") ||
    !asksQuestion(first) ||
    parts.some((part) => part.split(" ").length < 3)
  )
    return [line];
  if (parts.slice(1).some((part) => ELLIPTIC.test(part))) return [line];
  const alone: string[] = [];
  let named = before;
  for (const part of parts) {
    const whole = PERSON.test(part) ? undefined : standing(bare(part), named);
    if (whole === undefined) return [line];
    alone.push(`${whole}?`);
    named = thingIn(whole) ?? named;
  }
  return alone;
}

/** A part of a line with the thing named before it where it speaks of that; undefined where nothing was named. */
function standing(part: string, named: string): string | undefined {
  const [, word] = BACK.exec(part) ?? [];
  if (word !== undefined) {
    const own = /^(?:its|their)$/i.test(word) ? `${named}'s` : named;
    return named === "" ? undefined : part.replace(BACK, own);
  }
  return BARE_THING.test(part) && named !== "" ? `${part} of ${named}` : part;
}

const THING = "(?:the|our|an?) [^,]+?";
/** What something is asked of ends where it is said to do something. */
const OF_THING = new RegExp(`\\b(?:of|in|for|owns?|leads?|called) (${THING})(?= ${ASKING_VERB}\\b|$)`, "i");
const DOER = /\b(?:does|do|did) (?:the|our|an?)\b/i;
const THING_DOES = new RegExp(
  `\\b(?:does|do|did) (${THING}) (?:say|mention|state|tell|require|allow|have|cost|reach|go|apply|mean|cover)\\b`,
  "i",
);

/** What a question is about, as far as its end or its names tell; empty where its words do not tell the thing from the deed. */
function thingIn(part: string): string | undefined {
  if (DOER.test(part)) return THING_DOES.exec(part)?.[1] ?? "";
  const names = part
    .replace(/^\S+\s/, "")
    .match(/(?<!\p{L})\p{Lu}[\p{L}\p{N}-]*(?: (?:\p{Lu}|\d)[\p{L}\p{N}-]*)*/gu);
  return OF_THING.exec(part)?.[1] ?? names?.at(-1);
}
