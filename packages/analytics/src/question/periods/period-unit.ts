import { MONTH_NAMES } from "@troupe/core";

import type { Token } from "../tokens.ts";
import type { Part } from "./period.ts";

/** Tokens that name a year, a part of one, or a day. Which year a part is of may stand elsewhere. */
export interface PeriodUnit {
  readonly at: number;
  readonly end: number;
  readonly part?: Part;
  readonly year?: number;
  readonly day?: number;
  /** A stretch no rule can tell. */
  readonly unread?: boolean;
}

const ORDINALS = ["first", "second", "third", "fourth"];

const isYear = (token: Token): boolean => /^(19|20)\d\d$/.test(token.fold);

/** The year, half, quarter, month or day whose name begins here. */
export function unitAt(tokens: readonly Token[], at: number): PeriodUnit | undefined {
  return isoUnit(tokens, at) ?? yearUnit(tokens, at) ?? partUnit(tokens, at);
}

/** `2025-03`, `2025-03-15`: numbers right after one another. */
function isoUnit(tokens: readonly Token[], at: number): PeriodUnit | undefined {
  const [year, month, day] = tokens.slice(at, at + 3);
  if (year === undefined || month === undefined || !isYear(year)) return undefined;
  if (month.start !== year.end + 1 || !/^(0[1-9]|1[0-2])$/.test(month.fold)) return undefined;
  const part = { grain: "month", number: Number(month.fold) } as const;
  if (day !== undefined && day.start === month.end + 1 && /^(0[1-9]|[12]\d|3[01])$/.test(day.fold))
    return { at, end: at + 3, part, year: Number(year.fold), day: Number(day.fold) };
  return { at, end: at + 2, part, year: Number(year.fold) };
}

function yearUnit(tokens: readonly Token[], at: number): PeriodUnit | undefined {
  const token = tokens[at];
  return token !== undefined && isYear(token) ? { at, end: at + 1, year: Number(token.fold) } : undefined;
}

function partUnit(tokens: readonly Token[], at: number): PeriodUnit | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const short = /^([qh])([1-4])$/.exec(token.fold);
  if (short !== null) {
    const half = short[1] === "h";
    const number = Number(short[2]);
    if (half && number > 2) return undefined;
    return { at, end: at + 1, part: { grain: half ? "half" : "quarter", number } };
  }
  const next = tokens[at + 1]?.word;
  const ordinal = ORDINALS.indexOf(token.fold) + 1;
  if (ordinal > 0 && next === "quarter")
    return { at, end: at + 2, part: { grain: "quarter", number: ordinal } };
  if (ordinal > 0 && ordinal <= 2 && next === "half")
    return { at, end: at + 2, part: { grain: "half", number: ordinal } };
  if (token.fold === "quarter" && /^[1-4]$/.test(next ?? ""))
    return { at, end: at + 2, part: { grain: "quarter", number: Number(next) } };
  const month = monthOf(token, tokens[at - 1], tokens[at + 1]);
  return month === undefined ? undefined : { at, end: at + 1, part: { grain: "month", number: month } };
}

const BEFORE_MONTH = new Set(
  "in of since until till to and for between from before after by except without not".split(" "),
);

/** `may` and `march` are verbs too, `mar` and `dec` names: they need a capital, a preposition or a year. */
function monthOf(token: Token, before: Token | undefined, after: Token | undefined): number | undefined {
  const full = MONTH_NAMES.indexOf(token.fold) + 1;
  const short = /^[a-z]{3,4}$/.test(token.fold)
    ? MONTH_NAMES.findIndex(
        (month) => month.startsWith(token.fold.replace(/^sept$/, "sep")) && token.fold !== month,
      ) + 1
    : 0;
  const number = full || short;
  if (number === 0) return undefined;
  if (full > 0 && !["may", "march"].includes(token.fold)) return number;
  const dated = after !== undefined && isYear(after);
  const said = before !== undefined && BEFORE_MONTH.has(before.fold);
  return dated || (said && /^\p{Lu}/u.test(token.text)) ? number : undefined;
}
