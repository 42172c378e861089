import { CURRENCY_IN_NAME, CURRENCY_SIGN, currencyOf } from "./currencies.ts";
import { wordsOf } from "./words.ts";

/**
 * What a reader sees of a column's name: `total_revenue_eur` -> `Total revenue`. The unit goes, it
 * stands beside the numbers.
 */
export function humanLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[_\s]+/)
    .filter((word) => word !== "");
  const kept = words.length > 1 && unitOf(name) !== undefined ? words.filter((word) => !isUnit(word)) : words;
  const text = (kept.length === 0 ? words : kept)
    .map((word, i) => (i > 0 && /^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word))
    .join(" ");
  return text === "" ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

const UNIT_WORD = new RegExp(
  `^\\(?(${CURRENCY_IN_NAME}|pct|percent|percentage|${CURRENCY_SIGN}|%)\\)?$`,
  "i",
);
const isUnit = (word: string): boolean => UNIT_WORD.test(word);

const PERCENT = /(^|[_\s(])(pct|percent|percentage)($|[_\s)])|%/i;
const CURRENCY = new RegExp(`(?:^|[_\\s(])(${CURRENCY_IN_NAME})(?:$|[_\\s)])|(${CURRENCY_SIGN})`, "i");

/** The unit a column's name carries, such as `revenue_eur`; undefined when it carries none. */
export function unitOf(name: string): string | undefined {
  if (PERCENT.test(name)) return "%";
  const [, code, sign] = CURRENCY.exec(name) ?? [];
  const said = code ?? sign;
  return said === undefined ? undefined : currencyOf(said);
}

const NOT_ADDITIVE = new Set(
  (
    "age average avg change distinct growth latitude longitude lat lng lon margin max mean median min pct percent percentage " +
    "price quantile rank rate ratio score share stddev temperature year"
  ).split(" "),
);

/** Whether parts of this measure add up to a whole. Prices, averages and rates do not. */
export function isAdditive(name: string): boolean {
  return !name.includes("%") && !wordsOf(name).some((word) => NOT_ADDITIVE.has(word));
}

/** Lower case inside a sentence, except a word that is all capitals (`EUR`). */
export function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
