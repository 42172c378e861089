import { countWords } from "./in-brief.ts";
import type { Table } from "./read-briefing.ts";

const NUMBERS = "two three four five six seven eight nine ten eleven twelve".split(" ");
export const TOTAL = /^total\b/i;
const TARGET = /^(?:target|goal)\s+((?:19|20)\d{2})$/i;
/** `Budget 2026-2028, EUR million`: what is measured, and in what. */
export const MEASURE =
  /^(\p{L}[\p{L} ]*?)(?:\s(?:19|20)\d{2}(?:\s?[–-]\s?\d{2,4})?)?,\s((?:EUR|USD|GBP|SEK|NOK|DKK|CHF)(?:\s(?:million|billion|thousand))?)$/u;

/**
 * "Six goals by 2028", "Six initiatives, budget EUR 14.4 million": what the rows of a table are, how many,
 * and their target or total. Undefined where the table does not say it or it has more than `words`. A first column without a name is
 * named by the heading.
 */
export function countTitle(heading: string, { columns, rows }: Table, words: number): string | undefined {
  const [, ...others] = columns;
  const total = totalOf(rows);
  const what = countName(heading, { columns, rows });
  if (what === undefined) return undefined;
  const sums = others.flatMap((name, i) => {
    const [, measure = "", unit = ""] = MEASURE.exec(name.slice(0, 200)) ?? [];
    const [currency = "", scale] = unit.split(" ");
    const value = total?.[i + 1] ?? "";
    if (measure === "" || !/^\d[\d.,]*$/.test(value)) return [];
    return [`${what}, ${measure.toLowerCase()} ${[currency, value, scale].join(" ").trim()}`];
  });
  const year = TARGET.exec(others.at(-1)?.slice(0, 200) ?? "")?.[1];
  const titles = [...sums, ...(year === undefined ? [] : [`${what} by ${year}`])];
  return titles.find((title) => countWords(title) <= words);
}

const totalOf = (rows: Table["rows"]): readonly string[] | undefined =>
  rows.find((row) => TOTAL.test(row[0] ?? ""));

/** "Seven risks". Undefined where the rows are not what the heading names, or more than twelve. */
export function countName(
  heading: string,
  { columns, rows }: Pick<Table, "columns" | "rows">,
): string | undefined {
  const [first = ""] = columns;
  const count = NUMBERS[rows.length - (totalOf(rows) === undefined ? 0 : 1) - 2];
  if (count === undefined || !(first === "" || isOneOf(first, heading))) return undefined;
  return `${count.charAt(0).toUpperCase()}${count.slice(1)} ${heading.toLowerCase()}`;
}

/** Goal, of Goals: the title says it already. */
export const isOneOf = (name: string, heading: string): boolean =>
  name !== "" && heading.toLowerCase() === `${name.toLowerCase()}s`;
