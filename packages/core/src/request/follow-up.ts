import { deedIn } from "./deed.ts";
import { asPeriod } from "./period.ts";
import { oneLine } from "./phrase.ts";
import { ASKING_WORD } from "./questions.ts";
import type { Variation } from "./varied.ts";

/**
 * What a few words ask of what was done before them:
 * - `change`: the same in another form, as "shorter" or "now make it 5 slides";
 * - `add`: more beside it, as "add the sales figures"; `what` is the thing alone, `slide` that it is to be a slide;
 * - `present`: a presentation of it, as "make slides of that";
 * - `vary`: the same of something else, as "and for 2025?", or of a part of it, as "only the Nordics";
 * - `without`: less of it, as "without the charts": of figures a filter, else a change.
 */
export type FollowUp =
  | { readonly kind: "change" | "present" }
  | { readonly kind: "add"; readonly what: string; readonly slide: boolean }
  | { readonly kind: "without"; readonly what: string }
  | ({ readonly kind: "vary" } & Variation);

/** Who says more than that says what is meant. */
const MAX_CHARS = 200;
const FEW_WORDS = 6;
/** Of "and flights?". */
const FEWEST_WORDS = 4;

const LEAD =
  /^(?:(?:and|now|then|next|ok(?:ay)?|please|also|so|but|actually|instead|no|yes|thanks?|thank you|great|good|nice|perfect|could you|can you|would you|i want you to|let's)\b[\s,.!]*)+/i;
const COURTESY = /[\s,]+(?:please|thanks?|thank you)[\s.!?]*$/i;
const NUMBER = "(?:\\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)";
const IT = "(?:it|this|that|them|these|those)";
const THAT = `(?:${IT}|(?:the|that|this|your|my) (?:(?:last|previous|same|above) )?(?:deck|presentation|slides?|answer|text|summary|table|report|file|result|findings?))`;
const DECK = "(?:presentations?|slide ?decks?|decks?|slides|power ?points?|pptx)";
const SIZE =
  "(?:slides?|pages?|sentences?|bullets?|bullet points|points?|paragraphs?|words|rows?|lines?|statements?)";

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
/** "A slide about risks": the risks, as one. */
const AS_SLIDE =
  /^(?:an?|one|another|a new|a few|some|two|three)\s+(?:more\s+|extra\s+|short\s+)?(?:(slides?|pages?)|sections?|chapters?|parts?|paragraphs?|sentences?|points?|lines?|words?|notes?)\s+(?:about|on|with|for|of|covering|regarding)\s+/i;

/** What they are of follows. */
const GROUPED =
  /^(?:(?:break|split|group|sort)\s+(?:it|this|that|them|these|those)(?:\s+(?:down|up))?|broken down|split(?: up)?|grouped)\s+((?:by|per)\s+.+)$/i;
const NARROWED: readonly RegExp[] = [
  new RegExp(
    `^(?:restrict|limit|narrow|filter|reduce)\\s+(?:${IT}|the (?:figures|numbers|data|charts?|answer|result|deck|presentation))?\\s*(?:down\\s+)?(?:to|by|for|on)\\s+(.+)$`,
    "i",
  ),
  /^(?:show\s+(?:me\s+)?)?(?:only|just|solely)\s+(.+)$/i,
  /^(.+?)\s+(?:only|alone)$/i,
];
/** "2024 instead", "use the Nordics instead". */
const INSTEAD =
  /^(?:(?:use|take|show(?: me)?|with|try|make (?:it|that|this)|change (?:it|that|this) to|switch (?:it )?to)\s+)?(.+?)\s+instead$/i;
const OTHER: readonly RegExp[] = [
  /^(?:what|how) about\s+(.+)$/i,
  /^(?:do |show )?(?:me )?(?:the )?same(?: thing| again| figures| numbers| deck| presentation| question)?,?(?: but)?\s+((?:for|in|with|by|of)\s+.+)$/i,
];
/** "Make it 2024". */
const YEAR_SET = new RegExp(
  `^(?:use|take|(?:make|change|switch|set)\\s+${IT}(?:\\s+to)?)\\s+((?:19|20)\\d{2}|Q[1-4](?: \\d{4})?)$`,
  "i",
);
const EXCLUDED = /^(?:but not|not|excluding|exclude|except(?: for)?)\s+(.{2,80})$/i;
const WITHOUT = /^(?:without|leave out|remove|drop|skip)\s+(.{2,80})$/i;
const PREPOSITION = /^(?:for|in|by|per|of|since|from|during|until|before|after)\s+(?!all\b)(.+)$/i;
const BEFORE_FIGURES = /^(?:the )?(?:figures|numbers|data|same)\s+(?=(?:for|in|of|from|by|per)\s)/i;

const CHANGE: readonly RegExp[] = [
  new RegExp(
    `^(?:make|turn|shorten|condense|expand|keep|limit|cut|trim|reduce|redo|rewrite|rephrase|translate|change|update|improve|simplify|summari[sz]e|show|give|put|write|format|split|rename|say|tell|explain)\\s+(?:me\\s+|us\\s+)?${THAT}\\b`,
    "i",
  ),
  /^(?:a (?:bit|little) |much |even |slightly )?(?:shorter|longer|briefer|simpler|shorten|more (?:detail(?:s|ed)?|concise|formal)|less (?:detail|formal)|in (?:short|brief|more detail|other words))\b[^,;]{0,40}$/i,
  new RegExp(
    `^(?:(?:in|to|with|only|just|at most|no more than|exactly|make|use|do|keep to|as)\\s+)*(?:(?:single|short)\\s+)?${NUMBER}\\s+(?:(?:single|short)\\s+)?${SIZE}\\b[^,;]{0,40}$`,
    "i",
  ),
  /^(?:as|in)\s+(?:an?\s+)?(?:(?:short|simple|bulleted|numbered|single|one)\s+)?(?:table|list|chart|bullets?|bullet points|e-?mail|sentence|paragraph|english|german|french|spanish|italian|swedish|danish|norwegian|dutch|finnish)[\s.!?]*$/i,
  /^(?:again|try again|once more|redo|retry)[\s.!?]*$/i,
];
/** How much of it, in whatever words: no part of what it is about. */
const OF_SIZE = new RegExp(`^(?:the\\s+)?(?:${NUMBER}\\s+)?(?:${SIZE}|${DECK})(?:\\s+(?:long|each))?$`, "i");
/** Who it is for, where that is people: a wish on its form. */
const FOR_PEOPLE =
  /^for (?:(?:the|our|my) )?(?:(?:executive|management|leadership|supervisory) )?(?:board|council|committee|team|management|leadership|executives|managers|directors|investors|staff|employees|colleagues|boss|customers)[\s.!?]*$/i;
/** Begins an order or a question of its own. */
const OWN = new RegExp(
  `^(?:${ASKING_WORD}|is|are|do|does|did|has|have|can|could|may|should|will|would|was|were|list|show|find|tell|give|make|create|compare|summari[sz]e|write|send|explain|delete|add|draw|plot|calculate|prepare|build|count)\\b`,
  "i",
);
/** "Revenue by region" says what is asked and stands for itself. */
const JOINED = /\S\s(?:by|per|of|in|for|from|with|about)\s/i;

/** Undefined for words that stand for themselves. Fixed rules over English words: they understand nothing. */
export function followUpIn(task: string): FollowUp | undefined {
  const line = oneLine(task);
  if (line.length > MAX_CHARS) return undefined;
  const begun = LEAD.exec(line)?.[0] ?? "";
  const rest = line.slice(begun.length).replace(COURTESY, "").trim();
  if (PRESENT.some((pattern) => pattern.test(rest))) return { kind: "present" };
  const words = rest.replace(/[\s.?!]+$/, "");
  const form = [words, firstOf([INSTEAD, ...NARROWED], words)].some(isForm);
  const vary = variationIn(words, { form, and: /\b(?:and|but|instead)\b/i.test(begun) });
  if (vary !== undefined) return { kind: "vary", ...vary };
  if (form) return { kind: "change" };
  const [, less] = WITHOUT.exec(words) ?? [];
  if (less !== undefined) return { kind: "without", what: less };
  const [, added] = ADD.exec(rest) ?? [];
  if (added === undefined) return undefined;
  const [lead = "", slide] = AS_SLIDE.exec(added) ?? [];
  return { kind: "add", what: added.slice(lead.length), slide: slide !== undefined };
}

function variationIn(
  words: string,
  { form, and }: { readonly form: boolean; readonly and: boolean },
): Variation | undefined {
  const [, grouped] = GROUPED.exec(words) ?? [];
  if (grouped !== undefined) return { what: grouped, how: "other" };
  // "Make it 2024" has a form, but for the year.
  const other = firstOf(form ? [YEAR_SET] : [YEAR_SET, INSTEAD, ...OTHER], words);
  if (other !== undefined) return { what: withoutNoun(other), how: "other" };
  const narrowed = firstOf(NARROWED, words);
  if (narrowed !== undefined && few(narrowed) && !OWN.test(narrowed) && !isForm(narrowed))
    return { what: withoutNoun(narrowed), how: "only" };
  if (form) return undefined;
  const [, excluded] = EXCLUDED.exec(words) ?? [];
  if (excluded !== undefined) return { what: `excluding ${excluded}`, how: "only" };
  if (asPeriod(words) !== undefined) return { what: words, how: "other" };
  const plain = withoutNoun(words);
  // "In 2025?" alone, or behind "and"; a whole sentence may begin so and stands for itself.
  if (PREPOSITION.test(plain) && few(plain)) return { what: plain, how: "other" };
  return and && isThing(words) ? { what: words, how: "other" } : undefined;
}

/** What "and flights?" names: a few words that ask, order and group nothing. */
const isThing = (words: string): boolean =>
  words !== "" &&
  words.split(" ").length <= FEWEST_WORDS &&
  ![OWN, ADD, WITHOUT, JOINED].some((pattern) => pattern.test(words)) &&
  deedIn(words) === undefined;

const firstOf = (patterns: readonly RegExp[], words: string): string | undefined =>
  patterns.map((pattern) => pattern.exec(words)?.[1]).find((found) => found !== undefined);

const few = (words: string): boolean => words.split(" ").length <= FEW_WORDS;

/** "5 slides", "in one sentence", "for the board": a wish on its form, whatever stands around it. */
const isForm = (words = ""): boolean =>
  OF_SIZE.test(words) || FOR_PEOPLE.test(words) || CHANGE.some((pattern) => pattern.test(words));

/** "The figures for 2023": the same for 2023. */
const withoutNoun = (words: string): string => words.replace(BEFORE_FIGURES, "").trim();

const BACK =
  /\b(?:it|its|they|them|their|this|that|these|those|the same|the (?:first|second|third|last|other) one|previous(?:ly)?|above|earlier|before|again|instead)\b/i;

/** Whether a word of it may mean what was said before. Often it does not: it is for whoever can tell. */
export const refersBack = (task: string): boolean => BACK.test(task);
