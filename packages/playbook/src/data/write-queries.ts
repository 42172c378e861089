import {
  measureOf,
  nameWords,
  type Filter,
  type Measure,
  type Period,
  type Question,
  type TimeSpan,
} from "./read-question.ts";
import { answerTakesModel, capitalized, sameNoun } from "../words.ts";
import type { Column, Table } from "./read-schema.ts";

/** A statement, and its rows described in words. */
export interface Query {
  readonly title: string;
  readonly sql: string;
  /** What was computed and over which days. */
  readonly note: string;
  /** Whether it has a row for each value of something. */
  readonly hasDimension: boolean;
}

export type Queries =
  | { readonly queries: readonly Query[]; readonly unused: readonly string[] }
  | { readonly cannot: string };

const MAX_ROWS = 40;

/** Statements for what a question names; none where it would have to guess how two tables belong together. */
export function writeQueries(question: Question, tables: readonly Table[]): Queries {
  if (question.ambiguous !== undefined)
    return {
      cannot: `More than one column is named by the request: ${question.ambiguous.join(", ")}. Name one of them.`,
    };
  const twice = question.filters.find((one) =>
    question.filters.some(
      (other) =>
        other !== one &&
        other.table === one.table &&
        other.values.some((value) => one.values.includes(value)),
    ),
  );
  if (twice !== undefined)
    return { cannot: `"${twice.values[0] ?? ""}" is in more than one column of ${twice.table.name}.` };
  if (
    question.top !== undefined &&
    (question.period !== undefined ? question.dimensions.length > 0 : question.counts)
  )
    return {
      cannot: answerTakesModel(
        question.counts ? "A ranking by a number of rows" : `A ranking in each ${question.period ?? "group"}`,
      ),
    };
  // `how many employees` adds up a column `employees`, unless it names a table whose rows are counted.
  if (question.counts && (question.tables.length > 0 || question.measures.length === 0))
    return countRows(question);
  const table = tableOf(question, tables);
  const inTables = [...new Set(question.measures.map((one) => one.table))];
  if (inTables.length > 1 && !question.tables.some((one) => inTables.includes(one)))
    return {
      cannot: `Several tables have this measure: ${inTables.map(({ name }) => name).join(", ")}. Name one of them.`,
    };
  if (table === undefined) return { queries: [], unused: allUnused(question) };
  const measures = question.measures.filter((one) => one.table === table).map(({ measure }) => measure);
  const asked = measures.length > 0 ? measures : mainMeasure(table);
  const [first] = asked;
  if (first === undefined) return countRows({ ...question, tables: [table] });
  const date = dateOf(table);
  const outside = outsideSpan(date, question.spans);
  if (outside !== undefined) return { cannot: outside };
  const unused = [
    ...question.unused,
    ...(date === undefined ? question.spans.map(({ label }) => label) : []),
    ...lostFilters(question, table),
  ];
  const named = question.dimensions.flatMap((one) => dimensionIn(table, one, question));
  // Several values of one column get a row each.
  const listed = question.filters.filter((filter) => filter.table === table && filter.values.length > 1);
  const dimensions = named.length > 0 ? named : listed.map(({ column }) => ({ column }));
  const elsewhere = question.measures
    .filter((one) => one.table !== table)
    .map(({ measure }) => measure.column.name);
  const unranked =
    question.top !== undefined &&
    dimensions.length === 0 &&
    (question.top.n !== undefined || question.period === undefined)
      ? [question.top.raw]
      : [];
  const lost = question.dimensions.filter(
    (one) =>
      !isKeyBesideName(one.column, question.dimensions) &&
      !dimensions.some(({ column }) => isSameName(column, one.column)),
  );
  const filters = question.filters.filter((filter) => filter.table === table);
  const base = { table, date, filters, spans: date === undefined ? [] : question.spans };
  const periods =
    question.period ??
    (question.spans.length > 1 && dimensions.length === 0 ? spanPeriod(question.spans) : undefined);
  const queries: Query[] = [];
  if (periods !== undefined && date !== undefined && dimensions.length === 0)
    queries.push(byPeriod(base, asked, date, periods));
  for (const dimension of distinctColumns(dimensions))
    queries.push(byDimension(base, asked, dimension, question.top, periods));
  const isOverview = measures.length === 0 && queries.length === 0;
  if (isOverview) queries.push(...overview(base, first));
  if (queries.length === 0) queries.push(total(base, asked));
  const noDate = question.period !== undefined && date === undefined ? [question.period] : [];
  return {
    queries,
    unused: [
      ...unused,
      ...noDate,
      ...unranked,
      ...elsewhere,
      ...distinctColumns(lost).map(({ column }) => column.name),
    ],
  };
}

