import type { ResultTable } from "@troupe/stream";
import { z } from "zod";

import { dataOf, type CallTool } from "../call-app.ts";
import type { TableEntry } from "../contents.ts";

/** Of a collection with more tables the first are read. */
const MAX_TABLES = 20;
const MAX_ROWS = 500;
/** Statements for one collection; beyond these nothing more is read. */
const MAX_QUERIES = 400;
const MAX_CATEGORIES = 8;
const MAX_MEASURES = 12;

const resultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string(), role: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  total: z.number().nullable(),
});
type Result = z.output<typeof resultSchema>;

/**
 * Tables of a data collection as evidence: up to 500 rows of each, its totals, and its sums by year, quarter, month and
 * category, and by category and year together, also of tables that share an id with it. Sums by year have their change
 * on the year before beside them, sums by category their share. A statement that fails, such as the year of a column that
 * holds none, adds nothing.
 */
export async function readTables(
  call: CallTool,
  tool: string,
  collection: string,
  tables: readonly TableEntry[],
): Promise<readonly ResultTable[]> {
  const found: ResultTable[] = [];
  let queries = 0;
  const ask = async (sql: string): Promise<Result | undefined> => {
    if (++queries > MAX_QUERIES) return undefined;
    const output = await call(tool, { sql, collection });
    return output.isError === true ? undefined : dataOf(resultSchema, tool, output);
  };
  const read = async (
    title: string,
    source: string,
    sql: string,
    extend: (table: ResultTable) => ResultTable = (table) => table,
  ): Promise<Result | undefined> => {
    const first = await ask(`${sql} LIMIT ${MAX_ROWS}`);
    if (first === undefined) return undefined;
    const rows = [...first.rows];
    const total = Math.min(first.total ?? MAX_ROWS, MAX_ROWS);
    // A call returns the first rows of a result only.
    while (rows.length < total) {
      const page = await ask(`${sql} LIMIT ${total - rows.length} OFFSET ${rows.length}`);
      if (page === undefined || page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    const columns = first.columns.map(({ name }) => name);
    const table = { id: title, title, columns, rows, query: sql, source };
    const isWhole = rows.length < MAX_ROWS;
    if (rows.length > 0)
      found.push(isWhole ? extend(table) : { ...table, total: first.total ?? rows.length });
    return first;
  };

  const known: Table[] = [];
  for (const { name, source } of tables.slice(0, MAX_TABLES)) {
    const result = await read(`${name} (${source})`, source, `SELECT * FROM ${quoted(name)}`);
    if (result !== undefined) known.push({ name, source, columns: result.columns });
  }
  for (const table of known) {
    const { name, source } = table;
    const measures = named(table, "measure").slice(0, MAX_MEASURES);
    const column = (one: string): string => `f.${quoted(one)}`;
    const sums = ["count(*) AS rows", ...measures.map((one) => `sum(${column(one)}) AS ${quoted(one)}`)].join(
      ", ",
    );
    const averages = measures.map((one) => `avg(${column(one)}) AS ${quoted(`average ${one}`)}`);
    const from = `FROM ${quoted(name)} AS f`;
    await read(`${name}, totals (${source})`, source, `SELECT ${[sums, ...averages].join(", ")} ${from}`);
    const [date] = named(table, "date");
    const periods = date === undefined ? [] : periodsOf(column(date));
    for (const { label, value } of periods)
      await read(
        `${name} by ${label} (${source})`,
        source,
        `SELECT ${value} AS ${quoted(label)}, ${sums} ${from} WHERE ${value} IS NOT NULL GROUP BY 1 ORDER BY 1 DESC`,
        (one) => withChanges(one, measures, 1),
      );
    const [year] = periods;
    for (const group of groupsOf(table, known)) {
      const of = `${group.column} AS ${quoted(group.label)}`;
      await read(
        `${name} by ${group.label} (${source})`,
        source,
        `SELECT ${of}, ${sums} ${from}${group.join} GROUP BY 1 ORDER BY 2 DESC`,
        (one) => withShares(one, measures, 1),
      );
      if (year !== undefined)
        await read(
          `${name} by ${group.label} and year (${source})`,
          source,
          `SELECT ${of}, ${year.value} AS year, ${sums} ${from}${group.join} GROUP BY 1, 2 ORDER BY 2 DESC, 3 DESC`,
          (one) => withShares(withChanges(one, measures, 2), measures, 2),
        );
    }
  }
  return found;
}

/** Labels of periods, as text or the number of the year, of a column of dates. */
function periodsOf(date: string): readonly { readonly label: string; readonly value: string }[] {
  return [
    { label: "year", value: `year(${date})` },
    { label: "quarter", value: `year(${date}) || '-Q' || quarter(${date})` },
    { label: "month", value: `strftime(${date}, '%Y-%m')` },
  ];
}

/**
 * With the change of each sum on the period before, in percent. The first `labels` columns name a row; the last of
 * them is its period, later ones first.
 */
function withChanges(table: ResultTable, measures: readonly string[], labels: number): ResultTable {
  const groups = table.rows.map((row) => JSON.stringify(row.slice(0, labels - 1)));
  const places = measures.map((measure) => table.columns.indexOf(measure)).filter((at) => at >= labels);
  return {
    ...table,
    columns: [...table.columns, ...places.map((at) => `percent change of ${table.columns[at]}`)],
    rows: table.rows.map((row, index) => {
      const before = table.rows[groups.indexOf(groups[index] ?? "", index + 1)];
      return [
        ...row,
        ...places.map((at) => {
          const [now, then] = [row[at], before?.[at]];
          if (typeof now !== "number" || typeof then !== "number" || then === 0) return null;
          return rounded((now / then - 1) * 100);
        }),
      ];
    }),
  };
}

/** With the share of each sum in percent, of all rows or of those with the same period. */
function withShares(table: ResultTable, measures: readonly string[], labels: number): ResultTable {
  const places = measures.map((measure) => table.columns.indexOf(measure)).filter((at) => at >= labels);
  const period = (row: Row): Row[number] => (labels === 1 ? null : (row[labels - 1] ?? null));
  const ofPeriods = Map.groupBy(table.rows, period);
  const totals = new Map(
    [...ofPeriods].map(([key, rows]) => [
      key,
      places.map((at) => rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0)),
    ]),
  );
  return {
    ...table,
    columns: [...table.columns, ...places.map((at) => `percent share of ${table.columns[at]}`)],
    rows: table.rows.map((row) => [
      ...row,
      ...places.map((at, place) => {
        const total = totals.get(period(row))?.[place] ?? 0;
        const own = row[at];
        return typeof own !== "number" || total === 0 ? null : rounded((own / total) * 100);
      }),
    ]),
  };
}

type Row = ResultTable["rows"][number];

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

interface Table {
  readonly name: string;
  readonly source: string;
  readonly columns: Result["columns"];
}

interface Group {
  readonly label: string;
  readonly column: string;
  readonly join: string;
}

/** Categories of a table, and texts of tables that have one of its ids. */
function groupsOf(table: Table, all: readonly Table[]): readonly Group[] {
  const own = named(table, "category").map((label) => ({ label, column: `f.${quoted(label)}`, join: "" }));
  const joined = all.flatMap((other): readonly Group[] => {
    // The first column of the other table is its key: a row of this one belongs to one row of it.
    const key = other.columns[0]?.name ?? "";
    if (other === table || table.columns[0]?.name === key || !table.columns.some(({ name }) => name === key))
      return [];
    const join = ` JOIN ${quoted(other.name)} AS d USING (${quoted(key)})`;
    return other.columns
      .filter(
        ({ name, type }) => name !== key && type === "VARCHAR" && !own.some(({ label }) => label === name),
      )
      .map(({ name }) => ({ label: name, column: `d.${quoted(name)}`, join }));
  });
  return [...own, ...joined].slice(0, MAX_CATEGORIES);
}

function named(table: Table, role: string): readonly string[] {
  return table.columns.filter((column) => column.role === role).map(({ name }) => name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
