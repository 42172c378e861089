import type { Grain } from "./time-grain.ts";

export type Aggregate = "avg" | "median" | "min" | "max";

export const GRAINS: ReadonlyMap<string, Grain> = new Map(
  Object.entries({
    day: "day",
    daily: "day",
    week: "week",
    weekly: "week",
    month: "month",
    monthly: "month",
    quarter: "quarter",
    quarterly: "quarter",
    year: "year",
    yearly: "year",
    annual: "year",
    annually: "year",
  } as const),
);
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
export const BY = wordSet("by per across each every which pro");
export const TOP = wordSet("top best largest biggest highest leading expensive");
export const BOTTOM = wordSet("lowest smallest worst fewest least bottom cheapest weakest");
/** Superlatives of a price. */
export const PRICED = wordSet("cheapest expensive");
export const GROWTH = wordSet("growth grow grew growing grown");
export const TREND = wordSet("trend development develop developed");
export const GENERAL = wordSet(
  "figure number data overview overall performance result kpi metric statistic total",
);
export const TRADE = wordSet("buy bought sell sold spend spent earn earned selling");
/** Superlatives of a pace: of growth they rank by it. */
export const PACE: ReadonlyMap<string, string> = new Map([
  ["fastest", "highest"],
  ["quickest", "highest"],
  ["strongest", "highest"],
  ["slowest", "lowest"],
]);
/** Of two values that are named. */
export const COMPARATIVE = wordSet("bigger larger higher greater smaller lower better");
export const SHARE = wordSet("share percentage percent proportion fraction");
export const SKIP = wordSet("and or the our its a an most selling growing single sold five ten of");
export const END = wordSet("in for from with based to as on over since of at");
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ three: 3, five: 5, ten: 10, twenty: 20 }),
);
export const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map(
  Object.entries({
    average: "avg",
    avg: "avg",
    mean: "avg",
    typical: "avg",
    median: "median",
    minimum: "min",
    min: "min",
    maximum: "max",
    max: "max",
    maximal: "max",
    minimal: "min",
  } as const),
);
export const MAX_TOP = 50;
