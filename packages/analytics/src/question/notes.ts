import { oneLine } from "../names/one-line.ts";
import { quoteName } from "../names/quote.ts";
import { snakeName } from "../names/snake-name.ts";
import { wordsOf } from "../names/words.ts";
import type { SelectPlan } from "./build-select.ts";
import { isCurrencyWord } from "../names/currencies.ts";
import { isCombined } from "./combine-tables.ts";
import type { Fact } from "./fact.ts";
import { eventWords } from "./pick-time.ts";
import { isSharedName } from "./pick-dimension.ts";

/** Characters of the names of files; the line under a table names them all. */
const MAX_FILES = 300;

/** What a reader has to know of the figures, such as what stands for an order. */
export function notesOf(fact: Fact, plans: readonly SelectPlan[]): readonly string[] {
  return [
    ...fact.ambiguous,
    ...joinedFiles(fact),
    ...sharedNames(fact),
    ...(fact.measure.note === undefined ? [] : [fact.measure.note]),
    ...largestOnly(plans, fact),
    ...doubles(plans, fact),
    ...otherFigures(fact),
    ...totals(fact),
    ...eventDate(fact),
    ...belowZero(plans, fact),
  ];
}

/** Files that are read as one table. */
function joinedFiles({ table }: Fact): readonly string[] {
  return isCombined(table) ? [`Read as one table: ${oneLine(table.source, MAX_FILES)}.`] : [];
}

/** Where a list is cut that was not asked for. */
function largestOnly(plans: readonly SelectPlan[], { intent }: Fact): readonly string[] {
  return plans.flatMap(({ dimension, limit, ascending, grain }) =>
    limit === undefined ||
    limit === intent.top ||
    dimension === undefined ||
    grain !== undefined ||
    intent.by.length === 0
      ? []
      : [`Only the ${limit} ${ascending === true ? "smallest" : "largest"} are listed.`],
  );
}

/** A name that several columns of a file have. */
function doubles(plans: readonly SelectPlan[], { table }: Fact): readonly string[] {
  return plans.flatMap(({ dimension }) => {
    const column = table.columns.find(({ name }) => dimension?.sql("t") === `t.${quoteName(name)}`);
    const other = table.columns.find(({ name }) => name === `${String(column?.name)}_2`);
    return other === undefined
      ? []
      : [`${String(column?.name)} is the first of several columns of that name.`];
  });
}

/** `revenue_usd` beside `revenue_eur`, `amount_2` beside `amount`. */
function otherFigures({ table, measure, intent }: Fact): readonly string[] {
  const plain = (name: string): string =>
    wordsOf(name)
      .filter((word) => !isCurrencyWord(word) && !/^\d$/.test(word))
      .join(" ");
  const column = table.columns.find(({ name }) => snakeName(name) === measure.name);
  const others = table.columns.filter(
    (one) =>
      column !== undefined &&
      one !== column &&
      one.role === "measure" &&
      plain(one.name) === plain(column.name),
  );
  const asked = wordsOf(measure.name).some((word) => isCurrencyWord(word) && intent.words.includes(word));
  return others.length === 0 || asked
    ? []
    : [`Told is ${String(column?.name)}, not ${others.map(({ name }) => name).join(" or ")}.`];
}

/** A row that may be a total was counted: whoever reads the figures has to know. */
function totals({ table }: Fact): readonly string[] {
  return table.doubtfulTotal === true
    ? [
        `A row of ${oneLine(table.source, MAX_FILES)} looks like a total of the others; a sum over all rows counts them twice.`,
      ]
    : [];
}

/** `shipped orders in 2024`: the period is when they were, whatever else the word could mean. */
function eventDate({ time, intent }: Fact): readonly string[] {
  if (time === undefined) return [];
  return eventWords(time.column, intent.words).map(
    (word) => `"${word}" is read as the date ${time.column.name}.`,
  );
}

/** Growth of a loss says nothing. */
function belowZero(plans: readonly SelectPlan[], { table, measure }: Fact): readonly string[] {
  const column = table.columns.find(({ name }) => snakeName(name) === measure.name);
  const told = plans.some(({ change, growth }) => change !== undefined || growth === true);
  return told && Number(column?.min) < 0
    ? ["Growth is told only where the first figure is above zero and the last is not below it."]
    : [];
}

/** Names that were filtered by and do not tell rows apart. */
function sharedNames({ filters }: Fact): readonly string[] {
  return filters
    .filter(({ from, column }) => isSharedName(from.table, column))
    .map(
      ({ from, column }) => `${column} does not tell ${from.table.name} apart: a name may stand for several.`,
    );
}