/** The table of the measures, else the named one, else the one of the dimensions. */
function tableOf(question: Question, tables: readonly Table[]): Table | undefined {
  const { measures, dimensions, filters } = question;
  const ofMeasures = [...new Set(measures.map(({ table }) => table))];
  if (ofMeasures.length > 0)
    return ofMeasures.find((table) => question.tables.includes(table)) ?? ofMeasures[0];
  const [named] = question.tables;
  if (named !== undefined) return named;
  if (dimensions.length + filters.length === 0) return undefined;
  return tables.find((table) => dimensions.every((one) => one.table === table) && dimensions.length > 0);
}

interface Base {
  readonly table: Table;
  readonly date: Column | undefined;
  readonly filters: readonly Filter[];
  readonly spans: readonly TimeSpan[];
}

interface Dimension {
  readonly column: Column;
  /** Its table and the key to join it by, where that is another table. */
  readonly join?: { readonly table: Table; readonly key: Column };
}

function countRows(question: Question): Queries {
  const [table] = question.tables;
  if (table === undefined) return { queries: [], unused: allUnused(question) };
  const date = dateOf(table);
  const spans = date === undefined ? [] : question.spans;
  const outside = outsideSpan(date, spans);
  if (outside !== undefined) return { cannot: outside };
  const filters = question.filters.filter((filter) => filter.table === table);
  const base: Base = { table, date, filters, spans };
  // `customers` names the table, not its column `customer_name`.
  const asked = question.dimensions.filter(({ column }) => !isTableName(column, table));
  const [dimension, ...others] = distinctColumns(asked.filter((one) => one.table === table));
  const elsewhere = distinctColumns(asked).filter(
    (one) => one.table !== table && (dimension === undefined || !isSameName(one.column, dimension.column)),
  );
  const what = `Number of rows in ${table.name}`;
  const unused = [
    ...question.unused,
    ...(date === undefined ? question.spans.map(({ label }) => label) : []),
    ...lostFilters(question, table),
    ...(question.period === undefined ? [] : [question.period]),
    ...[...others, ...elsewhere].map(({ column }) => column.name),
    ...question.measures.map(({ measure }) => measure.column.name),
    ...question.tables.slice(1).map(({ name }) => name),
  ];
  if (dimension === undefined)
    return {
      queries: [
        {
          title: `${what}${labels(base)}`,
          sql: `SELECT COUNT(*) AS rows FROM ${table.sql}${where(base)}`,
          note: note(base, []),
          hasDimension: false,
        },
      ],
      unused,
    };
  const name = dimension.column;
  const sql = `SELECT ${name.sql}, COUNT(*) AS rows FROM ${table.sql}${where(base)} GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_ROWS}`;
  return {
    queries: [
      { title: `${what} by ${label(name)}${labels(base)}`, sql, note: note(base, []), hasDimension: true },
    ],
    unused,
  };
}

/** The main measure of a table: one that is added up, money before others. */
function mainMeasure(table: Table): readonly Measure[] {
  const measures = table.columns.filter(({ role }) => role === "measure").map(measureOf);
  const sums = measures.filter(({ by }) => by === "SUM");
  const money = sums.find(({ column }) => /_(?:eur|usd|gbp|sek|nok|dkk|chf)$/i.test(column.name));
  const main = money ?? sums[0];
  return main === undefined ? [] : [main];
}

function overview(base: Base, measure: Measure): readonly Query[] {
  const { date, table } = base;
  const categories = table.columns.filter(
    ({ role, distinct }) => role === "category" && distinct > 1 && distinct <= MAX_BARS,
  );
  return [
    ...(date === undefined ? [] : [byPeriod(base, [measure], date, periodFor(date))]),
    ...categories.slice(0, 2).map((column) => byDimension(base, [measure], { column }, undefined, undefined)),
  ];
}

