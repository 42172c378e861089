import type { ResultTable } from "@troupe/stream";

import { periodsNamed, type NamedPeriods } from "./named-periods.ts";
import { foldedWords, prefixesOf } from "./words.ts";

/** Tables that one sentence is compared with. */
export const MAX_TABLES = 4;

/** The tables that a sentence speaks of, each with the rows and columns that it names. */
export interface FittingTables {
  /** What the sentence is compared with. */
  readonly narrow: readonly ResultTable[];
  /** The same with the rows beside those, for figures computed with them, such as shares. */
  readonly whole: readonly ResultTable[];
  /** Sums of the same files over all values, of which those may be a part. */
  readonly totals: readonly ResultTable[];
  /** Values of the tables that the sentence names, such as a product, folded. */
  readonly values: readonly string[];
  /** It names a column of numbers of these tables, or states money where they have such a column. */
  readonly measure: "named" | "money" | undefined;
  /** How many rows or values the tables have of what it names, such as `12 shops`. */
  readonly counts: readonly string[];
}

/** A column that labels rows. */
interface LabelColumn {
  readonly at: number;
  /** Rows by value, folded. */
  readonly rows: ReadonlyMap<string, readonly number[]>;
}

type Granularity = "year" | "quarter" | "month" | "day";

interface PeriodColumn {
  readonly at: number;
  readonly granularity: Granularity;
}

interface KnownTable {
  readonly table: ResultTable;
  readonly labels: readonly LabelColumn[];
  readonly period: PeriodColumn | undefined;
  /** Columns of numbers by the words of their names. */
  readonly measures: readonly Measure[];
  /** Shares and changes are among its columns. */
  readonly hasShares: boolean;
  /** Rows as they are in the file, not sums of them. */
  readonly isRaw: boolean;
}

interface Measure {
  readonly at: number;
  readonly words: ReadonlySet<string>;
  readonly isMoney: boolean;
}

type Row = ResultTable["rows"][number];

interface Candidate {
  readonly known: KnownTable;
  readonly rows: readonly number[];
  /** Of the period that the sentence names, whatever else they are about. */
  readonly ofPeriod: readonly number[];
  readonly coverage: number;
  readonly periodFit: number;
}

/** Picks tables by the values and columns that a sentence names, which count more than any other word. */
export function tableChooser(tables: readonly ResultTable[]): (sentence: string) => FittingTables {
  const known = tables.map((table) => readKnown(table));
  return (sentence) => {
    const words = ` ${foldedWords(sentence)} `;
    const prefixes = prefixesOf(sentence);
    const periods = periodsNamed(sentence);
    const values = valuesNamed(
      known.flatMap(({ labels }) => labels.flatMap(({ rows }) => [...rows.keys()])),
      words,
    );
    const candidates = known.flatMap((one) => candidateOf(one, values, periods, prefixes));
    const totals = candidates.filter(
      ({ known: { labels }, periodFit }) => labels.length === 0 && periodFit === 2,
    );
    const best = Math.max(0, ...candidates.map(({ coverage }) => coverage));
    const covering = candidates.filter(({ coverage }) => coverage === best);
    const chosen = (hasPeriod(periods) ? withoutOtherPeriods(covering) : covering)
      .toSorted((one, other) => rank(other) - rank(one))
      .slice(0, MAX_TABLES);
    return {
      narrow: chosen.map(({ known: one, rows }) => narrowed(one, rows, prefixes)),
      whole: chosen
        .filter(({ known: one, rows, ofPeriod }) => rows.length < ofPeriod.length && !one.hasShares)
        .map(({ known: { table }, ofPeriod }) => withRows(table, ofPeriod)),
      totals: totals.map(({ known: one, rows }) => narrowed(one, rows, prefixes)),
      values,
      measure: chosen.some(({ known: { measures } }) => measures.some((one) => isMeasureNamed(one, prefixes)))
        ? "named"
        : MONEY.test(sentence) &&
            chosen.some(({ known: { measures } }) => measures.some(({ isMoney }) => isMoney))
          ? "money"
          : undefined,
      counts: known.flatMap((one) => countsOf(one, words)),
    };
  };
}

