import { isNumberType } from "../names/column-role.ts";
import { quoteName, writeName } from "../names/quote.ts";
import { singular, wordsOf } from "../names/words.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnInfo, DataSchema, Join, TableInfo } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";

/** Joins whose values are compared in one statement. */
const MAX_COMPARED = 40;
/** Share of the values of a column that must be keys for a join found by name. */
const MIN_SHARE = 0.9;
/** Fewer values match by chance. */
const MIN_KEYS = 3;

/** Whether every row has a value of its own, in a column that is neither a measure nor a date. */
export function isKey({ distinct, nulls, role }: ColumnInfo, { rows }: TableInfo): boolean {
  return rows > 0 && distinct === rows && nulls === 0 && role !== "date" && role !== "measure";
}

/** Columns whose name says that they hold the key of another table. */
export function joinsByName(schema: DataSchema): readonly Join[] {
  const keys = schema.tables.flatMap((table) =>
    table.columns.filter((column) => isKey(column, table)).map((column) => ({ table, column })),
  );
  return schema.tables.flatMap((table) =>
    table.columns.flatMap((column) =>
      keys
        .filter((key) => key.table !== table && isSameKind(column, key.column) && refersTo(column, key))
        .map((key): Join => ({
          table: table.name,
          column: column.name,
          keyTable: key.table.name,
          keyColumn: key.column.name,
        })),
    ),
  );
}

/** Numbers of any type can be compared; other types only with themselves, as the engine casts none of them. */
const isSameKind = (a: ColumnInfo, b: ColumnInfo): boolean =>
  (a.type === b.type || (isNumberType(a.type) && isNumberType(b.type))) && a.role !== "date";

/** `product_id` is the `product_id` or the `id` of `products`, `billing_customer_id` the `customer_id` of `customers`. */
function refersTo(
  column: ColumnInfo,
  key: { readonly table: TableInfo; readonly column: ColumnInfo },
): boolean {
  const name = wordsOf(column.name);
  const wanted = wordsOf(key.column.name);
  const table = wordsOf(key.table.name).map(singular);
  const endsWith = (words: readonly string[]): boolean =>
    words.length > 0 && words.every((word, i) => name[name.length - words.length + i] === word);
  // `name` and `id` are in every table: they need the name of the table in front.
  const isSpecific = wanted.length > 1 || table.includes(wanted[0] ?? "");
  return isSpecific ? endsWith(wanted) : endsWith([...table.slice(-1), ...wanted]);
}

/** Text columns whose values are all keys of another table, under any name. */
export function joinsByValues(schema: DataSchema, values: readonly ColumnValues[]): readonly Join[] {
  const valuesOf = (table: string, column: string): readonly string[] =>
    values.find((one) => one.table === table && one.column === column)?.values ?? [];
  const keys = schema.tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const held = isKey(column, table) ? valuesOf(table.name, column.name) : [];
      return held.length < MIN_KEYS ? [] : [{ table, column, held: new Set(held) }];
    }),
  );
  return values.flatMap(({ table, column, values: own }) =>
    keys
      .filter(
        (key) => key.table.name !== table && own.length > 1 && own.every((value) => key.held.has(value)),
      )
      .map((key): Join => ({
        table,
        column,
        keyTable: key.table.name,
        keyColumn: key.column.name,
        share: 1,
      })),
  );
}

/** One statement with a row for each join: how many different values the column has, and how many of them are keys. */
export function compareJoinsSql(joins: readonly Join[]): string | undefined {
  if (joins.length === 0) return undefined;
  return joins
    .slice(0, MAX_COMPARED)
    .map(
      ({ table, column, keyTable, keyColumn }, i) =>
        `SELECT ${i} AS "join", count(*) AS "values", count(*) FILTER (WHERE v IN (SELECT ${quoteName(keyColumn)} FROM ${quoteName(keyTable)})) AS "found" ` +
        `FROM (SELECT DISTINCT ${quoteName(column)} AS v FROM ${quoteName(table)} WHERE ${quoteName(column)} IS NOT NULL)`,
    )
    .join("\nUNION ALL\n");
}

/** The joins that the rows of that statement confirm. */
export function confirmedJoins(joins: readonly Join[], rows: readonly (readonly Cell[])[]): readonly Join[] {
  return rows
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .flatMap(([at, values, found]) => {
      const join = joins[Number(at)];
      const share = Number(values) === 0 ? 0 : Number(found) / Number(values);
      return join === undefined || share < MIN_SHARE ? [] : [{ ...join, share }];
    });
}

/** `sales.product_id = products.product_id`. */
export function writeJoin({ table, column, keyTable, keyColumn }: Join): string {
  return `${writeName(table)}.${writeName(column)} = ${writeName(keyTable)}.${writeName(keyColumn)}`;
}
