import { oneLine } from "@troupe/core/request";

/**
 * What a few words ask of what was done before them:
 * - `change`: the same in another form, as "shorter" or "now make it 5 slides";
 * - `add`: more beside it, as "add the sales figures"; `what` is the thing alone;
 * - `present`: a presentation of it, as "make slides of that";
 * - `vary`: the same of something else, as "and for 2025?"; `what` with its preposition, where it has one.
 */
export type FollowUp =
  | { readonly kind: "change" | "present" }
  | { readonly kind: "add" | "vary"; readonly what: string };

/** Who says more than that says what is meant. */
const MAX_CHARS = 200;
const FEW_WORDS = 6;

const LEAD =
  /^(?:(?:and|now|then|next|ok(?:ay)?|please|also|so|but|actually|instead|no|yes|thanks?|thank you|great|good|nice|perfect|could you|can you|would you|i want you to|let's)\b[\s,.!]*)+/i;
const COURTESY = /[\s,]+(?:please|thanks?|thank you)[\s.!?]*$/i;
const NUMBER = "(?:\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve)";
const IT = "(?:it|this|that|them|these|those)";
const THAT = `(?:${IT}|(?:the|that|this|your|my) (?:(?:last|previous|same|above) )?(?:deck|presentation|slides?|answer|text|summary|table|report|file|result|findings?))`;
const DECK = "(?:presentations?|slide ?decks?|decks?|slides|power ?points?|pptx)";

const PRESENT: readonly RegExp[] = [
  new RegExp(
    `^(?:make|create|build|prepare|turn|put|do)\\s+(?:an?\\s+|some\\s+)?${DECK}\\s+(?:of|from|out of|about|with|on)\\s+${THAT}[\\s.!]*$`,
    "i",
  ),
  new RegExp(
    `^(?:make|turn|put|convert)\\s+${THAT}\\s+(?:into|as|on|in)?\\s*(?:an?\\s+|some\\s+)?${DECK}[\\s.!]*$`,
    "i",
  ),
  new RegExp(`^(?:(?:as|in)\\s+)(?:an?\\s+)?${DECK}[\\s.!?]*$`, "i"),
];
const ADD = /^(?:add|include|append|put in)\s+(?!up\b)(.+?)[\s.!]*$/i;
const VARY: readonly RegExp[] = [
  /^(?:what|how) about\s+(.+?)[\s.?!]*$/i,
  /^(?:do )?(?:the )?same\s+((?:for|in|with|by|of)\s+.+?)[\s.?!]*$/i,
];
const PREPOSITION = /^(?:for|in|by|per|of|since|from|during)\s+(?!all\b)(.+?)[\s.?!]*$/i;
const CHANGE: readonly RegExp[] = [
  new RegExp(
    `^(?:make|turn|shorten|condense|expand|keep|limit|cut|trim|reduce|redo|rewrite|rephrase|translate|change|update|improve|simplify|summari[sz]e|show|give|put|write|format|split|rename|say|tell|explain)\\s+(?:me\\s+|us\\s+)?${THAT}\\b`,
    "i",
  ),
  /^(?:a (?:bit|little) |much |even |slightly )?(?:shorter|longer|briefer|simpler|shorten|more (?:detail(?:s|ed)?|concise|formal)|less (?:detail|formal)|in (?:short|brief|more detail))\b[^,;]{0,40}$/i,
  new RegExp(
    `^(?:(?:in|to|with|only|just|at most|no more than|exactly|make|use|do|keep to)\\s+)*${NUMBER}\\s+(?:slides?|pages?|sentences?|bullets?|bullet points|points?|words|rows?|lines?)\\b[^,;]{0,40}$`,
    "i",
  ),
  /^(?:as|in)\s+(?:an?\s+)?(?:(?:short|simple|bulleted|numbered|single|one)\s+)?(?:table|list|chart|bullets?|bullet points|e-?mail|sentence|paragraph|english|german|french|spanish|italian|swedish|danish|norwegian|dutch|finnish)[\s.!?]*$/i,
  /^(?:without|leave out|remove|drop|skip)\s+.{2,80}$/i,
  /^(?:again|try again|once more|redo|retry)[\s.!?]*$/i,
];
/** Who it is for, where that is people: a wish on its form. */
const FOR_PEOPLE =
  /^for (?:(?:the|our|my) )?(?:(?:executive|management|leadership|supervisory) )?(?:board|council|committee|team|management|leadership|executives|managers|directors|investors|staff|employees|colleagues|boss|customers)[\s.!?]*$/i;

/** Undefined for words that stand for themselves. Fixed rules over English words: they understand nothing. */
export function followUpIn(task: string): FollowUp | undefined {
  const line = oneLine(task).trim();
  if (line.length > MAX_CHARS) return undefined;
  const rest = line.replace(LEAD, "").replace(COURTESY, "").trim();
  if (PRESENT.some((pattern) => pattern.test(rest))) return { kind: "present" };
  if (FOR_PEOPLE.test(rest) || CHANGE.some((pattern) => pattern.test(rest))) return { kind: "change" };
  const [, added] = ADD.exec(rest) ?? [];
  if (added !== undefined) return { kind: "add", what: added };
  const varied = VARY.map((pattern) => pattern.exec(rest)?.[1]).find((found) => found !== undefined);
  if (varied !== undefined) return { kind: "vary", what: varied };
  // "In 2025?" alone, or behind "and"; a whole sentence may begin so and stands for itself.
  if (PREPOSITION.test(rest) && rest.split(" ").length <= FEW_WORDS)
    return { kind: "vary", what: rest.replace(/[\s.?!]+$/, "") };
  return undefined;
}

const BACK =
  /\b(?:it|its|they|them|their|this|that|these|those|the same|the (?:first|second|third|last|other) one|previous(?:ly)?|above|earlier|before|again|instead)\b/i;

/** Whether a word of it may mean what was said before. Often it does not: it is for whoever can tell. */
export const refersBack = (task: string): boolean => BACK.test(task);

const YEAR = /\b(?:19|20)\d{2}\b/g;
const QUARTER = /\bQ[1-4]\b/gi;
const GROUPED = /\b(?:by|per)\s+[\p{L}-]+(?:\s+(?:family|segment))?/iu;

/** A request with something else in the place of what it named: "revenue in 2024" and "for 2025" is "revenue in 2025". */
export function varied(asked: string, what: string): string {
  const request = oneLine(asked).trim();
  const bare = what.replace(/^(?:for|in|by|per|of|since|from|during)\s+/i, "");
  for (const pattern of [YEAR, QUARTER]) {
    const [named, ...others] = bare.match(pattern) ?? [];
    // Of several years nobody knows which one is meant.
    if (named !== undefined && others.length === 0 && new Set(request.match(pattern)).size === 1)
      return request.replaceAll(pattern, named);
  }
  if (/^(?:by|per)\s/i.test(what) && GROUPED.test(request)) return request.replace(GROUPED, what);
  const [, body = request, end = ""] = /^(.*?)([.?!]*)$/s.exec(request) ?? [];
  const lead = bare !== what ? "" : /^(?:(?:19|20)\d{2}|Q[1-4])\b/i.test(bare) ? "in " : "for ";
  return `${body} ${lead}${what}${end}`;
}
