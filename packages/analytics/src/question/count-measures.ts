import { isNumberType } from "../names/column-role.ts";
import { quoteName } from "../names/quote.ts";
import { wordsOf } from "../names/words.ts";
import type { ColumnInfo } from "../types/schema.ts";
import { pickDimension } from "./pick-dimension.ts";
import type { ChosenMeasure } from "./column-measure.ts";
import type { QueryIntent } from "./query-intent.ts";
import type { Reachable } from "./schema-map.ts";

const KEY_WORDS = new Set(["id", "number", "no", "nr", "code", "key"]);
const NO_NOUN = new Set(["of", "the", "different", "distinct", "unique", "do", "we", "have", "all", "our"]);

/** The column of a table that names the `noun` of a row, such as `customer_id`; figures such as `visitor_number` name none. */
export function keyColumn(from: Reachable | undefined, noun: string): ColumnInfo | undefined {
  return from?.table.columns.find((column) => {
    if (column.role === "measure") return false;
    const [first, second, third] = wordsOf(column.name);
    return first === noun && second !== undefined && KEY_WORDS.has(second) && third === undefined;
  });
}

/**
 * Counts that a question asks for: rows of the table it names, different ones of what a row names, or
 * different values of a column. What stands before `per` is counted where no measure is named.
 */
export function countMeasures(
  tables: readonly Reachable[],
  intent: QueryIntent,
  measured: boolean,
): readonly ChosenMeasure[] {
  const nouns = intent.count.filter((word) => !NO_NOUN.has(word));
  if (nouns.length > 0) return firstOf(tables, nouns, 0);
  // `which month had the most orders`.
  if (intent.rankedGrain && !measured) return firstOf(tables, intent.most, 0);
  if (measured || intent.top !== undefined || intent.general || intent.aggregate !== undefined) return [];
  return firstOf(
    tables,
    intent.subject.filter((word) => !intent.by.includes(word)),
    0.5,
  );
}

function firstOf(
  tables: readonly Reachable[],
  nouns: readonly string[],
  less: number,
): readonly ChosenMeasure[] {
  for (const noun of nouns) {
    const found = countOf(tables, noun, less > 0);
    if (found !== undefined) return [{ ...found, score: found.score - less, counted: [noun] }];
  }
  return [];
}

function countOf(tables: readonly Reachable[], noun: string, entityOnly: boolean): ChosenMeasure | undefined {
  const [fact] = tables;
  if (fact === undefined) return undefined;
  const key = keyColumn(fact, noun);
  const note = key === undefined ? {} : readAsKey(key, noun, fact);
  if (wordsOf(fact.table.name).at(-1) === noun) return { ...count(noun, "count(*)", 6), ...note };
  if (key !== undefined) return { ...count(noun, `count(DISTINCT f.${quoteName(key.name)})`, 5.6), ...note };
  const line = fact.table.columns.find((column) => {
    const words = wordsOf(column.name);
    return words[0] === noun && words.length > 2 && KEY_WORDS.has(words.at(-1) ?? "");
  });
  if (line !== undefined && line.distinct === fact.table.rows) {
    const name = wordsOf(line.name).slice(0, -1);
    const note = `Counted by ${line.name}: no column of ${fact.table.source} numbers the ${many(noun)} themselves.`;
    return { ...count(name.join("_"), "count(*)", 5.4), note };
  }
  if (entityOnly) return undefined;
  const dimension = pickDimension(noun, tables);
  if (dimension === undefined) return undefined;
  return {
    ...count(noun, "", 5),
    sql: (alias) => `count(DISTINCT ${dimension.sql(alias(dimension.from))})`,
  };
}

/** `customer_number` could also say how many there are, where it does not differ from row to row. */
function readAsKey(
  { name, type, distinct }: ColumnInfo,
  noun: string,
  { table }: Reachable,
): { note?: string } {
  const plain = /^(id|code|key)$/.test(wordsOf(name).at(-1) ?? "");
  return plain || !isNumberType(type) || distinct === table.rows
    ? {}
    : { note: `${name} is read as the number of one ${noun}, not as how many there are.` };
}

function count(noun: string, sql: string, score: number): ChosenMeasure {
  // The same one may stand in two groups: their counts do not add up.
  const additive = sql === "count(*)";
  const name = `${additive ? "number_of" : "distinct"}_${many(noun)}`;
  return { name, sql: () => sql, score, additive, counts: true };
}

function many(noun: string): string {
  return noun.endsWith("y") && !/[aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
