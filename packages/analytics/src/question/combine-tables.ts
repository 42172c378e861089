import { columnRole, isDateType, isNumberType } from "../names/column-role.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnInfo, DataSchema, TableInfo } from "../types/schema.ts";
import type { ColumnValues } from "../types/values.ts";
import { fileSeries, type SeriesPart } from "./file-series.ts";

/** Files of one shape, such as `sales_2023.csv` and `sales_2024.csv`, read as one table. */
export interface CombinedTable extends TableInfo {
  /** What stands in FROM. */
  readonly sql: string;
}

/** The name of a table, or the rows of all tables it is made of. */
export function tableSql(table: TableInfo): string {
  return isCombined(table) ? table.sql : quoteName(table.name);
}

/** Whether a table is several files. */
export const isCombined = (table: TableInfo): table is CombinedTable => "sql" in table;

/**
 * The schema and values as questions are read over them: files of a series become one table by the names of
 * their columns. A file without dates takes its period out of its name. Columns that some file does not have are left out.
 */
export function combineTables(
  schema: DataSchema,
  values: readonly ColumnValues[],
): { readonly schema: DataSchema; readonly values: readonly ColumnValues[] } {
  const owners = new Map<string, string>();
  const combined = fileSeries(schema.tables).map(({ name, parts }) => {
    for (const { table } of parts) owners.set(table.name, name);
    return combine(name, parts, values);
  });
  if (combined.length === 0) return { schema, values };
  const merged = new Map<string, { table: string; column: string; values: Set<string> }>();
  for (const one of values) {
    const table = owners.get(one.table) ?? one.table;
    const own = combined.find(({ name }) => name === table);
    const column = own?.columns.find((other) => isSame(other.name, one.column))?.name ?? one.column;
    const key = JSON.stringify([table, column]);
    const entry = merged.get(key) ?? { table, column, values: new Set<string>() };
    for (const value of one.values) entry.values.add(value);
    merged.set(key, entry);
  }
  return {
    schema: { ...schema, tables: [...schema.tables.filter(({ name }) => !owners.has(name)), ...combined] },
    values: [...merged.values()].map((one) => ({ ...one, values: [...one.values].sort() })),
  };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function combine(name: string, parts: readonly SeriesPart[], values: readonly ColumnValues[]): CombinedTable {
  const tables = parts.map(({ table }) => table);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const [first] = tables;
  const columns = (first?.columns ?? []).flatMap((column) => {
    const own = tables.flatMap((table) => table.columns.find((one) => isSame(one.name, column.name)) ?? []);
    const alike = own.length === tables.length && new Set(own.map(kindOf)).size === 1;
    const found = values.filter(
      (one) => tables.some((table) => table.name === one.table) && isSame(one.column, column.name),
    );
    return alike ? [mergeColumns(column, own, rows, new Set(found.flatMap((one) => one.values)).size)] : [];
  });
  const dated = columns.some((column) => column.role === "date");
  const period = dated ? undefined : periodColumn(parts);
  const select = parts.map(({ table, label, grain }) => {
    const own = columns.map(({ name: column }) => {
      const actual = table.columns.find((one) => isSame(one.name, column))?.name ?? column;
      return actual === column ? quoteName(column) : `${quoteName(actual)} AS ${quoteName(column)}`;
    });
    return `SELECT ${[...own, ...(period === undefined ? [] : [`${grain === "year" ? label : quoteText(label)} AS ${quoteName(period.name)}`])].join(", ")} FROM ${quoteName(table.name)}`;
  });
  return {
    name,
    source: tables.map(({ source }) => source).join(", "),
    rows,
    rejected: tables.reduce((sum, table) => sum + table.rejected, 0),
    notes: tables.flatMap(({ notes }) => notes ?? []),
    doubtfulTotal: tables.some(({ doubtfulTotal }) => doubtfulTotal === true),
    columns: period === undefined ? columns : [...columns, period],
    sql: `(${select.join(" UNION ALL BY NAME ")})`,
  };
}

function mergeColumns(
  { name }: ColumnInfo,
  own: readonly ColumnInfo[],
  rows: number,
  named: number,
): ColumnInfo {
  const type = new Set(own.map((one) => one.type)).size === 1 ? (own[0]?.type ?? "") : widest(own);
  const samples = [...new Set(own.flatMap((one) => one.samples))];
  const ids = own.some(({ role }) => role === "id");
  const most = Math.max(named, samples.length, ...own.map(({ distinct }) => distinct));
  const distinct = ids ? own.reduce((sum, one) => sum + one.distinct, 0) : most;
  const ends = (key: "min" | "max"): readonly Cell[] =>
    own
      .map((one) => one[key])
      .filter((cell) => cell !== null)
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    name,
    type,
    role: columnRole({ name, type, values: samples, distinct, rows }),
    nulls: own.reduce((sum, one) => sum + one.nulls, 0),
    distinct,
    min: ends("min")[0] ?? null,
    max: ends("max").at(-1) ?? null,
    samples: samples.slice(0, 5),
  };
}

const kindOf = ({ type }: ColumnInfo): string =>
  isNumberType(type) ? "number" : isDateType(type) ? "date" : type;

const widest = (own: readonly ColumnInfo[]): string =>
  own.some(({ type }) => isDateType(type)) ? "TIMESTAMP" : "DOUBLE";

/** When the rows of a file are from, by its name. */
function periodColumn(parts: readonly SeriesPart[]): ColumnInfo {
  const labels = parts.map(({ grain, label }) => (grain === "year" ? Number(label) : label));
  const sorted = labels.toSorted((a, b) => (a < b ? -1 : 1));
  const grain = parts[0]?.grain ?? "year";
  return {
    name: grain === "half" ? "half_year" : grain,
    type: grain === "year" ? "INTEGER" : "VARCHAR",
    role: "date",
    nulls: 0,
    distinct: labels.length,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    samples: sorted.slice(0, 5),
  };
}
