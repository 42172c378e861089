import { basename } from "node:path";

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "@troupe/core";

import { columnRole } from "../names/column-role.ts";
import { oneLine } from "../names/one-line.ts";
import { quoteName, quoteText } from "../names/quote.ts";
import {
  chooseReading,
  dayOrderOf,
  decimalMarkOf,
  isMisfit,
  openReadings,
  probeSql,
  zoneOf,
  ZONED_TYPE,
  type ColumnReading,
  type DecimalMark,
  type Probe,
} from "./column-type.ts";
import { joinDigits, originalOf, type Originals } from "./join-digits.ts";
import type { PreparedFile } from "./prepare-file.ts";
import type { FileReport } from "./report.ts";
import { stripUnits } from "./strip-unit.ts";
import { findSubtotalCandidates, removeSubtotals, type ColumnWithReading } from "./subtotal-row.ts";
import { emptyUnreadable, findTotalRows, settleTotalRows, withoutTotals } from "./total-row.ts";

const LINE_ENDS = { "\n": "\\n", "\r\n": "\\r\\n", "\r": "\\r" } as const;
const MAX_REJECTS_SHOWN = 5;
const MAX_ZONES_SHOWN = 6;
/** Columns probed in one statement; each makes some twenty aggregates. */
const PROBE_COLUMNS = 8;
/** Rows that rule out most readings before all rows are looked at. */
const FIRST_ROWS = 1_000;

/**
 * Loads a prepared file as `table`, replacing a table of that name: every cell as text first, then
 * each column by the reading all of its values allow, so nothing depends on a sample. Rows with
 * too few or too many fields are counted and left out, rows without any value left out as empty lines are.
 */
export async function loadFile(
  connection: DuckDBConnection,
  original: string,
  prepared: PreparedFile,
  table: string,
  decimalComma: boolean | undefined,
): Promise<FileReport> {
  const file = basename(original);
  await connection.run("DROP TABLE IF EXISTS staged");
  await connection.run("DROP TABLE IF EXISTS reject_errors");
  await connection.run("DROP TABLE IF EXISTS reject_scans");
  try {
    const names = prepared.columns.map(quoteName);
    const trimmed = names.map((name) => `trim(${name}) AS ${name}`).join(", ");
    await connection.run(
      `CREATE TEMP TABLE staged AS SELECT * FROM (SELECT ${trimmed} FROM ${readCsv(prepared)}) WHERE concat(${names.join(", ")}) <> ''`,
    );
  } catch (cause) {
    throw new InputError(
      "input.invalid",
      `"${file}" cannot be read as CSV. Check that all rows end the same way, with LF or CRLF, and that every quote is closed.`,
      { cause },
    );
  }
  const rejects = await readRejects(connection);
  const read = await countRows(connection, "staged");
  if (read === 0 || rejects.count > read) {
    const why =
      rejects.count > 0
        ? `${rejects.count} of its ${read + rejects.count} rows do not have the ${prepared.columns.length} fields of its first row`
        : "it has a header and no rows";
    throw new InputError("input.invalid", `"${file}" was not loaded: ${why}.`);
  }
  const maybe = await findTotalRows(connection, "staged", prepared.columns, read);
  const labelled = maybe.map(({ rowid }) => rowid);
  const laidOut = (await findSubtotalCandidates(connection, "staged", prepared.columns, read)).filter(
    ({ rowid }) => !labelled.includes(rowid),
  );
  const data = withoutTotals("staged", [...maybe, ...laidOut]);
  const originals: Originals = new Set();
  const units = await stripAll(connection, data, prepared.columns, originals);
  const readColumns = async (from: string): Promise<readonly ColumnWithReading[]> =>
    (await chooseReadings(connection, from, prepared, decimalComma)).map((reading, i) => ({
      name: prepared.columns[i] ?? "",
      reading,
    }));
  let columns = await readColumns(data);
  const subtotals = await removeSubtotals(connection, "staged", laidOut, columns, labelled);
  // Those that are data after all have a say in how their columns are read.
  if (subtotals.kept > 0) columns = await readColumns(withoutTotals("staged", maybe));
  const totals = await settleTotalRows(connection, "staged", maybe, columns);
  if (totals.data > 0) columns = await readColumns(withoutTotals("staged", totals.kept));
  await emptyUnreadable(connection, "staged", totals.kept, columns);
  const readings = columns.map(({ reading }) => reading);
  const select = prepared.columns.map((column, i) => {
    const name = quoteName(column);
    const isText = readings[i]?.type === "VARCHAR" && originals.has(column);
    const text = isText ? quoteName(originalOf(column)) : name;
    return `${readings[i]?.sql(text) ?? text} AS ${name}`;
  });
  await connection.run(
    `CREATE OR REPLACE TABLE ${quoteName(table)} AS SELECT ${select.join(", ")} FROM staged`,
  );
  const notes = [
    ...subtotals.notes,
    ...totals.notes,
    ...units,
    ...(await columnNotes(connection, prepared.columns, readings)),
  ];
  const rows = await countRows(connection, quoteName(table));
  const rejectedCells = prepared.columns.flatMap((column, i) => {
    const { misfits, type } = readings[i] ?? {};
    return misfits === undefined || type === "VARCHAR" ? [] : [{ column, count: misfits.count }];
  });
  await connection.run("DROP TABLE staged");
  return {
    file,
    table,
    rows,
    rejected: rejects.count,
    rejectedCells,
    rejects: rejects.shown,
    doubtfulTotal: totals.doubtful || subtotals.doubtful,
    encoding: prepared.encoding,
    delimiter: prepared.delimiter,
    notes: [
      ...(prepared.header ? [] : ["the first row is data, so the columns were numbered"]),
      ...prepared.notes,
      ...notes,
    ],
  };
}