const MAX_BARS = 14;

/** By quarter for a few years, else by year. */
function periodFor({ from = "", to = "" }: Column): Period {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return years <= 4 ? "quarter" : "year";
}

function spanPeriod(spans: readonly TimeSpan[]): Period {
  return spans.every(({ label }) => /^\d{4}$/.test(label))
    ? "year"
    : spans.some(({ label }) => label.startsWith("Q"))
      ? "quarter"
      : "month";
}

function byPeriod(base: Base, measures: readonly Measure[], date: Column, period: Period): Query {
  const group = `CAST(date_trunc('${period}', ${date.sql}) AS DATE) AS ${period}`;
  return {
    title: `${named(measures)} by ${period}${labels(base)}`,
    sql: `SELECT ${group}, ${selected(measures, base.table.sql)} FROM ${base.table.sql}${where(base)} GROUP BY 1 ORDER BY 1 LIMIT ${MAX_ROWS * 3}`,
    note: note(base, measures),
    hasDimension: true,
  };
}

function byDimension(
  base: Base,
  measures: readonly Measure[],
  { column, join }: Dimension,
  top: Question["top"],
  period: Period | undefined,
): Query {
  const { table, date } = base;
  const owner = join?.table ?? table;
  const joined =
    join === undefined
      ? ""
      : ` JOIN ${owner.sql} ON ${table.sql}.${join.key.sql} = ${owner.sql}.${join.key.sql}`;
  const periods =
    period === undefined || date === undefined
      ? ""
      : `CAST(date_trunc('${period}', ${table.sql}.${date.sql}) AS DATE) AS ${period}, `;
  // Two customers of the same name stay two rows.
  const key =
    join !== undefined && column.distinct < owner.rows && isNameOf(column, join.key)
      ? `, ${owner.sql}.${join.key.sql}`
      : "";
  const groups = `${periods === "" ? "1" : "1, 2"}${key}`;
  const order = periods === "" ? `2 ${top?.descending === false ? "ASC" : "DESC"}` : "1, 2";
  const head = top?.n === undefined ? "" : `${top.descending ? "Top" : "Lowest"} ${top.n} `;
  const what = label(column);
  const title =
    head === ""
      ? `${named(measures)} by ${period === undefined || date === undefined ? "" : `${period} and `}${what}`
      : `${head}${what} by ${named(measures).toLowerCase()}`;
  return {
    title: `${title}${labels(base)}`,
    sql: `SELECT ${periods}${owner.sql}.${column.sql}, ${selected(measures, table.sql)} FROM ${table.sql}${joined}${where(base)} GROUP BY ${groups} ORDER BY ${order} LIMIT ${periods === "" ? (top?.n ?? MAX_ROWS) : MAX_ROWS * 10}`,
    note: note(base, measures),
    hasDimension: true,
  };
}

function total(base: Base, measures: readonly Measure[]): Query {
  return {
    title: `${named(measures)}${labels(base)}`,
    sql: `SELECT ${selected(measures, base.table.sql)} FROM ${base.table.sql}${where(base)}`,
    note: note(base, measures),
    hasDimension: false,
  };
}

const selected = (measures: readonly Measure[], table: string): string =>
  measures
    .map(
      ({ by, column }) =>
        `${by === "AVG" ? `ROUND(AVG(${table}.${column.sql}), 2)` : `SUM(${table}.${column.sql})`} AS ${column.sql}`,
    )
    .join(", ");

