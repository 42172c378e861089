import { calendarPart } from "./column-role.ts";
import { CURRENCY_IN_NAME, CURRENCY_SIGN, currencyOf } from "./currencies.ts";
import { wordsOf } from "./words.ts";

/** Unit of a difference between percentages. */
const POINTS_UNIT = "points";

/**
 * What a reader sees of a column's name: `total_revenue_eur` -> `Total revenue`. The unit goes, it
 * stands beside the numbers.
 */
export function humanLabel(name: string): string {
  const part = calendarPart(name);
  const words = (part ?? name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[_\s]+/)
    .filter((word) => word !== "");
  const unit = unitOf(name);
  const kept = words.length > 1 && unit !== undefined ? words.filter((word) => !isUnit(word, unit)) : words;
  // `Anteil in Prozent` without its unit is `Anteil`.
  if (kept.length > 1 && kept.length < words.length && /^in$/i.test(kept.at(-1) ?? "")) kept.pop();
  const text = (kept.length === 0 ? words : kept)
    .map((word, i) => (i > 0 && /^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word))
    .join(" ");
  return text === "" ? name : text.charAt(0).toUpperCase() + text.slice(1);
}

/** A difference between percentages. */
const POINTS =
  /(?:^|[_\s(-])(?:pp|ppt|(?:percent(?:age)?|pct|%)[_\s-]?points?|prozentpunkten?|prozentpunkte|procentenheter|prosentpoeng|points?[_\s](?:change|difference|diff|delta)|(?:change|difference|diff|delta)[_\s](?:in[_\s])?points?)(?:$|[_\s)])/iu;
const POINTS_WORD = /^\(?(?:pp|ppt|points?|prozentpunkten?|prozentpunkte|procentenheter|prosentpoeng)\)?$/iu;

/** In the languages that names of columns are read in elsewhere here. */
const PERCENT_WORD =
  "pct|percent|percentage|pro[zcs]ent|prozentsatz|pourcent|pourcentage|porcentaje|percentuale";
const UNIT_WORD = new RegExp(`^\\(?(${CURRENCY_IN_NAME}|${PERCENT_WORD}|${CURRENCY_SIGN}|%)\\)?$`, "iu");
const isUnit = (word: string, unit: string | undefined): boolean =>
  UNIT_WORD.test(word) || (unit === POINTS_UNIT && POINTS_WORD.test(word));

/** `Umsatzprozent` too. */
const PERCENT = new RegExp(`^(${PERCENT_WORD})$|pro[zcs]ent$`, "u");
const CURRENCY = new RegExp(`(?:^|[_\\s(])(${CURRENCY_IN_NAME})(?:$|[_\\s)])|(${CURRENCY_SIGN})`, "i");

/** The unit a column's name carries, such as `revenue_eur`; undefined when it carries none. */
export function unitOf(name: string): string | undefined {
  if (POINTS.test(name)) return POINTS_UNIT;
  if (name.includes("%") || wordsOf(name).some((word) => PERCENT.test(word))) return "%";
  const [, code, sign] = CURRENCY.exec(name) ?? [];
  const said = code ?? sign;
  return said === undefined ? undefined : currencyOf(said);
}

/** `{ unit }` of a column by its name, empty where it carries none. */
export function unitField(name: string): { readonly unit?: string } {
  const unit = unitOf(name);
  return unit === undefined ? {} : { unit };
}

const NOT_ADDITIVE = new Set(
  (
    "age average avg change distinct growth latitude longitude lat lng lon margin max mean median min pct percent percentage " +
    "price quantile rank rate ratio score share stddev temperature year"
  ).split(" "),
);

/** A part of a whole, or a rate of it: `market_share`, `Umsatzanteil`, `Fehlerrate`, `Bruttomarge`, `marknadsandel`. */
const SHARE_WORD =
  /^(share|rate|margin|growth|quote|taux|tasa|kvot|kvote)$|anteile?$|(^|s)andel$|\p{L}{3}quoten?$|(s|er|all|bruch|klick)raten?$|margen?$/u;
/** `quotes` are offers; a column called `Quote` is a share. */
const OFFERS = /\bquotes\b|quote[_ ]|[_ ]quote/i;
/** Rates of something else: a price, a pace. */
const OTHER_RATE = new Set([
  "exchange",
  "hourly",
  "daily",
  "weekly",
  "day",
  "night",
  "room",
  "heart",
  "pay",
  "price",
]);

/** Whether the name says that values are shares or rates, without saying in what unit. */
export function isShareName(name: string): boolean {
  const words = wordsOf(name);
  return (
    !OFFERS.test(name) &&
    words.some((word) => SHARE_WORD.test(word)) &&
    !words.some((word) => OTHER_RATE.has(word))
  );
}

/** Whether parts of this measure add up to a whole. Prices, averages, shares and rates do not. */
export function isAdditive(name: string): boolean {
  const unit = unitOf(name);
  return (
    unit !== "%" &&
    unit !== POINTS_UNIT &&
    !isShareName(name) &&
    !wordsOf(name).some((word) => NOT_ADDITIVE.has(word))
  );
}

/** Lower case inside a sentence, except a word that is all capitals (`EUR`). */
export function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
