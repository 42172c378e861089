import type { DuckDBConnection } from "@duckdb/node-api";

import { isIdName, isNumberType } from "../names/column-role.ts";
import { isAdditive } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import { quoteName } from "../names/quote.ts";
import type { ColumnReading } from "./column-type.ts";

/** Subtotals are in reports made for people, which are not longer than this. */
const MAX_ROWS = 100_000;
/** More rows that look alike are data. */
const MAX_CANDIDATES = 1_000;
/** Two small figures are a third one by chance too often. */
const MIN_ROWS_OF_TOTAL = 3;
/** A figure with its unit, in any country's form. */
const FIGURE = /^[^\d\p{L}]{0,3}\d[\d.,' \u00A0]*[^\d]{0,5}$/u;
/** Part by which a sum may differ from what is written: binary fractions are added up. */
const TOLERANCE = 1e-6;

/** A row that may be a subtotal, by its layout alone. */
export interface SubtotalCandidate {
  readonly rowid: number;
  /** Cells with words in them. */
  readonly labels: readonly string[];
  /** Words of the label beside the group of the row above: `Summe` of `Summe Nord`. */
  readonly extra: string | undefined;
  /** Empty where other rows are filled. */
  readonly hasGap: boolean;
}

/**
 * Rows of the staged table of text that are laid out as subtotals are, in any language: a label and figures, and
 * nothing where most rows say something, or a label that holds the one of the row above (`Nord`, `Summe Nord`).
 */
export async function findSubtotalCandidates(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: number,
): Promise<readonly SubtotalCandidate[]> {
  if (rows < 3 || rows > MAX_ROWS || columns.length < 2) return [];
  const isEmpty = (column: string): string => `coalesce(${quoteName(column)}, '') = ''`;
  const counts = await connection.runAndReadAll(
    `SELECT ${columns.map((column) => `count(*) FILTER (${isEmpty(column)})`).join(", ")} FROM ${table}`,
  );
  const empty = (counts.getRows()[0] ?? []).map(Number);
  const gaps = columns.filter((_, i) => {
    const count = empty[i] ?? 0;
    return count > 0 && count <= Math.min(MAX_CANDIDATES, rows / 2);
  });
  const names = await columnsWithNames(connection, table, columns);
  const hasGap = gaps.length === 0 ? "false" : gaps.map(isEmpty).join(" OR ");
  const holdsName =
    names.length === 0
      ? "false"
      : names.map((_, i) => `(g${i} <> ' ' AND n${i} <> g${i} AND contains(n${i}, g${i}))`).join(" OR ");
  const words = names.map((column, i) => `${wordsOf(quoteName(column))} AS n${i}`);
  const above = names.map((_, i) => `lag(n${i}) OVER (ORDER BY r) AS g${i}`);
  const found = await connection.runAndReadAll(
    `SELECT r, has_gap, holds_name, cells, above FROM (
      SELECT r, (${hasGap}) AS has_gap, (${holdsName}) AS holds_name, cells, lag(cells) OVER (ORDER BY r) AS above FROM (
        SELECT *${above.map((sql) => `, ${sql}`).join("")} FROM (
          SELECT rowid AS r, *, [${columns.map(quoteName).join(", ")}] AS cells${words.map((sql) => `, ${sql}`).join("")} FROM ${table})))
    WHERE has_gap OR holds_name OR r = ${rows - 1} ORDER BY r LIMIT ${2 * MAX_CANDIDATES + 1}`,
  );
  const all = found.getRowsJson();
  if (all.length > 2 * MAX_CANDIDATES) return [];
  const candidates = all.flatMap(([rowid, gap, , cells, before]) => {
    const texts = (cells as (string | null)[]).map((cell) => cell ?? "");
    const labels = texts.filter(hasLetter);
    const hasFigure = texts.some((text) => FIGURE.test(text));
    if (labels.length === 0 || !hasFigure || texts.some(isNeither)) return [];
    const groups = ((before ?? []) as (string | null)[]).flatMap((cell) => cell ?? []);
    const extra = labels.flatMap((label) => groups.flatMap((group) => wordsBeside(label, group) ?? []))[0];
    return [{ rowid: Number(rowid), labels, extra, hasGap: gap === true }];
  });
  // A last row may be the total of all, but only beside other subtotals.
  return candidates.some(({ extra, hasGap: isGap }) => isGap || extra !== undefined) ? candidates : [];
}

const hasLetter = (text: string): boolean => /\p{L}/u.test(text) && !FIGURE.test(text);
const isNeither = (text: string): boolean => text !== "" && !hasLetter(text) && !FIGURE.test(text);

/** SQL of a text as words with one space between them and around. */
const wordsOf = (sql: string): string =>
  `concat(' ', trim(regexp_replace(lower(coalesce(${sql}, '')), '[^\\p{L}\\p{N}]+', ' ', 'g')), ' ')`;

/** Columns with words in them, in which a label may be. */
async function columnsWithNames(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  const counts = await connection.runAndReadAll(
    `SELECT ${columns.map((column) => `coalesce(bool_or(regexp_matches(${quoteName(column)}, '\\p{L}')), false)`).join(", ")} FROM ${table}`,
  );
  const [found = []] = counts.getRows();
  return columns.filter((_, i) => found[i] === true);
}

/** The words of a label beside those of the group; undefined when it does not hold them, or has no others. */
function wordsBeside(label: string, group: string): string | undefined {
  const spaced = (text: string): string =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `;
  const [all, part] = [spaced(label), spaced(group)];
  if (part.trim() === "" || !all.includes(part)) return undefined;
  const extra = all.replace(part, " ").trim();
  return extra === "" ? undefined : extra;
}

/** A column of the staged table and how it will be read. */
export interface ColumnWithReading {
  readonly name: string;
  readonly reading: ColumnReading;
}

/** What the rows between two candidates, or up to one, add up to. */
interface Part {
  readonly rows: number;
  readonly sums: readonly number[];
  /** First and last text in the order of the alphabet, by column: the same where the rows are of one group. */
  readonly texts: readonly (readonly [low: string, high: string])[];
}

/** `single`: named after its group, which is one row. */
type Evidence = "name" | "single" | "layout" | "total";

interface Confirmed {
  readonly candidate: SubtotalCandidate;
  readonly evidence: Evidence;
}

/**
 * Takes the rows out that are subtotals: each of their figures that adds up is the sum of the rows since the start
 * or since a subtotal before. Gives a note, and the candidates that are data.
 */
export async function removeSubtotals(
  connection: DuckDBConnection,
  table: string,
  candidates: readonly SubtotalCandidate[],
  columns: readonly ColumnWithReading[],
  others: readonly number[],
): Promise<{ readonly notes: readonly string[]; readonly kept: number }> {
  const summed = columns.filter(
    ({ name, reading }) => isNumberType(reading.type) && isAdditive(name) && !isIdName(name),
  );
  if (candidates.length === 0 || summed.length === 0) return { notes: [], kept: candidates.length };
  const ids = candidates.map(({ rowid }) => rowid);
  const texts = columns.filter(({ reading }) => reading.type === "VARCHAR");
  const number = ({ name, reading }: ColumnWithReading): string =>
    `TRY(CAST(${reading.sql(quoteName(name))} AS DOUBLE))`;
  const own = await connection.runAndReadAll(
    `SELECT ${summed.map(number).join(", ")} FROM ${table} WHERE rowid IN (${ids.join(", ")}) ORDER BY rowid`,
  );
  const figures = own.getRows().map((row) => row.map((cell) => (cell === null ? null : Number(cell))));
  const parts = await readParts(connection, table, { ids, others, summed: summed.map(number), texts });
  const isLast = await isLastRow(connection, table, ids.at(-1) ?? 0);
  const confirmed = decide(candidates, figures, parts, isLast);
  if (confirmed.length === 0) return { notes: [], kept: candidates.length };
  const left = confirmed.map(({ candidate }) => candidate.rowid).join(", ");
  await connection.run(`DELETE FROM ${table} WHERE rowid IN (${left})`);
  const label = JSON.stringify(oneLine(confirmed[0]?.candidate.labels[0] ?? "", 60));
  const note =
    confirmed.length === 1
      ? `1 row is the sum of rows above it (${label}) and left out`
      : `${confirmed.length} rows are sums of rows above them (${label} first) and left out`;
  return { notes: [note], kept: candidates.length - confirmed.length };
}

/** The rows before the first candidate, and after each of them up to the next. */
async function readParts(
  connection: DuckDBConnection,
  table: string,
  what: {
    readonly ids: readonly number[];
    readonly others: readonly number[];
    readonly summed: readonly string[];
    readonly texts: readonly ColumnWithReading[];
  },
): Promise<readonly Part[]> {
  const { ids, others, summed, texts } = what;
  const select = [
    ...summed.map((sql) => `coalesce(sum(${sql}), 0)`),
    ...texts.flatMap(({ name }) => [`min(${quoteName(name)})`, `max(${quoteName(name)})`]),
  ];
  const left = [...ids, ...others].join(", ");
  const reader = await connection.runAndReadAll(
    `SELECT coalesce(c.at, -1), count(*), ${select.join(", ")}
     FROM (SELECT rowid AS r, * FROM ${table} WHERE rowid NOT IN (${left})) AS d
     ASOF LEFT JOIN (SELECT unnest([${ids.join(", ")}]) AS at) AS c ON d.r > c.at GROUP BY 1`,
  );
  const byStart = new Map(
    reader.getRows().map(([at, rows, ...values]): [number, Part] => {
      const strings = values.slice(summed.length).map((value) => String(value ?? ""));
      return [
        Number(at),
        {
          rows: Number(rows),
          sums: values.slice(0, summed.length).map(Number),
          texts: texts.map((_, i) => [strings[2 * i] ?? "", strings[2 * i + 1] ?? ""] as const),
        },
      ];
    }),
  );
  const none: Part = { rows: 0, sums: summed.map(() => 0), texts: [] };
  return [-1, ...ids].map((at) => byStart.get(at) ?? none);
}

async function isLastRow(connection: DuckDBConnection, table: string, rowid: number): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT max(rowid) FROM ${table}`);
  return Number(reader.getRows()[0]?.[0]) === rowid;
}

