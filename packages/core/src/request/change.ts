import { followUpIn } from "./follow-up.ts";
import { oneLine } from "./phrase.ts";

const SHORTER =
  /\b(?:shorter|shorten|briefer|fewer|condense|in short|in brief|(?:cut|trim|keep) (?:it|this|that|them) (?:down|short))\b/i;
const AGAIN =
  /^(?:(?:now|and|please|then|ok(?:ay)?|try|do (?:it|this|that))[\s,]+)*(?:again|redo|retry|once more)\b/i;
/** Characters that are looked at. */
const MAX_READ = 500;

/** What was done is wanted shorter, without a number. */
export const asksShorter = (change: string): boolean => SHORTER.test(change.slice(0, MAX_READ));

/** What was done is wanted once more, as it was. */
export const asksAgain = (change: string): boolean => AGAIN.test(change.slice(0, MAX_READ));

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const STATEMENTS = new RegExp(
  `\\b(\\d{1,2}|an?|${NUMBERS.join("|")}) (?:(?:single|short|simple) )?(?:sentences?|statements?|points?|bullets?|bullet points?|lines?)\\b`,
  "i",
);

/** How many sentences it is to have: 1 of "in one sentence". At least 1; undefined where no number of them is asked for. */
export function sentencesAsked(change: string): number | undefined {
  const [, word = ""] = STATEMENTS.exec(change.slice(0, MAX_READ)) ?? [];
  if (word === "" || (/^an?$/i.test(word) && !/^(?:.* )?(?:in|as|to)\s+an?\s/i.test(change)))
    return undefined;
  const named = NUMBERS.indexOf(word.toLowerCase()) + 1;
  return Math.max(1, named > 0 ? named : Number(/^\d/.test(word) ? word : 1));
}

const SOURCES = /^(?:all |the |its |your )*(?:sources?|citations?|references?)(?: slide)?$/i;

/** "And add the sources": an answer has them anyway. */
export function asksSources(change: string): boolean {
  const asks = followUpIn(oneLine(change));
  return asks?.kind === "add" && SOURCES.test(asks.what);
}

/**
 * How long an answer of fixed rules is to be after what was asked of it since: so many statements, where it has
 * `all`. A number counts from when it is named; each "shorter" is half. `enough` is false where a "shorter" leaves none out.
 */
export function lengthAsked(
  changes: readonly string[],
  all: number,
): { readonly keep: number; readonly enough: boolean; readonly exact: boolean } {
  let [keep, enough, exact] = [all, true, false];
  for (const change of changes) {
    const named = sentencesAsked(change);
    if (named !== undefined) [keep, enough, exact] = [named, true, true];
    else if (asksShorter(change)) {
      enough = keep > 1;
      keep = Math.max(1, Math.floor(keep / 2));
    }
  }
  return { keep, enough, exact };
}

/** Whether `lengthAsked` reads it. */
export const asksLength = (change: string): boolean =>
  asksShorter(change) || sentencesAsked(change) !== undefined;
