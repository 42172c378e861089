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
/** Significant digits that have to agree where no label says that a row is a subtotal, and where equal labels do. */
const DIGITS_WITHOUT_LABEL = 6;
const DIGITS_WITH_LABEL = 4;
const MAX_ROWS_SHOWN = 5;
/** A label of a total, in lower case; with the name of a group it is the label of a subtotal. */
export const TOTAL_WORDS =
  "(?:(?:sub|zwischen|teil|del|sous|grand|overall)[ -]?)?" +
  "(?:total|totals|sum|summa|summe|totalt|gesamt|gesamtsumme|insgesamt|totaal|totale|i alt|celkem|razem|suma|yhteensä|итого)";
const IS_TOTAL = new RegExp(`^(?:${TOTAL_WORDS})$`);
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

/** A candidate whose figures are sums. */
interface Confirmed {
  readonly candidate: SubtotalCandidate;
  readonly evidence: Evidence;
  /** Words beside the name of its group. */
  readonly word: string | undefined;
  /** Figures that are sums and not zero, and their significant digits. */
  readonly figures: number;
  readonly digits: number;
  /** The label is the name of its group, as in `Nord,,30` below rows of `Nord`. */
  readonly namesGroup: boolean;
}

/** The evidence that a walk over the candidates accepts. */
interface Accepted {
  /** Words that mark a subtotal; undefined for any. */
  readonly words: ReadonlySet<string> | undefined;
  readonly single: boolean;
  readonly layout: boolean;
}

/** What became of the candidates. */
export interface SettledSubtotals {
  readonly notes: readonly string[];
  readonly kept: number;
  /** Rows were kept that may be subtotals. */
  readonly doubtful: boolean;
}

/**
 * Takes the rows out that are subtotals: each of their figures that adds up is the sum of the rows since the start
 * or since a subtotal before, and more than that hints at it. Rows that are such sums and may be data are kept and
 * noted: a lost row changes a result without a trace.
 */
export async function removeSubtotals(
  connection: DuckDBConnection,
  table: string,
  candidates: readonly SubtotalCandidate[],
  columns: readonly ColumnWithReading[],
  others: readonly number[],
): Promise<SettledSubtotals> {
  const summed = columns.filter(
    ({ name, reading }) => isNumberType(reading.type) && isAdditive(name) && !isIdName(name),
  );
  if (candidates.length === 0 || summed.length === 0) {
    return { notes: [], kept: candidates.length, doubtful: false };
  }
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
  const { confirmed, possible } = decide(candidates, figures, parts, isLast);
  if (confirmed.length > 0) {
    const left = confirmed.map(({ rowid }) => rowid).join(", ");
    await connection.run(`DELETE FROM ${table} WHERE rowid IN (${left})`);
  }
  return {
    notes: [...leftOutNote(confirmed), ...possibleNote(possible)],
    kept: candidates.length - confirmed.length,
    doubtful: possible.length > 0,
  };
}

const labelOf = (candidate: SubtotalCandidate): string =>
  JSON.stringify(oneLine(candidate.labels[0] ?? "", 60));

function leftOutNote(rows: readonly SubtotalCandidate[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [
    rows.length === 1
      ? `1 row is the sum of rows above it (${labelOf(first)}) and left out`
      : `${rows.length} rows are sums of rows above them (${labelOf(first)} first) and left out`,
  ];
}

function possibleNote(rows: readonly SubtotalCandidate[]): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_ROWS_SHOWN).map((row) => `row ${row.rowid + 1} ${labelOf(row)}`);
  const more = rows.length > shown.length ? ` and ${rows.length - shown.length} more` : "";
  return [
    rows.length === 1
      ? `1 row may be a subtotal of rows above it, and is kept: ${shown.join(", ")}`
      : `${rows.length} rows may be subtotals of rows above them, and are kept: ${shown.join(", ")}${more}`,
  ];
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
 * Tells subtotals from rows that are sums by chance. A label with the name of its group counts where its other word
 * is one for totals; a layout counts where every group has such a row and enough digits agree.
 */
function decide(
  candidates: readonly SubtotalCandidate[],
  figures: readonly (readonly (number | null)[])[],
  parts: readonly Part[],
  isLast: boolean,
): { readonly confirmed: readonly SubtotalCandidate[]; readonly possible: readonly SubtotalCandidate[] } {
  const walkWith = (accepted: Accepted): readonly Confirmed[] =>
    walk(candidates, figures, parts, isLast, accepted);
  const all = walkWith({ words: undefined, single: true, layout: true });
  const words = strongWords(all);
  const single = all.some(({ evidence, word }) => evidence === "name" && words.has(word ?? ""));
  const withLayout = walkWith({ words, single, layout: true });
  const confirmed = isStrongLayout(withLayout, candidates, parts)
    ? withLayout
    : walkWith({ words, single, layout: false });
  const left = new Set(confirmed.map(({ candidate }) => candidate));
  // A row that is as much as the only one above it is no sum.
  const possible = all.filter(({ candidate, evidence }) => evidence !== "single" && !left.has(candidate));
  return { confirmed: [...left], possible: possible.map(({ candidate }) => candidate) };
}