function where({ table, date, filters, spans }: Base): string {
  const conditions = filters.map(
    ({ column, values }) => `${table.sql}.${column.sql} IN (${values.map(text).join(", ")})`,
  );
  if (date !== undefined && spans.length > 0) {
    const inSpans = spans.map(
      ({ from, to }) =>
        `(${table.sql}.${date.sql} >= DATE '${from}' AND ${table.sql}.${date.sql} < DATE '${to}')`,
    );
    conditions.push(inSpans.length === 1 ? (inSpans[0] ?? "") : `(${inSpans.join(" OR ")})`);
  }
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** ` (DACH) in 2025`. */
function labels({ filters, spans }: Base): string {
  const values = filters.flatMap((filter) => filter.values);
  return `${values.length === 0 ? "" : ` (${values.join(", ")})`}${spans.length === 0 ? "" : ` in ${spans.map((span) => span.label).join(", ")}`}`;
}

function named(measures: readonly Measure[]): string {
  const names = measures.map(({ by, column }) => (by === "AVG" ? `average ${label(column)}` : label(column)));
  return capitalized(names.join(" and "));
}

/** Tables that share a column may spell its name differently: `Shop`, `shop`. */
const isSameName = (one: Column, other: Column): boolean =>
  one.name.toLowerCase() === other.name.toLowerCase();

const label = ({ name }: Column): string => nameWords(name).join(" ");

function note({ date }: Base, measures: readonly Measure[]): string {
  const computed = measures.map(({ by, column }) => `${by === "AVG" ? "Average" : "Sum"} of ${column.name}`);
  const days =
    date?.from === undefined || date.to === undefined
      ? []
      : [`${date.name} runs from ${date.from} to ${date.to}`];
  const parts = [...computed, ...days];
  return parts.length === 0 ? "" : `${parts.join("; ")}.`;
}

function dateOf({ columns }: Table): Column | undefined {
  return columns.find(({ role, type }) => role === "date" && /^(?:DATE|TIMESTAMP)/.test(type));
}

/** A message with the days that the table covers, where a span lies outside of them. */
function outsideSpan(date: Column | undefined, spans: readonly TimeSpan[]): string | undefined {
  const { from, to } = date ?? {};
  if (from === undefined || to === undefined) return undefined;
  const outside = spans.find((span) => span.to <= from.slice(0, 10) || span.from > to.slice(0, 10));
  return outside && `There are no rows of ${outside.label}: ${date?.name} runs from ${from} to ${to}.`;
}

/** Every word that names something, for a question that names no table. */
function allUnused({ unused, top, period, spans, filters, dimensions }: Question): readonly string[] {
  return [
    ...unused,
    ...(top === undefined ? [] : [top.raw]),
    ...(period === undefined ? [] : [period]),
    ...spans.map(({ label }) => label),
    ...filters.flatMap(({ values }) => values),
    ...distinctColumns(dimensions).map(({ column }) => column.name),
  ];
}

/** Values that are only in other tables. */
function lostFilters({ filters }: Question, table: Table): readonly string[] {
  const used = new Set(filters.filter((filter) => filter.table === table).flatMap(({ values }) => values));
  return [...new Set(filters.flatMap(({ values }) => values))].filter((value) => !used.has(value));
}

/** A column of the table itself, else of a table that shares a key with it. */
function dimensionIn(
  table: Table,
  { table: owner, column }: Question["dimensions"][number],
  { dimensions }: Question,
): readonly Dimension[] {
  if (owner === table) return isKeyBesideName(column, dimensions) ? [] : [{ column }];
  const sameHere = table.columns.some((own) => isSameName(own, column));
  if (sameHere || isKeyBesideName(column, dimensions)) return [];
  const key = owner.columns.find(
    ({ name, role, distinct }) =>
      role === "id" &&
      distinct === owner.rows &&
      table.columns.some((other) => other.name === name && other.role === "id"),
  );
  return key === undefined ? [] : [{ column, join: { table: owner, key } }];
}

/** `product_id` where `product_name` is there too. */
function isKeyBesideName({ role, name }: Column, dimensions: Question["dimensions"]): boolean {
  if (role !== "id") return false;
  const words = nameWords(name).join(" ");
  return dimensions.some(({ column }) => column.role !== "id" && nameWords(column.name).join(" ") === words);
}

function isTableName({ name }: Column, table: Table): boolean {
  return nameWords(name).every((word) => nameWords(table.name).some((own) => sameNoun(own, word)));
}

/** `customer_name` beside `customer_id`. */
function isNameOf(column: Column, key: Column): boolean {
  return nameWords(column.name).join(" ") === nameWords(key.name).join(" ");
}

function distinctColumns<T extends { readonly column: Column }>(dimensions: readonly T[]): readonly T[] {
  return [...new Map(dimensions.map((one) => [nameWords(one.column.name).join(" "), one])).values()];
}
