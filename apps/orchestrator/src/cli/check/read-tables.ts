import type { ResultTable } from "@troupe/stream";
import { z } from "zod";

import { dataOf, type CallTool } from "../call-app.ts";
import type { TableEntry } from "../contents.ts";

/** Of a collection with more tables the first are read. */
const MAX_TABLES = 20;
const MAX_ROWS = 500;
/** Statements for one collection; what is left then is not read. */
const MAX_QUERIES = 400;
const MAX_CATEGORIES = 8;
const MAX_MEASURES = 12;
/** The latest years, each summed by category by itself, so that shares of a year can be recomputed. */
const MAX_YEARS = 4;

const resultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string(), role: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  total: z.number().nullable(),
});
type Result = z.output<typeof resultSchema>;

/**
 * Tables of a data collection as evidence: up to 500 rows of each, its totals, and its sums by year and by category,
 * also of tables that share an id with it. What a statement does not give, such as the year of a column that holds
 * none, is left out.
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
  const read = async (title: string, source: string, sql: string): Promise<Result | undefined> => {
    const first = await ask(`${sql} LIMIT ${MAX_ROWS}`);
    if (first === undefined) return undefined;
    const rows = [...first.rows];
    const total = Math.min(first.total ?? MAX_ROWS, MAX_ROWS);
    // A result hands over its first rows only.
    while (rows.length < total) {
      const page = await ask(`${sql} LIMIT ${total - rows.length} OFFSET ${rows.length}`);
      if (page === undefined || page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    const columns = first.columns.map(({ name }) => name);
    if (rows.length > 0) found.push({ id: title, title, columns, rows, query: sql, source });
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
    const year = date === undefined ? undefined : `year(${column(date)})`;
    const byYear =
      year === undefined
        ? undefined
        : await read(
            `${name} by year (${source})`,
            source,
            `SELECT ${year} AS year, ${sums} ${from} GROUP BY 1 ORDER BY 1 DESC`,
          );
    const years = (byYear?.rows ?? [])
      .flatMap(([one]) => (typeof one === "number" ? [one] : []))
      .slice(0, MAX_YEARS);
    for (const group of groupsOf(table, known)) {
      const by = `SELECT ${group.column} AS ${quoted(group.label)}, ${sums} ${from}${group.join}`;
      const end = "GROUP BY 1 ORDER BY 2 DESC";
      await read(`${name} by ${group.label} (${source})`, source, `${by} ${end}`);
      for (const one of years)
        await read(
          `${name} by ${group.label} in ${one} (${source})`,
          source,
          `${by} WHERE ${year} = ${one} ${end}`,
        );
    }
  }
  return found;
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