/** Words for totals beside the names of groups. */
function strongWords(confirmed: readonly Confirmed[]): ReadonlySet<string> {
  const words = confirmed.flatMap(({ evidence, word }) => (evidence === "name" ? (word ?? []) : []));
  return new Set(words.filter((word) => IS_TOTAL.test(word)));
}

/** Whether every group has one such row, with figures that are hardly sums by chance. */
function isStrongLayout(
  confirmed: readonly Confirmed[],
  candidates: readonly SubtotalCandidate[],
  parts: readonly Part[],
): boolean {
  const layout = confirmed.filter(({ evidence }) => evidence === "layout");
  const sums = new Set(confirmed.map(({ candidate }) => candidate));
  const isEach = candidates.every((candidate) => !candidate.hasGap || sums.has(candidate));
  if (layout.length === 0 || !isEach || (parts.at(-1)?.rows ?? 0) > 0) return false;
  const labels = new Set(layout.map(({ candidate }) => candidate.labels.join()));
  const isLabelled = layout.length > 1 && (labels.size === 1 || layout.every(({ namesGroup }) => namesGroup));
  const digits = layout.reduce((all, row) => all + row.digits, 0);
  const figures = layout.reduce((all, row) => all + row.figures, 0);
  return figures > 1 && digits >= (isLabelled ? DIGITS_WITH_LABEL : DIGITS_WITHOUT_LABEL);
}

function walk(
  candidates: readonly SubtotalCandidate[],
  figures: readonly (readonly (number | null)[])[],
  parts: readonly Part[],
  isLast: boolean,
  accepted: Accepted,
): readonly Confirmed[] {
  const confirmed: Confirmed[] = [];
  const shared = sharedExtras(candidates);
  /** Parts since each place where a sum may begin, the nearest place last. */
  const open: Part[] = [parts[0] ?? { rows: 0, sums: [], texts: [] }];
  for (const [i, candidate] of candidates.entries()) {
    const own = figures[i] ?? [];
    const isTotal = isLast && i === candidates.length - 1 && confirmed.length > 0;
    const found =
      open
        .toReversed()
        .map((part) => evidenceFor(candidate, own, part, shared, accepted))
        .find((evidence) => evidence !== undefined) ??
      (isTotal && isSum(own, open[0]?.sums ?? [])
        ? { evidence: "total" as const, word: undefined, namesGroup: false }
        : undefined);
    const next = parts[i + 1] ?? { rows: 0, sums: [], texts: [] };
    if (found === undefined) {
      const row: Part = { rows: 1, sums: own.map((figure) => figure ?? 0), texts: [] };
      for (const [at, part] of open.entries()) open[at] = join(join(part, row), next);
    } else {
      const written = own.filter((figure) => figure !== null && figure !== 0);
      const digits = written.reduce<number>((sum, figure) => sum + significantDigits(figure ?? 0), 0);
      confirmed.push({ candidate, ...found, figures: written.length, digits });
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
  accepted: Accepted,
): Pick<Confirmed, "evidence" | "word" | "namesGroup"> | undefined {
  if (part.rows === 0 || !isSum(own, part.sums)) return undefined;
  const groups = part.texts.flatMap(([low, high]) => (low === high && low !== "" ? [low] : []));
  const isOfGroup = (label: string): boolean =>
    IS_TOTAL.test(label.toLowerCase()) ||
    groups.some((group) => label === group || wordsBeside(label, group) !== undefined);
  // `A Team,Cy` below the rows of `A` is a row of its own: a subtotal has no other names.
  const isNamed = candidate.labels.every(isOfGroup);
  const word = (isNamed ? candidate.labels : [])
    .flatMap((label) => groups.flatMap((group) => wordsBeside(label, group) ?? []))
    .find((words) => (part.rows > 1 || shared.has(words)) && accepted.words?.has(words) !== false);
  if (word !== undefined && part.rows > 1) return { evidence: "name", word, namesGroup: false };
  if (word !== undefined && accepted.single) return { evidence: "single", word, namesGroup: false };
  if (!candidate.hasGap || part.rows < 2 || !accepted.layout) return undefined;
  const namesGroup = candidate.labels.every((label) => groups.includes(label));
  return { evidence: "layout", word: undefined, namesGroup };
}

/** Digits of a figure without the zeros around them: 3000 is as likely a sum by chance as 3. */
function significantDigits(figure: number): number {
  const [digits = ""] = String(Math.abs(figure)).split("e");
  return digits.replace(".", "").replace(/^0+|0+$/g, "").length;
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
