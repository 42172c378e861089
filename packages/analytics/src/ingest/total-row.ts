import type { DuckDBConnection } from "@duckdb/node-api";

import { columnRole, isIdName, isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import { TOTAL_WORDS, type ColumnWithReading } from "./subtotal-row.ts";

const TOTAL = `(?:${TOTAL_WORDS})[:.]?`;
const IS_TOTAL = new RegExp(`^${TOTAL}$`, "i");
/** A figure with its unit, in any country's form; a date with points in it is none. */
const FIGURE = /^[^\d\p{L}]{0,3}\d[\d.,' \u00A0]*[^\d]{0,5}$/u;
const DOTTED_DATE = /^\d{1,2}\.\d{1,2}\.\d{2,4}$/;
/** More rows of that name are a category of the data: of totals of all rows, and of totals of groups. */
const MAX_TOTALS = 50;
const MAX_GROUP_TOTALS = 1_000;
/** How often a column has to be filled for an empty cell to tell a total from the rows. */
const FILLED = 0.9;
/** Part of a total by which the sum of the others may differ: totals are rounded. */
const TOLERANCE = 0.001;

/** A row that may be a total of the others, or of those of its group: it has the word for one, and figures. */
export interface TotalRow {
  readonly rowid: number;
  readonly word: string;
  /** By column; undefined where it is empty or has the word. */
  readonly cells: readonly (string | undefined)[];
  /** It has other words or a year, as `North,Total,12`, which name its group. */
  readonly hasGroup: boolean;
  /** It stands first or last, or is empty where other rows are not. */
  readonly isLaidOut: boolean;
}

/** Rows of the staged table of text that may be totals: a label that is a word for totals, and figures. */
export async function findTotalRows(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: number,
): Promise<readonly TotalRow[]> {
  if (rows < 3) return [];
  const isTotal = columns.map(
    (column) => `coalesce(regexp_full_match(lower(${quoteName(column)}), ${quoteText(TOTAL)}), false)`,
  );
  const labelled = `(${isTotal.join(" OR ")})`;
  const found = await connection.runAndReadAll(
    `SELECT rowid, * FROM ${table} WHERE ${labelled} ORDER BY rowid DESC LIMIT ${MAX_GROUP_TOTALS + 1}`,
  );
  if (found.currentRowCount === 0) return [];
  const fill = await connection.runAndReadAll(
    `SELECT ${columns.map((column) => `count(nullif(${quoteName(column)}, '')) / count(*)`).join(", ")} FROM ${table} WHERE NOT ${labelled}`,
  );
  const filled = (fill.getRows()[0] ?? []).map(Number);
  const isPeriod = columns.map(
    (name) => columnRole({ name, type: "BIGINT", values: [], distinct: 2, rows: 3 }) === "date",
  );
  const all = found.getRows().map(([id, ...values]): TotalRow => {
    const texts = values.map((value) => String(value ?? ""));
    const cells = texts.map((text) => (text === "" || IS_TOTAL.test(text) ? undefined : text));
    const rowid = Number(id);
    return {
      rowid,
      word: texts.find((text) => IS_TOTAL.test(text)) ?? "",
      cells,
      hasGroup: cells.some((text, i) => text !== undefined && (isPeriod[i] === true || !isFigure(text))),
      isLaidOut:
        rowid === 0 ||
        rowid === rows - 1 ||
        texts.some((text, i) => text === "" && (filled[i] ?? 0) >= FILLED),
    };
  });
  const withFigures = all.filter(({ cells }) => cells.some((text) => text !== undefined && isFigure(text)));
  const ofAll = withFigures.filter(({ hasGroup }) => !hasGroup);
  const ofGroups = withFigures.filter(({ hasGroup }) => hasGroup);
  const isRare = ofAll.length <= Math.min(MAX_TOTALS, rows / 3);
  const isFew = ofGroups.length <= Math.min(MAX_GROUP_TOTALS, rows / 2);
  return [...ofAll.filter(({ rowid }) => isRare || rowid === rows - 1), ...(isFew ? ofGroups : [])].toSorted(
    (a, b) => a.rowid - b.rowid,
  );
}

const isFigure = (text: string): boolean => FIGURE.test(text) && !DOTTED_DATE.test(text);

/** The rows of a staged table that are no totals, for FROM. */
export function withoutTotals(table: string, totals: readonly { readonly rowid: number }[]): string {
  return totals.length === 0 ? table : `(SELECT * FROM ${table} WHERE rowid NOT IN (${idsOf(totals)}))`;
}

const idsOf = (totals: readonly { readonly rowid: number }[]): string =>
  totals.map(({ rowid }) => rowid).join(", ");

/** What became of the rows that may be totals. */
export interface SettledTotals {
  readonly notes: readonly string[];
  /** A row was kept that may be one: sums over all rows may count the others twice. */
  readonly doubtful: boolean;
  /** Rows that were kept and look like totals: their cells do not decide how a column is read. */
  readonly kept: readonly TotalRow[];
  /** Rows that were kept as any other. */
  readonly data: number;
}

/**
 * Takes a row out where each of its figures that adds up is the sum of all other rows, of those since the last such
 * row, or of those of its group. Any other is kept, and noted where it looks like a total.
 */
export async function settleTotalRows(
  connection: DuckDBConnection,
  table: string,
  totals: readonly TotalRow[],
  columns: readonly ColumnWithReading[],
): Promise<SettledTotals> {
  if (totals.length === 0) return { notes: [], doubtful: false, kept: [], data: 0 };
  const summed = columns.filter((column) => isSummed(column));
  const groups = await settleGroupTotals(connection, table, totals, columns, summed);
  const ofAll = totals.filter(({ hasGroup }) => !hasGroup);
  const read = async (
    select: (sql: string) => string,
    where: string,
  ): Promise<readonly (number | null)[]> => {
    if (summed.length === 0) return [];
    const list = summed.map((column) => select(numberOf(column)));
    const rows = await connection.runAndReadAll(`SELECT ${list.join(", ")} FROM ${table} WHERE ${where}`);
    return (rows.getRows()[0] ?? []).map(toNumber);
  };
  const others = `rowid NOT IN (${idsOf([...ofAll, ...groups.left]) || "-1"})`;
  const sums = ofAll.length === 0 ? [] : await read((sql) => `sum(${sql})`, others);
  const left = [...groups.left];
  const kept: TotalRow[] = [];
  let data = totals.length - ofAll.length - groups.left.length;
  for (const [i, total] of ofAll.entries()) {
    const own = await read((sql) => `TRY(${sql})`, `rowid = ${total.rowid}`);
    const since = `rowid > ${ofAll[i - 1]?.rowid ?? -1} AND rowid < ${total.rowid}`;
    const isSum =
      areSame(own, sums) ||
      (total.isLaidOut &&
        total.rowid > 0 &&
        areSame(own, await read((sql) => `sum(${sql})`, `${others} AND ${since}`)));
    if (isSum) left.push(total);
    else if (total.isLaidOut) kept.push(total);
    else data++;
  }
  if (left.length > 0) await connection.run(`DELETE FROM ${table} WHERE rowid IN (${idsOf(left)})`);
  return {
    notes: [
      ...noteOf(left, "labelled as a total", "and left out"),
      ...noteOf(kept, "like a total of the others", "but kept: its figures are not their sums"),
      ...noteOf(
        groups.doubtful,
        "labelled as a total",
        "but kept: its figures are not the sums of its group",
      ),
    ],
    doubtful: kept.length + groups.doubtful.length > 0,
    kept,
    data,
  };
}

const isSummed = ({ name, reading }: ColumnWithReading): boolean =>
  isNumberType(reading.type) && isAdditive(name) && !isIdName(name) && !namesGroup({ name, reading });

/** A column whose values say which group a row is of: text, dates, years, ids. */
function namesGroup({ name, reading }: ColumnWithReading): boolean {
  return columnRole({ name, type: reading.type, values: [], distinct: 2, rows: 3 }) !== "measure";
}

const numberOf = ({ name, reading }: ColumnWithReading): string =>
  `CAST(${reading.sql(quoteName(name))} AS DOUBLE)`;

const toNumber = (cell: unknown): number | null => (cell === null ? null : Number(cell));

/**
 * Totals of groups, wherever they stand: the rows that are alike in each text beside the word. One that is the sum of
 * a single row counts where others are sums of more.
 */
async function settleGroupTotals(
  connection: DuckDBConnection,
  table: string,
  totals: readonly TotalRow[],
  columns: readonly ColumnWithReading[],
  summed: readonly ColumnWithReading[],
): Promise<{ readonly left: readonly TotalRow[]; readonly doubtful: readonly TotalRow[] }> {
  const groupColumns = columns.map(namesGroup);
  const bySignature = Map.groupBy(
    totals.filter(({ hasGroup }) => hasGroup),
    ({ cells }) =>
      cells.flatMap((text, i) => (text !== undefined && groupColumns[i] === true ? [i] : [])).join(),
  );
  const left: TotalRow[] = [];
  const doubtful: TotalRow[] = [];
  for (const [signature, alike] of summed.length === 0 ? [] : bySignature) {
    const names = signature.split(",").flatMap((i) => columns[Number(i)]?.name ?? []);
    const isSame = names.map((name) => `d.${quoteName(name)} = t.${quoteName(name)}`).join(" AND ");
    const figures = summed.map((column, i) => `TRY(${numberOf(column)}) AS f${i}`).join(", ");
    const sums = summed.map((_, i) => `any_value(t.f${i}), sum(d.f${i}), max(abs(d.f${i}))`).join(", ");
    const reader = await connection.runAndReadAll(
      `WITH n AS (SELECT rowid AS r, ${names.map(quoteName).join(", ")}, ${figures} FROM ${table})
       SELECT t.r, count(d.r), ${sums} FROM n AS t JOIN n AS d ON ${isSame}
       WHERE t.r IN (${idsOf(alike)}) AND d.r NOT IN (${idsOf(totals)}) GROUP BY t.r`,
    );
    const compared = reader.getRows().flatMap(([rowid, parts, ...values]) => {
      const total = alike.find((one) => one.rowid === Number(rowid));
      const own = summed.map((_, i) => toNumber(values[3 * i]));
      const sum = summed.map((_, i) => toNumber(values[3 * i + 1]));
      // A total of positive figures is as large as the largest of them.
      const isLarge = own.every((figure, i) => figure === null || figure >= Number(values[3 * i + 2]));
      return total === undefined ? [] : [{ total, parts: Number(parts), isSum: areSame(own, sum), isLarge }];
    });
    const several = compared.filter(({ parts }) => parts > 1);
    const sumsOfSeveral = several.filter(({ isSum }) => isSum);
    const isPattern = sumsOfSeveral.length > 0 && sumsOfSeveral.length * 2 >= several.length;
    const wrong = isPattern ? compared.filter(({ isSum }) => !isSum) : several;
    const isLarge = wrong.filter((one) => one.isLarge).length * 2 >= wrong.length;
    if (isPattern) left.push(...compared.flatMap(({ total, isSum }) => (isSum ? [total] : [])));
    if (isPattern || isLarge) doubtful.push(...wrong.map(({ total }) => total));
  }
  return { left, doubtful };
}

/** Empties the cells of rows of the staged table that their columns cannot hold. */
export async function emptyUnreadable(
  connection: DuckDBConnection,
  table: string,
  rows: readonly TotalRow[],
  columns: readonly ColumnWithReading[],
): Promise<void> {
  for (const { name, reading } of rows.length === 0 ? [] : columns)
    if (reading.type !== "VARCHAR")
      await connection.run(
        `UPDATE ${table} SET ${quoteName(name)} = NULL WHERE rowid IN (${idsOf(rows)}) AND TRY(${reading.sql(quoteName(name))}) IS NULL`,
      );
}

/** Whether there is a figure, and each is the sum. */
function areSame(own: readonly (number | null)[], sums: readonly (number | null)[]): boolean {
  const said = own.flatMap((figure, i) => (figure === null ? [] : [{ figure, sum: sums[i] ?? 0 }]));
  return (
    said.length > 0 &&
    said.every(
      ({ figure, sum }) => Math.abs(figure - sum) <= TOLERANCE * Math.max(Math.abs(figure), Math.abs(sum)),
    )
  );
}

function noteOf(totals: readonly TotalRow[], like: string, then: string): readonly string[] {
  const [first] = totals;
  if (first === undefined) return [];
  const many = totals.length === 1 ? "1 row is" : `${totals.length} rows are`;
  return [`${many} ${like} (${JSON.stringify(oneLine(first.word))}) ${then}`];
}