function readKnown(table: ResultTable): KnownTable {
  const cells = (at: number): readonly ResultTable["rows"][number][number][] =>
    table.rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
  const period = table.columns.flatMap((name, at): readonly PeriodColumn[] => {
    const granularity = granularityOf(name, cells(at));
    return granularity === undefined ? [] : [{ at, granularity }];
  })[0];
  const labels: LabelColumn[] = [];
  const measures: Measure[] = [];
  for (const [at, name] of table.columns.entries()) {
    if (at === period?.at) continue;
    const values = cells(at);
    if (values.length === 0) continue;
    if (values.every((cell) => typeof cell === "string"))
      labels.push({
        at,
        rows: Map.groupBy(table.rows.keys(), (row) => foldedWords(`${table.rows[row]?.[at] ?? ""}`)),
      });
    else if (values.some((cell) => typeof cell === "number"))
      measures.push({
        at,
        words: new Set([...prefixesOf(name.replaceAll("_", " "))].filter((word) => !NO_MEASURE.has(word))),
        isMoney: MONEY.test(name.replaceAll("_", " ")),
      });
  }
  return {
    table,
    labels,
    period,
    measures,
    hasShares: table.columns.some((name) => name.startsWith("percent ")),
    isRaw: (table.query ?? "SELECT * ").startsWith("SELECT * "),
  };
}

const MONEY = /[€$£]|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|euros?|dollars?)\b/i;

/** Units, and words of computed columns: none says what a column measures. */
const NO_MEASURE: ReadonlySet<string> = new Set(
  `rows eur euro euros usd gbp chf sek nok dkk kwh mwh gwh kg tonnes hours days percen averag differ change share total value
amount number count`.split(/\s+/),
);

function granularityOf(name: string, cells: readonly unknown[]): Granularity | undefined {
  const all = (pattern: RegExp): boolean =>
    cells.length > 0 && cells.every((cell) => typeof cell === "string" && pattern.test(cell));
  if (
    /^(?:year|jahr|ann[ée]e|año)$/i.test(name) &&
    cells.every((cell) => /^(?:19|20)\d\d$/.test(String(cell)))
  )
    return "year";
  if (all(/^\d{4}-Q[1-4]$/)) return "quarter";
  if (all(/^\d{4}-\d\d$/)) return "month";
  return all(/^\d{4}-\d\d-\d\d/) ? "day" : undefined;
}

/** `12 shops` of the table `shops`, `4 categories` of sums by category, where the sentence has the word. */
function countsOf({ table, labels, isRaw }: KnownTable, words: string): readonly string[] {
  const [, name = "", by] = /^(.*?)(?: by (\S+))? \([^()]*\)$/.exec(table.title ?? "") ?? [];
  const noun = foldedWords((isRaw ? name : (by ?? "")).replaceAll("_", " "));
  const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : noun.endsWith("s") ? noun : `${noun}s`;
  if (noun === "" || !words.includes(` ${many} `) || (!isRaw && labels.length !== 1)) return [];
  return [`${table.total ?? table.rows.length} ${many}`];
}

/** The values that the words name, without those that are a part of a longer one there. */
function valuesNamed(all: readonly string[], words: string): readonly string[] {
  const named = [...new Set(all)]
    .filter((value) => isNamed(value, words))
    .toSorted((one, other) => other.length - one.length);
  let rest = words;
  return named.filter((value) => {
    if (!isNamed(value, rest)) return false;
    rest = rest.replaceAll(` ${value} `, "  ");
    return true;
  });
}

/** Whether the words, between single spaces, have a value, also in the singular or plural. */
export function isNamed(value: string, words: string): boolean {
  if (!/\p{L}{2}/u.test(value)) return false;
  if (words.includes(` ${value} `)) return true;
  return (
    value.length > 3 &&
    (words.includes(` ${value}s `) || (value.endsWith("s") && words.includes(` ${value.slice(0, -1)} `)))
  );
}

function isMeasureNamed(
  measure: { readonly words: ReadonlySet<string> },
  prefixes: ReadonlySet<string>,
): boolean {
  return [...measure.words].some((word) => prefixes.has(word));
}