/**
 * Goes through the candidates in order; each is a subtotal or a row of data before the next is looked at. Those
 * with nothing but their layout count only where several are sums and most are, or for the last row. Those of
 * groups of one row count only where other groups have more: `Basic Plus` may be as much as `Basic` by chance.
 */
function decide(
  candidates: readonly SubtotalCandidate[],
  figures: readonly (readonly (number | null)[])[],
  parts: readonly Part[],
  isLast: boolean,
): readonly Confirmed[] {
  const walkWith = (accepted: readonly Evidence[]): readonly Confirmed[] =>
    walk(candidates, figures, parts, isLast, new Set(accepted));
  const all = walkWith(["name", "single", "layout"]);
  const byName: readonly Evidence[] = all.some(({ evidence }) => evidence === "name")
    ? ["name", "single"]
    : ["name"];
  const first = walkWith([...byName, "layout"]);
  const layout = first.filter(({ evidence }) => evidence === "layout");
  const rejected = candidates.length - first.length;
  const [only] = layout.length === 1 ? layout : [];
  const alone =
    only !== undefined &&
    isLast &&
    only.candidate === candidates.at(-1) &&
    only.candidate.rowid >= MIN_ROWS_OF_TOTAL;
  const enough = layout.length === 0 || (layout.length > 1 && layout.length > rejected) || alone;
  return enough ? first : walkWith(byName);
}

