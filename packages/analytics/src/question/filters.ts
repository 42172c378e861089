import { saidLabel } from "../names/one-line.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import { wordsOf } from "../names/words.ts";
import type { FoundValue, Place } from "./match-values.ts";
import type { Coordination } from "./negation.ts";
import type { Reachable } from "./schema-map.ts";

/** Rows to keep, or to leave out, by the values of one column. */
export interface ValueFilter {
  readonly from: Reachable;
  readonly column: string;
  /** Values as they stand in the data. */
  readonly values: readonly string[];
  readonly negated: boolean;
}

/** A value, and whether it is left out. */
export interface AskedValue extends FoundValue, Coordination {}

export interface PlacedValues {
  readonly filters: readonly ValueFilter[];
  /** Values whose column no row of this table leads to. */
  readonly unreachable: readonly AskedValue[];
  /** Values that another kind of column has too, in a sentence: which one was taken. */
  readonly ambiguous: readonly string[];
  /** Values that no condition keeps as they were asked for, each in a sentence. */
  readonly contradictions: readonly string[];
}

/** Each value in the column nearest to the rows; values of one column together. */
export function placeValues(found: readonly AskedValue[], tables: readonly Reachable[]): PlacedValues {
  const filters = new Map<string, { from: Reachable; column: string; values: string[]; negated: boolean }>();
  const unreachable: AskedValue[] = [];
  const contradictions: string[] = [];
  let last: { readonly text: string; readonly column: string } | undefined;
  const ambiguous: string[] = [];
  for (const value of found) {
    const nearest = nearestPlaces(value.places, tables);
    const [first] = nearest;
    if (first === undefined) {
      unreachable.push(value);
      continue;
    }
    const other = value.places.find(
      (place) =>
        kindOf(place) !== kindOf(first.place) && tables.some(({ table }) => table.name === place.table),
    );
    if (other !== undefined)
      ambiguous.push(
        `"${value.text}" is taken for ${first.place.table}.${first.place.column}; it is in ${other.table}.${other.column} too.`,
      );
    const column = `${first.place.table}.${first.place.column}`;
    if (value.joined && last !== undefined && last.column !== column)
      contradictions.push(
        `"${last.text}" and "${value.text}" are values of different columns; the figures are of rows that meet both conditions.`,
      );
    last = { text: value.text, column };
    const key = JSON.stringify([first.place.table, first.place.column, value.negated]);
    const filter = filters.get(key) ?? {
      from: first.from,
      column: first.place.column,
      values: [],
      negated: value.negated,
    };
    for (const { place } of nearest)
      if (!filter.values.includes(place.value)) filter.values.push(place.value);
    filters.set(key, filter);
  }
  const placed = [...filters.values()];
  const both = placed.filter((a) => placed.some((b) => isSameColumn(a, b) && a.negated !== b.negated));
  for (const { column, negated, values } of both)
    if (negated)
      contradictions.push(
        `filter by ${column}: values of it are asked for, and "${values.join(", ")}" left out.`,
      );
  return {
    filters: placed.filter((one) => !both.includes(one)),
    unreachable,
    ambiguous,
    contradictions,
  };
}

const isSameColumn = (a: ValueFilter, b: ValueFilter): boolean =>
  a.from.table === b.from.table && a.column === b.column;

/** `billing_country` and `country` say the same of a row, `name` says it of its table only. */
function kindOf({ table, column }: Place): string {
  const last = wordsOf(column).at(-1) ?? "";
  return ["name", "title", "label"].includes(last) ? `${table}.${column}` : last;
}

/** The places in the first column that has the value; spellings that differ in case count as one. */
function nearestPlaces(
  places: readonly Place[],
  tables: readonly Reachable[],
): readonly { readonly place: Place; readonly from: Reachable }[] {
  for (const from of tables.toSorted((a, b) => a.path.length - b.path.length)) {
    const here = places.filter((place) => place.table === from.table.name);
    const [first] = here;
    if (first !== undefined)
      return here.filter((place) => place.column === first.column).map((place) => ({ place, from }));
  }
  return [];
}

/** The condition over the alias of `from`. Values are text literals, quotes doubled. */
export function filterSql(filter: ValueFilter, alias: string): string {
  const column = `${alias}.${quoteName(filter.column)}`;
  const literals = filter.values.map(quoteText);
  if (filter.negated) return `(${column} NOT IN (${literals.join(", ")}) OR ${column} IS NULL)`;
  return literals.length === 1 ? `${column} = ${literals.join("")}` : `${column} IN (${literals.join(", ")})`;
}

/** `region is DACH`, as a reader checks it. */
export function filterText(filter: ValueFilter): string {
  const values = filter.values.map((value) => saidLabel(value)).join(" or ");
  const generic =
    wordsOf(filter.column).length === 1 && ["name", "title", "label"].includes(filter.column.toLowerCase());
  const column = generic ? `${filter.from.table.name}.${filter.column}` : filter.column;
  return `${column} is ${filter.negated ? "not " : ""}${values}`;
}
