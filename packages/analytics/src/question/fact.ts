import type { ColumnInfo, DataSchema, TableInfo } from "../types/schema.ts";
import { pickDate, pickMeasure, type ChosenMeasure } from "./pick-measure.ts";
import { pickDimension } from "./pick-dimension.ts";
import { reachable, type Reachable } from "./schema-map.ts";
import { wordsOf } from "../names/words.ts";

/** The table whose rows are counted and added up, and what can be joined to them. */
export interface Fact {
  readonly table: TableInfo;
  readonly tables: readonly Reachable[];
  readonly measure: ChosenMeasure;
  readonly date: { readonly column: ColumnInfo; readonly from: Reachable } | undefined;
  readonly score: number;
}

/** The best table for a question, by what it can add up, when it happened, and what it leads to. */
export function chooseFact(
  schema: DataSchema,
  words: readonly string[],
  dimensions: readonly string[],
): Fact | undefined {
  const facts = schema.tables
    .filter((table) => table.rows > 0)
    .map((table) => toFact(schema, table, words, dimensions));
  return facts.toSorted((a, b) => b.score - a.score)[0];
}

function toFact(
  schema: DataSchema,
  table: TableInfo,
  words: readonly string[],
  dimensions: readonly string[],
): Fact {
  const tables = reachable(schema, table);
  const measure = pickMeasure(table, words);
  const date = dateOf(tables);
  const named = wordsOf(table.name).some((word) => words.includes(word));
  const reached = dimensions.filter((word) => pickDimension(word, tables) !== undefined).length;
  const score =
    measure.score +
    (date === undefined ? 0 : date.from.path.length === 0 ? 2 : 1.5) +
    reached * 3 +
    (named ? 1.5 : 0) +
    Math.min(1, tables.length / 10) +
    Math.log10(table.rows) / 10;
  return { table, tables, measure, date, score };
}

function dateOf(tables: readonly Reachable[]): Fact["date"] {
  for (const from of tables) {
    const column = pickDate(from.table);
    // A date two steps away is rarely when this row happened.
    if (column !== undefined && from.path.length <= 1) return { column, from };
  }
  return undefined;
}
