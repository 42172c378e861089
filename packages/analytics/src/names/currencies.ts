/** Codes of the currencies that are known, in lower case. */
const CODES = ["eur", "usd", "gbp", "chf", "sek", "nok", "dkk", "pln", "czk", "jpy"] as const;

/** Signs that stand for one currency, and those that several have: these are said as they stand. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["$", "$"],
  ["kr", "kr"],
  ["kr.", "kr"],
]);

/** A currency in a pattern, by its sign or by its code as cells and names write it, lower case for the latter. */
export const CURRENCY_SIGN = "[€£$]";
export const CURRENCY_IN_CELL = `${CURRENCY_SIGN}|kr[.]?|${CODES.join("|").toUpperCase()}`;
export const CURRENCY_IN_NAME = `${CODES.join("|")}|euros?`;

/** `EUR` of `€`, `eur` and `euros`; a `$` stays one, as nobody said whose dollars they are. */
export function currencyOf(text: string): string {
  return SIGNS.get(text) ?? (/^euros?$/i.test(text) ? "EUR" : text.toUpperCase());
}