function candidateOf(
  known: KnownTable,
  values: readonly string[],
  periods: NamedPeriods,
  prefixes: ReadonlySet<string>,
): readonly Candidate[] {
  const { table, labels, period, measures } = known;
  const all = [...table.rows.keys()];
  const ofPeriod =
    period === undefined
      ? all
      : all.filter((row) => isInPeriod(table.rows[row]?.[period.at], period, periods));
  const perColumn = labels.flatMap(({ rows }) => {
    const named = values.filter((value) => rows.has(value));
    return named.length === 0
      ? []
      : [{ named, rows: new Set(named.flatMap((value) => rows.get(value) ?? [])) }];
  });
  const coverage = new Set(perColumn.flatMap(({ named }) => named)).size;
  // Without a value of it named, sums by category are about something else.
  if (coverage === 0 && (labels.length > 0 || !measures.some((one) => isMeasureNamed(one, prefixes))))
    return [];
  const rows = ofPeriod.filter((row) => perColumn.every((column) => column.rows.has(row)));
  const either = ofPeriod.filter((row) => perColumn.some((column) => column.rows.has(row)));
  const kept = rows.length > 0 || perColumn.length === 0 ? rows : either;
  if (kept.length === 0) return [];
  return [{ known, rows: kept, ofPeriod, coverage, periodFit: periodFitOf(period, periods) }];
}

/** 2 where the rows are of periods as long as those that the sentence names. */
function periodFitOf(period: PeriodColumn | undefined, { years, quarters, months }: NamedPeriods): number {
  const named: Granularity | undefined =
    months.length > 0 ? "month" : quarters.length > 0 ? "quarter" : years.length > 0 ? "year" : undefined;
  if (period?.granularity === named) return 2;
  if (period?.granularity === "day" || period === undefined) return 1;
  return 0;
}

function isInPeriod(
  cell: Row[number] | undefined,
  { granularity }: PeriodColumn,
  { years, quarters, months }: NamedPeriods,
): boolean {
  const [, year = "", rest = ""] = /^(\d{4})-?(.*)$/s.exec(`${cell ?? ""}`) ?? [];
  if (years.length > 0 && !years.includes(Number(year))) return false;
  if (granularity === "year") return true;
  const month = granularity === "quarter" ? undefined : Number(rest.slice(0, 2));
  const quarter = month === undefined ? Number(rest.slice(1)) : Math.ceil(month / 3);
  if (quarters.length > 0 && !quarters.includes(quarter)) return false;
  return months.length === 0 || month === undefined || months.includes(month);
}

function hasPeriod({ years, quarters, months }: NamedPeriods): boolean {
  return years.length + quarters.length + months.length > 0;
}

/** Sums over all years say nothing of a year where there are sums of that year. */
function withoutOtherPeriods(candidates: readonly Candidate[]): readonly Candidate[] {
  const fitting = new Set(
    candidates.filter(({ periodFit }) => periodFit === 2).map(({ known }) => known.table.source),
  );
  return candidates.filter(
    ({ known, periodFit }) =>
      periodFit === 2 || (known.isRaw ? periodFit > 0 : !fitting.has(known.table.source)),
  );
}

function rank({ periodFit, known }: Candidate): number {
  return periodFit * 2 - (known.isRaw ? 1 : 0);
}

/** These rows, and of the columns of numbers those that the sentence names, where it names one. */
function narrowed(known: KnownTable, rows: readonly number[], prefixes: ReadonlySet<string>): ResultTable {
  const { table, measures } = known;
  const named = measures.filter((one) => isMeasureNamed(one, prefixes)).map(({ at }) => at);
  const left = new Set(
    named.length === 0 ? [] : measures.map(({ at }) => at).filter((at) => !named.includes(at)),
  );
  const kept = withRows(table, rows);
  return {
    ...kept,
    columns: kept.columns.filter((_, at) => !left.has(at)),
    rows: kept.rows.map((row) => row.filter((_, at) => !left.has(at))),
  };
}

function withRows(table: ResultTable, rows: readonly number[]): ResultTable {
  const { total: _, ...rest } = table;
  return { ...rest, rows: rows.flatMap((row) => (table.rows[row] === undefined ? [] : [table.rows[row]])) };
}
