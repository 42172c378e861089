import type { DataSchema, TableInfo } from "../types/schema.ts";
import { placeValues, type AskedValue, type PlacedValues } from "./filters.ts";
import { pickDimension, isSameDimension, type ChosenDimension } from "./pick-dimension.ts";
import { pickMeasure } from "./pick-measure.ts";
import type { ChosenMeasure } from "./column-measure.ts";
import { pickTime, type TimeColumn } from "./pick-time.ts";
import type { QueryIntent } from "./query-intent.ts";
import { reachable, type Reachable } from "./schema-map.ts";
import { wordsOf } from "../names/words.ts";

/** The table whose rows are counted and added up, and what can be joined to them. */
export interface Fact extends PlacedValues {
  readonly table: TableInfo;
  readonly tables: readonly Reachable[];
  readonly measure: ChosenMeasure;
  readonly time: TimeColumn | undefined;
  readonly dimensions: readonly ChosenDimension[];
  /** The question, with the figure that a superlative without a group asks for. */
  readonly intent: QueryIntent;
  readonly score: number;
}

/** The best table for a question, by what it can add up, when it happened, and what it leads to. */
export function chooseFact(
  schema: DataSchema,
  intent: QueryIntent,
  values: readonly AskedValue[],
  dated: boolean,
): Fact | undefined {
  const facts = schema.tables
    .filter((table) => table.rows > 0)
    .map((table) => toFact(schema, table, intent, values, dated));
  return facts.toSorted((a, b) => b.score - a.score)[0];
}

function toFact(
  schema: DataSchema,
  table: TableInfo,
  intent: QueryIntent,
  values: readonly AskedValue[],
  dated: boolean,
): Fact {
  const tables = reachable(schema, table);
  const time = timeOf(tables, intent.words);
  const by = withoutOwners(intent, tables);
  const grouped = by.flatMap((word) => pickDimension(word, tables) ?? []);
  // `highest list price` asks for a figure, `highest revenue region` for a region.
  const extreme =
    intent.top !== undefined &&
    grouped.length === 0 &&
    intent.grain === undefined &&
    intent.aggregate === undefined;
  const meant: QueryIntent = extreme ? { ...intent, aggregate: intent.ascending ? "min" : "max" } : intent;
  const measure = pickMeasure(tables, meant, time);
  const perGrain = intent.grain !== undefined && measure.per === intent.grain;
  const dimensions = by
    .filter((word) => word !== measure.per && measure.counted?.includes(word) !== true)
    .flatMap((word) => pickDimension(word, tables) ?? [])
    .filter((one, i, all) => all.findIndex((other) => isSameDimension(one, other)) === i);
  const placed = placeValues(values, tables);
  const named = wordsOf(table.name).some((word) => intent.words.includes(word));
  const timed = dated || intent.grain !== undefined || intent.growth;
  const when = time === undefined ? 0 : time.from.path.length === 0 ? 2 : 1.5;
  const score =
    measure.score +
    (timed ? when * 1.5 : measure.counts === true || meant.aggregate !== undefined ? 0 : when) +
    dimensions.length * 3 +
    (values.length - placed.unreachable.length) * 3 +
    (named ? 1.5 : 0) +
    Math.min(1, tables.length / 10) +
    Math.log10(table.rows) / 10;
  return {
    ...placed,
    table,
    tables,
    measure,
    time,
    dimensions,
    intent: perGrain ? { ...meant, grain: undefined } : meant,
    score,
  };
}

/** `customer segment` is one thing: a column and the table it is in. */
function withoutOwners({ by, words }: QueryIntent, tables: readonly Reachable[]): readonly string[] {
  return by.filter((word, i) => {
    const next = by[i + 1];
    if (next === undefined || words[words.indexOf(word) + 1] !== next) return true;
    const table = pickDimension(next, tables)?.from.table;
    return table === undefined || wordsOf(table.name).at(-1) !== word;
  });
}

function timeOf(tables: readonly Reachable[], words: readonly string[]): TimeColumn | undefined {
  for (const from of tables) {
    // A date two steps away is rarely when this row happened.
    const time = from.path.length <= 1 ? pickTime(from, words) : undefined;
    if (time !== undefined) return time;
  }
  return undefined;
}