function walk(
  candidates: readonly SubtotalCandidate[],
  figures: readonly (readonly (number | null)[])[],
  parts: readonly Part[],
  isLast: boolean,
  accepted: ReadonlySet<Evidence>,
): readonly Confirmed[] {
  const confirmed: Confirmed[] = [];
  const shared = sharedExtras(candidates);
  /** Parts since each place where a sum may begin, the nearest place last. */
  const open: Part[] = [parts[0] ?? { rows: 0, sums: [], texts: [] }];
  for (const [i, candidate] of candidates.entries()) {
    const own = figures[i] ?? [];
    const isTotal = isLast && i === candidates.length - 1 && confirmed.length > 0;
    const evidence: Evidence | undefined =
      open
        .toReversed()
        .map((part) => evidenceFor(candidate, own, part, shared))
        .find((found) => found !== undefined && accepted.has(found)) ??
      (isTotal && isSum(own, open[0]?.sums ?? []) ? "total" : undefined);
    const next = parts[i + 1] ?? { rows: 0, sums: [], texts: [] };
    if (evidence === undefined) {
      const row: Part = { rows: 1, sums: own.map((figure) => figure ?? 0), texts: [] };
      for (const [at, part] of open.entries()) open[at] = join(join(part, row), next);
    } else {
      confirmed.push({ candidate, evidence });
      for (const [at, part] of open.entries()) open[at] = join(part, next);
      open.push(next);
    }
  }
  return confirmed;
}

function evidenceFor(
  candidate: SubtotalCandidate,
  own: readonly (number | null)[],
  part: Part,
  shared: ReadonlySet<string>,
): Evidence | undefined {
  if (part.rows === 0 || !isSum(own, part.sums)) return undefined;
  const extra = candidate.labels
    .flatMap((label) =>
      part.texts.flatMap(([low, high]) => (low === high ? (wordsBeside(label, low) ?? []) : [])),
    )
    .find((words) => part.rows > 1 || shared.has(words));
  if (extra !== undefined) return part.rows > 1 ? "name" : "single";
  return candidate.hasGap && part.rows > 1 ? "layout" : undefined;
}

/** What several labels say beside their groups, as `summe` of `Summe Nord` and `Summe Süd`. */
function sharedExtras(candidates: readonly SubtotalCandidate[]): ReadonlySet<string> {
  const seen = new Map<string, Set<string>>();
  for (const { extra, labels } of candidates) {
    if (extra === undefined) continue;
    const before = seen.get(extra) ?? new Set();
    for (const label of labels) before.add(label);
    seen.set(extra, before);
  }
  return new Set([...seen].filter(([, labels]) => labels.size > 1).map(([extra]) => extra));
}

function isSum(own: readonly (number | null)[], sums: readonly number[]): boolean {
  const written = own.flatMap((figure, i) => (figure === null ? [] : [{ figure, sum: sums[i] ?? 0 }]));
  return (
    written.some(({ figure }) => figure !== 0) &&
    written.every(
      ({ figure, sum }) => Math.abs(figure - sum) <= TOLERANCE * Math.max(Math.abs(figure), Math.abs(sum)),
    )
  );
}

function join(a: Part, b: Part): Part {
  if (a.rows === 0 || b.rows === 0) return a.rows === 0 ? b : a;
  return {
    rows: a.rows + b.rows,
    sums: a.sums.map((sum, i) => sum + (b.sums[i] ?? 0)),
    texts: a.texts.flatMap(([low, high], i) => {
      const [otherLow, otherHigh] = b.texts[i] ?? ["", "\uffff"];
      return [[low < otherLow ? low : otherLow, high > otherHigh ? high : otherHigh] as const];
    }),
  };
}