function readCsv(file: PreparedFile): string {
  const columns = file.columns.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(", ");
  const lineEnd = file.lineEnd === undefined ? "" : `, new_line = '${LINE_ENDS[file.lineEnd]}'`;
  return `read_csv(${quoteText(file.path)}, auto_detect = false, delim = ${quoteText(file.delimiter)}, quote = '"',
    escape = '"', skip = ${file.skip}, header = ${file.header}, columns = {${columns}}, store_rejects = true, rejects_limit = 0,
    max_line_size = 16777216${lineEnd})`;
}

async function readRejects(
  connection: DuckDBConnection,
): Promise<{ count: number; shown: FileReport["rejects"] }> {
  const count = await countRows(connection, "(SELECT DISTINCT line FROM reject_errors)");
  const reader = await connection.runAndReadAll(
    `SELECT line, min(error_message) FROM reject_errors GROUP BY line ORDER BY line LIMIT ${MAX_REJECTS_SHOWN}`,
  );
  const shown = reader.getRows().map(([line, problem]) => ({ line: Number(line), problem: String(problem) }));
  return { count, shown };
}

async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  return Number(reader.getRows()[0]?.[0]);
}

async function stripAll(
  connection: DuckDBConnection,
  data: string,
  columns: readonly string[],
  originals: Originals,
): Promise<readonly string[]> {
  const sample = (await connection.runAndReadAll(`SELECT * FROM ${data} LIMIT ${FIRST_ROWS}`)).getColumns();
  const cells = (i: number): readonly (string | null)[] => (sample[i] ?? []) as (string | null)[];
  await joinDigits(connection, "staged", columns, cells, originals);
  return stripUnits(connection, "staged", columns, cells, originals);
}

async function chooseReadings(
  connection: DuckDBConnection,
  data: string,
  file: PreparedFile,
  decimalComma: boolean | undefined,
): Promise<readonly ColumnReading[]> {
  const sample = await connection.runAndReadAll(`SELECT * FROM ${data} LIMIT ${FIRST_ROWS}`);
  const open = sample
    .getColumns()
    .map((values) => openReadings(values.map((value) => value as string | null)));
  const probes = await probe(connection, data, file.columns, open);
  const ids = file.columns.map(isId);
  const decimalMark: DecimalMark =
    decimalComma === undefined
      ? decimalMarkOf(
          probes.filter((_, i) => ids[i] !== true),
          file.delimiter,
        )
      : { mark: decimalComma ? "comma" : "point", uncertain: false };
  const hints = { decimalMark, dayOrder: dayOrderOf(probes) };
  return probes.map((probe, i) => chooseReading(probe, hints, ids[i] === true));
}

const isId = (name: string): boolean =>
  columnRole({ name, type: "VARCHAR", values: [], distinct: 2, rows: 3 }) === "id";

/** What a person may want to know of the columns, with an example of what did not fit. */
async function columnNotes(
  connection: DuckDBConnection,
  columns: readonly string[],
  readings: readonly ColumnReading[],
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [i, column] of columns.entries()) {
    const { misfits, note, type } = readings[i] ?? {};
    if (note !== undefined) notes.push(`${column}: ${note}`);
    if (type === ZONED_TYPE) notes.push(`${column}: ${await zonesNote(connection, column)}`);
    if (misfits === undefined) continue;
    const name = quoteName(column);
    const example = await connection.runAndReadAll(
      `SELECT ${name}, rowid + 1 FROM staged WHERE ${isMisfit(name, misfits.pattern)} ORDER BY rowid LIMIT 1`,
    );
    const [value, row] = example.getRows()[0] ?? [];
    const are = misfits.count === 1 ? "is not a number" : "are not numbers";
    const such = `${misfits.count} of ${misfits.of} values ${are}, e.g. ${JSON.stringify(oneLine(String(value), 40))} in row ${String(row)}`;
    notes.push(
      type === "VARCHAR" ? `${column} is read as text: ${such}` : `${column}: ${such}; read as empty`,
    );
  }
  return notes;
}

async function zonesNote(connection: DuckDBConnection, column: string): Promise<string> {
  const reader = await connection.runAndReadAll(
    `SELECT zone FROM (SELECT ${zoneOf(quoteName(column))} AS zone FROM staged) WHERE zone <> '' GROUP BY zone ORDER BY count(*) DESC, zone`,
  );
  const zones = reader.getRows().map(([zone]) => String(zone));
  const shown = zones.slice(0, MAX_ZONES_SHOWN).join(", ");
  const more = zones.length > MAX_ZONES_SHOWN ? ` and ${zones.length - MAX_ZONES_SHOWN} more` : "";
  return `times are kept in UTC; the file has them in ${shown}${more}`;
}

async function probe(
  connection: DuckDBConnection,
  data: string,
  columns: readonly string[],
  open: readonly ReadonlySet<string>[],
): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  for (let start = 0; start < columns.length; start += PROBE_COLUMNS) {
    const part = columns.slice(start, start + PROBE_COLUMNS);
    const select = part
      .map((column, i) => probeSql(column, `c${i}`, open[start + i] ?? new Set()))
      .join(",\n");
    const row = (await connection.runAndReadAll(`SELECT ${select} FROM ${data}`)).getRowObjects()[0] ?? {};
    probes.push(...part.map((_, i) => pick(row, `c${i}_`)));
  }
  return probes;
}

function pick(row: { readonly [key: string]: unknown }, prefix: string): Probe {
  const probe: { [key: string]: boolean | number } = {};
  for (const [key, value] of Object.entries(row)) {
    if (key.startsWith(prefix))
      probe[key.slice(prefix.length)] = typeof value === "boolean" ? value : Number(value);
  }
  return probe;
}
