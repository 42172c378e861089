import { countWords, inBrief } from "./in-brief.ts";
import type { Statement } from "./read-briefing.ts";

/** A number that says how much, not the one in a name. */
export const FIGURE =
  /\d\s?(?:%|percent|per cent|million|billion|thousand|hours|days|people)|(?:EUR|USD|GBP|SEK|NOK|DKK|CHF|€|\$|£)\s?\d/i;
/** Money. */
export const AMOUNT = /(?:EUR|USD|GBP|SEK|NOK|DKK|CHF|€|\$|£)\s?\d/;
/** `24.0 million in 2028`: what is said of a figure before its year has no other figure in it. */
const FIGURE_IN_YEAR = /(\d+(?:[.,]\d+)*)\D{0,60}?\b((?:in|by)\s(?:the end of\s)?(?:19|20)\d{2})\b/gi;
const YEAR = /\b(?:19|20)\d{2}\b/;
/** `from EUR 4.65 million in 2024` before ` to EUR 11.39 million`: where it ended says what came of it. */
const FROM =
  /,? from (?!(?:19|20)\d{2}\b)(?:[A-Z]{3} |[€$£])?\d[\d.,]*(?: (?:million|billion|thousand|percent|%))?(?: \p{Ll}+){0,1}(?: in \d{4})? to (?=(?:[A-Z]{3} |[€$£])?\d)/u;

/** `On these results the board decided`, `In 2025 it cost ...`: about what the sentence before says. `There are 84 employees` is not. */
const REFERS =
  /^(?:in (?:19|20)\d{2},? )?(?:(?:on|of|in|for|with|from|by|to|at|since|after|before|because of|despite) )?(?:this|these|those|that|such|it|they|them|then|there(?! (?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|shall|should)\b)|its|their)\b/i;

/** Whether a statement is understood without the one before it. */
export const standsAlone = ({ text }: Statement): boolean => !REFERS.test(text);

/** Characters of a statement that are looked at. */
const MAX_READ = 2_000;

/** Its short form with the year of its figure, which is no message to take home without; else its main clause. */
export function messageOf({ text, lead }: Statement): string {
  const brief = inBrief(text);
  if (lead === undefined) return brief;
  if (YEAR.test(lead)) return lead;
  const [figure] = lead.match(/\d+(?:[.,]\d+)*/g) ?? [];
  if (figure === undefined) return lead;
  const when = [...text.slice(0, MAX_READ).matchAll(FIGURE_IN_YEAR)].find(
    ([, value = ""]) => Number(value.replaceAll(",", "")) === Number(figure.replaceAll(",", "")),
  );
  if (when?.[2] !== undefined) return `${lead} ${when[2]}`;
  return YEAR.test(brief) ? brief : lead;
}

/** The same without where a figure came from: `rose to EUR 11.39 million in 2025`. */
export function shortMessageOf(statement: Statement): string {
  const message = messageOf(statement);
  return message.length > MAX_READ ? message : message.replace(FROM, " to ");
}

/** What says of itself that it is to come. */
const TO_COME = /\b(?:will|shall|target|goal|aims?|plans?|planned)\b/i;
const AT_END = /,?\s(?:in|by)\s(?:the end of\s)?((?:19|20)\d{2})$/i;

/** `Target 2028: sales grow to EUR 24 million`: a short form of what will be must not read as if it were. */
export function asTarget(message: string, { text }: Statement): string {
  const year = AT_END.exec(message)?.[1];
  if (year === undefined || TO_COME.test(message) || !/\bwill\b/i.test(text.slice(0, MAX_READ)))
    return message;
  return `Target ${year}: ${message.replace(AT_END, "")}`;
}

/** The last year that is named; undefined where none is. */
export const lastYear = (text: string): number | undefined => {
  const years = (text.slice(0, MAX_READ).match(/\b(?:19|20)\d{2}\b/g) ?? []).map(Number);
  return years.length === 0 ? undefined : Math.max(...years);
};

const ANNOUNCED =
  /^[^:]{0,120}\b(?:has|have|is|are) ((?:one|two|three|four|five|a single|an?) \p{L}+): (\S.*?)\.?$/iu;

/** `One ambition: ...`, of `The plan has one ambition: ...`. */
export function announced(text: string): string | undefined {
  const [, what = "", rest] = ANNOUNCED.exec(text.slice(0, MAX_READ)) ?? [];
  return rest === undefined ? undefined : `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${rest}`;
}

/**
 * Ways to say a statement with a number as a title under its heading, the fullest first. What is `told` by
 * a table below it needs no number itself.
 */
export function titlesOf(heading: string, statement: Statement, told = false): readonly string[] {
  if (!standsAlone(statement)) return [];
  const messages = [
    ...new Set([inBrief(statement.text), messageOf(statement), shortMessageOf(statement)]),
  ].filter((message) => countWords(message) <= MAX_TITLE_WORDS && (told || hasNumber(message)));
  const named = messages.filter((message) => !message.toLowerCase().startsWith(heading.toLowerCase()));
  // Without its heading only a figure says what the slide is about.
  const alone = messages.filter((message) => FIGURE.test(message) || !named.includes(message));
  return [...named.map((message) => `${heading}: ${message}`), ...alone];
}

/** A longer title is no headline. */
const MAX_TITLE_WORDS = 14;

/** `ISO 27001`, `our Model 500`: after a capital that begins no sentence a number is part of a name. */
const NAMED = /(?<=[^.!?]\s)\p{Lu}\S*\s\d[\d.,]*/gu;

/** What counts or measures: two digits or more and no year, or a figure. A number in a name is none. */
export const hasNumber = (text: string): boolean =>
  FIGURE.test(text) ||
  (text.replaceAll(NAMED, "").match(/\d[\d.,]*/g) ?? []).some((n) => /\d\D?\d/.test(n) && !YEAR.test(n));
