import type { ResultTable } from "@troupe/stream";

import type { CalendarDate } from "../text/dates.ts";
import { readFacts } from "../text/facts.ts";
import { fold, foldedWords, withAsciiDigits } from "../text/fold.ts";
import { periodsOfMonth } from "../text/periods.ts";
import { regionNames, regionOf } from "../text/regions.ts";
import { SCALED_MONEY } from "../text/numbers.ts";
import { scaleOf, unitInName, type Unit } from "../text/units.ts";
import { DateIndex } from "./date-index.ts";
import {
  constantsOf,
  labelForm,
  withoutComments,
  withoutQuotedNames,
  type QueryConstants,
} from "./query-constants.ts";
import { WordIndex } from "./word-index.ts";
import { quotedForm, readPassage, yearsOf, type EvidenceText, type Passage } from "./passage.ts";

/** A number in a result. */
export interface Cell {
  readonly value: number;
  readonly row: number;
  readonly column: number;
}

export interface Column {
  readonly name: string;
  /** Ids and years: not for arithmetic. */
  readonly isLabel: boolean;
  readonly unit?: Unit;
  /** Power of ten that its name, or the title of the table, gives: 1000 of `staff_keur`. */
  readonly scale?: number;
  /** A year in its name, such as `sales_2024`. */
  readonly year?: number;
  /** Numbers by row; undefined where the cell holds none. */
  readonly values: readonly (number | undefined)[];
  readonly total: number;
}

/** A query result or chart with everything that sentences are compared with. */
export interface Table extends EvidenceText {
  readonly kind: "table";
  readonly cells: readonly Cell[];
  /** The cells by the size of their value, so that the ones near a figure are found without a scan. */
  readonly sorted: readonly Cell[];
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Labels of rows, and other names of the countries among them, by their first word. */
  readonly labelsByWord: ReadonlyMap<string, readonly RowLabel[]>;
  /** The row of a word that stands in the labels of one row only, beside other words. */
  readonly rowOfWord: ReadonlyMap<string, number>;
  /** Powers of ten that its cells may be in: of `actual_keur`, `in million euros`. */
  readonly scales: ReadonlySet<number>;
  /** First text of each row, folded. */
  readonly labels: readonly (string | undefined)[];
  /** By row and column: the text of a cell, folded; undefined where it holds a number, a date or none. */
  readonly rowTexts: readonly (readonly (string | undefined)[])[];
  /** Figures of its texts and of the conditions of its query: `LED panel 40 W`, `units < 50`. */
  readonly texts: Passage;
  readonly rowsOfYear: ReadonlyMap<number, readonly number[]>;
  readonly rowDates: readonly (readonly CalendarDate[])[];
}

export interface RowLabel {
  /** Folded words. */
  readonly label: string;
  readonly row: number;
  /** Another name of what the row is about. */
  readonly isAlias: boolean;
}

/** Columns of a result that are computed with. */
const MAX_COLUMNS = 24;
/** A table carries at most 500 rows; more cells than these are left out. */
const MAX_CELLS = 20_000;
/** Characters of all texts of its rows that are read. */
const MAX_TEXT = 200_000;

/** A table that cannot be read is returned without rows, so that the others are still compared. */
export function readTable(result: ResultTable): Table {
  try {
    return readRows(result);
  } catch {
    return readRows({ id: result.id, columns: [], rows: [] });
  }
}

/** The first columns of numbers that are no labels. */
export function numberColumns({ columns }: Table): readonly Column[] {
  return columns
    .filter(({ isLabel, values }) => !isLabel && values.some((value) => value !== undefined))
    .slice(0, MAX_COLUMNS);
}

function readCells(cells: ResultTable["rows"][number]): ResultTable["rows"][number] {
  return cells.map((cell) => (typeof cell === "string" ? withAsciiDigits(cell) : cell));
}

function readRows(whole: ResultTable): Table {
  const result = { ...whole, rows: whole.rows.map(readCells) };
  const sql = withoutComments(result.query ?? "");
  const constants = constantsOf(sql);
  const query = filtersOf(sql, result);
  const width = Math.max(1, result.columns.length);
  const rows = withinText(result.rows.slice(0, Math.ceil(MAX_CELLS / width)));
  const isConstant = result.columns.map(
    (name, column) => constants.readsNothing || constants.isConstant(column, name),
  );
  const cells = rows
    .flatMap((row, index) => cellsOf(row, index))
    .filter(({ value, column }) => isConstant[column] !== true && !constants.numbers.has(Math.abs(value)));
  const proven = provenTexts(rows, { constants, isConstant, query });
  const [titleScale] = scalesIn(result.title ?? "");
  const hasScales = result.columns.some((name) => scalesIn(name.replaceAll("_", " ")).size > 0);
  const columns = result.columns.map((name, index) => {
    const scale = hasScales ? [...scalesIn(name.replaceAll("_", " "))][0] : titleScale;
    const column = readColumn(name, index, rows.length, cells);
    const isLabel = column.isLabel || isRowNumber(rows, index);
    return { ...column, isLabel, ...(scale === undefined ? {} : { scale }) };
  });
  const texts = rows.map((row) => row.filter((value) => typeof value === "string"));
  const head = `${result.columns.join(" ").replaceAll("_", " ")} ${result.title ?? ""} ${query}`;
  const source = [
    `${result.title ?? ""} ${query} ${result.source ?? ""} ${result.columns.join(" ")}`,
    ...rows.map((row, at) =>
      row
        .map((value, column) => {
          if (typeof value === "string") return proven[at]?.[column] ?? "";
          return isConstant[column] === true || constants.numbers.has(Math.abs(Number(value))) ? "" : value;
        })
        .join(" "),
    ),
    countriesOf(proven),
  ].join("\n");
  const folded = fold(source);
  const words = ` ${foldedWords(source)} `;
  const facts = readFacts(`${head}\n${proven.map((row) => row.join(" ; ")).join("\n")}`);
  const dates = [...facts.dates, ...monthsOfPeriods(proven), ...monthsOfColumns(result.columns)];
  return {
    kind: "table",
    id: result.id,
    source,
    folded,
    words,
    names: new WordIndex(source, words),
    verbatim: quotedForm(source),
    dates,
    dateIndex: new DateIndex(source, folded, dates),
    years: new Set([
      ...yearsOf(facts.dates, facts.figures),
      ...cells.filter(({ value }) => isYear(value)).map(({ value }) => value),
      ...columns.flatMap(({ year }) => (year === undefined ? [] : [year])),
    ]),
    cells,
    sorted: cells.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value)),
    columns,
    rowCount: Math.max(result.total ?? 0, result.rows.length),
    ...indexRows(texts, numberedRows(columns, rows)),
    scales: scalesIn(`${result.title ?? ""} ${result.columns.join(" ")}`),
    rowTexts: rows.map((row) =>
      result.columns.map((_, index) => {
        const cell = row[index];
        if (typeof cell === "boolean") return String(cell);
        return typeof cell === "string" && !NUMBER_OR_DATE.test(cell)
          ? foldedWords(cell.slice(0, MAX_LABEL))
          : undefined;
      }),
    ),
    labels: texts.map(([first]) => (first === undefined ? undefined : foldedWords(first))),
    texts: readPassage({
      id: result.id,
      title: "",
      text: [
        result.title ?? "",
        ...result.columns.map((name) => name.replaceAll("_", " ")),
        conditionsOf(query),
        ...proven.map((row) => row.filter((cell) => /\d/.test(cell) && !/^-?[\d.]+$/.test(cell)).join("\n")),
      ].join("\n"),
    }),
    rowsOfYear: yearRows(rows),
    rowDates: proven.map((row) => readFacts(row.filter((text) => /\d/.test(text)).join(" ; ")).dates),
  };
}

const MAX_LABEL = 200;
const NUMBER_OR_DATE = /^\s*(?:-?\d{1,20}(?:\.\d{1,20})?|\d{4}-\d\d-\d\d.{0,20})?\s*$/;

/** `2024-Q1`, folded, which sentences write as `Q1 2024`. */
const PERIOD_OF_YEAR = /^((?:19|20)\d\d) ([qht][1-4])$/;

/** The months of columns such as `q3` and `h1`. */
function monthsOfColumns(columns: readonly string[]): readonly CalendarDate[] {
  return columns.flatMap((name) => {
    const part = /(?:^|_)([qht][1-4])(?:_|$)/i.exec(name)?.[1]?.toLowerCase();
    if (part === undefined) return [];
    return MONTHS.filter((month) => periodsOfMonth(month).includes(part)).map((month) => ({ month }));
  });
}

/** The months of quarters and halves that label rows: `2026-Q3` has July to September. */
function monthsOfPeriods(texts: readonly (readonly string[])[]): readonly CalendarDate[] {
  return texts.flat().flatMap((cell) => {
    const [, year, part] = PERIOD_OF_YEAR.exec(foldedWords(cell.slice(0, MAX_LABEL))) ?? [];
    if (part === undefined) return [];
    return MONTHS.filter((month) => periodsOfMonth(month).includes(part)).map((month) => ({
      year: Number(year),
      month,
    }));
  });
}

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

/** Names of rows by a column and its number: `line 1` of `L1` in the column `line`, `flat 5` of 5 in the first column `flat`. */
function numberedRows(columns: readonly Column[], rows: ResultTable["rows"]): readonly (readonly string[])[] {
  const names = columns.map(({ name }) => foldedWords(name.replaceAll("_", " ")).split(" ", 1)[0] ?? "");
  const isNumbered = isRowNumber(rows, 0);
  return rows.map((row) =>
    names.flatMap((name, index) => {
      const cell = row[index];
      if (name.length < 3) return [];
      if (typeof cell === "number") return index === 0 && isNumbered ? [`${name} ${cell}`] : [];
      const code =
        typeof cell === "string"
          ? /^(\p{L})[- ]?0{0,3}(\d{1,6})$/u.exec(fold(cell.slice(0, MAX_LABEL)))
          : null;
      return code?.[1] === name[0] ? [`${name} ${code?.[2]}`] : [];
    }),
  );
}

/** Whether the first column counts its rows by growing whole numbers. */
function isRowNumber(rows: ResultTable["rows"], index: number): boolean {
  if (index > 0 || rows.length < 3) return false;
  return rows.every((row, at) => {
    const [value, before] = [row[0], rows[at - 1]?.[0]];
    return (
      typeof value === "number" &&
      Number.isInteger(value) &&
      !isYear(value) &&
      (at === 0 || (typeof before === "number" && value > before))
    );
  });
}

function indexRows(
  texts: readonly (readonly string[])[],
  numbered: readonly (readonly string[])[],
): Pick<Table, "labelsByWord" | "rowOfWord"> {
  const labelsByWord = new Map<string, RowLabel[]>();
  const rowOfWord = new Map<string, number | undefined>();
  const periods = texts.flatMap((cells) =>
    cells.flatMap((cell) => PERIOD_OF_YEAR.exec(foldedWords(cell.slice(0, MAX_LABEL)))?.[2] ?? []),
  );
  const add = (label: string, row: number, isAlias: boolean): void => {
    const [first = ""] = label.split(" ");
    const known = labelsByWord.get(first);
    if (known === undefined) labelsByWord.set(first, [{ label, row, isAlias }]);
    else known.push({ label, row, isAlias });
  };
  for (const [row, labels] of numbered.entries()) for (const label of labels) add(label, row, false);
  for (const [row, cells] of texts.entries())
    for (const cell of cells) {
      const label = foldedWords(cell.slice(0, MAX_LABEL));
      const [, year, part] = PERIOD_OF_YEAR.exec(label) ?? [];
      if (part !== undefined) add(`${part} ${year}`, row, false);
      // The year goes without saying where every period comes once.
      if (part !== undefined && periods.indexOf(part) === periods.lastIndexOf(part)) add(part, row, true);
      if (label.length < 2 || /^\d/.test(label)) continue;
      add(label, row, false);
      const code = regionOf(label);
      for (const name of code === undefined ? [] : regionNames(code))
        if (name !== label) add(name, row, true);
      const words = label.split(" ");
      for (const word of words) {
        const other = rowOfWord.has(word) && rowOfWord.get(word) !== row;
        rowOfWord.set(word, other || words.length === 1 ? undefined : row);
      }
    }
  const only = [...rowOfWord].flatMap(([word, row]) => (row === undefined ? [] : [[word, row] as const]));
  return { labelsByWord, rowOfWord: new Map(only) };
}

function yearRows(rows: ResultTable["rows"]): ReadonlyMap<number, readonly number[]> {
  const byYear = new Map<number, number[]>();
  for (const [row, cells] of rows.entries())
    for (const cell of cells) {
      const year = typeof cell === "string" && /^\s*\d{4}\s*$/.test(cell) ? Number(cell) : cell;
      if (typeof year !== "number" || !isYear(year)) continue;
      const known = byYear.get(year);
      if (known === undefined) byYear.set(year, [row]);
      else known.push(row);
    }
  return byYear;
}

function cellsOf(row: ResultTable["rows"][number], index: number): readonly Cell[] {
  return row.flatMap((value, column) => {
    const number =
      typeof value === "string" && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number)
      ? [{ value: number, row: index, column }]
      : [];
  });
}

export function isYear(value: number): boolean {
  return Number.isInteger(value) && value > 1800 && value < 2100;
}

function readColumn(name: string, index: number, rowCount: number, cells: readonly Cell[]): Column {
  const values: (number | undefined)[] = Array.from({ length: rowCount });
  let count = 0;
  let total = 0;
  let years = true;
  for (const cell of cells) {
    if (cell.column !== index) continue;
    values[cell.row] = cell.value;
    count++;
    total += cell.value;
    years &&= isYear(cell.value);
  }
  const unit = unitInName(name);
  const year = Number(/(?:19|20)\d\d/.exec(name)?.[0]) || undefined;
  return {
    name,
    isLabel: /(?:^|_)id$/i.test(name) || (count > 0 && years),
    ...(unit === undefined ? {} : { unit }),
    ...(year === undefined ? {} : { year }),
    values,
    total,
  };
}

function scalesIn(head: string): ReadonlySet<number> {
  const scales = head.split(/[^\p{L}€$£]+/u).flatMap((word) => {
    const money = (SCALED_MONEY.exec(word)?.[1] ?? /^[€$£](k|m|bn)$/i.exec(word)?.[1])?.toLowerCase();
    const scale = money === "t" ? 1e3 : scaleOf(money ?? (word.length > 2 ? fold(word) : ""));
    return scale ?? [];
  });
  return new Set(scales);
}

const SQL_LITERAL = /'(?:[^']|'')*'|(?<![\w.])\d{1,20}(?:\.\d{1,20})?(?![\w.])/g;
/** The text before a literal of an equality, range or list. */
const FILTER =
  /(?:(?<![!<>])=|>=?|<=?|\b(?:BETWEEN|I?LIKE|LIMIT)|\bBETWEEN\s[^()]{1,60}\sAND|\bIN\s{0,4}\([^()]*)\s{0,4}(?:(?:DATE|TIMESTAMP)\s{0,4})?$/i;
const NEGATED_FILTER =
  /(?:<>|!=|\bNOT\s{1,4}(?:\(?\s{0,4}[\w."]{1,60}\s{0,4}(?:=|[<>]=?)|IN\s{0,4}\([^()]*|I?LIKE|BETWEEN(?:\s[^()]{1,60}\sAND)?))\s{0,4}(?:(?:DATE|TIMESTAMP)\s{0,4})?$/i;
/** A comparison of two literals, such as `18.7 = 18.7`. */
const OF_LITERAL = /(?:'|(?<![\w.])\d{1,20}(?:\.\d{1,20})?)\s{0,4}(?:[<>]=?|=)\s{0,4}$/;
/** Characters of a query before a literal that are read: a list of values may be long. */
const MAX_FILTER = 2000;

function isFilter(query: string, at: number): boolean {
  const before = query.slice(Math.max(0, at - MAX_FILTER), at);
  return FILTER.test(before) && !NEGATED_FILTER.test(before) && !OF_LITERAL.test(before);
}

/**
 * A query without the names that it gives, and with the literals of its filters only: others, such as those of `<>` and
 * `SELECT 5`, prove nothing, and neither does a filter that no row passed.
 */
function filtersOf(sql: string, { rows }: ResultTable): string {
  const query = withoutQuotedNames(sql);
  return query.replace(SQL_LITERAL, (literal, at: number) =>
    rows.length > 0 && isFilter(query, at) ? literal : " ",
  );
}

/** The rows with their texts cut to `MAX_TEXT` characters in total. */
function withinText(rows: ResultTable["rows"]): ResultTable["rows"] {
  let left = MAX_TEXT;
  return rows.map((row) =>
    row.map((cell) => {
      if (typeof cell !== "string") return cell;
      const kept = cell.slice(0, left);
      left -= kept.length;
      return kept;
    }),
  );
}

/** Texts of cells by row and column, empty where the query wrote them. A label of a `CASE` keeps the figures that the query compares with. */
function provenTexts(
  rows: ResultTable["rows"],
  {
    constants,
    isConstant,
    query,
  }: { readonly constants: QueryConstants; readonly isConstant: readonly boolean[]; readonly query: string },
): readonly (readonly string[])[] {
  const compared = new Set(
    (query.match(/\d{1,20}(?:\.\d{1,20})?/g) ?? []).flatMap((one) => [
      Number(one) - 1,
      Number(one),
      Number(one) + 1,
    ]),
  );
  return rows.map((row) =>
    row.map((cell, column) => {
      if (typeof cell !== "string" || isConstant[column] === true) return "";
      const form = labelForm(cell);
      if (constants.texts.has(form)) return "";
      if (!constants.caseLabels.has(form)) return cell;
      return cell.replace(/(?<![\p{L}\d])\d[\d.,]*/gu, (figure) =>
        compared.has(Number(figure.replace(/[.,]+$/, "").replace(/,(?=\d{3})/g, ""))) ? figure : " ",
      );
    }),
  );
}

/** Numbers that a query compares with, and its limit. */
function conditionsOf(query: string): string {
  return [...query.matchAll(/(?:[<>=]|\bLIMIT|\bBETWEEN|\bAND)\s{0,4}(\d{1,12}(?:\.\d{1,6})?)(?![\w-])/gi)]
    .map(([, number]) => number)
    .join("\n");
}

/** Names of the countries whose codes stand in the rows. */
function countriesOf(texts: readonly (readonly string[])[]): string {
  const codes = new Set(texts.flat().filter((text) => /^[A-Z]{2}$/.test(text)));
  return [...codes].flatMap((code) => regionNames(code).slice(0, 1)).join(" ; ");
}

/** Cells whose value is within `tolerance` of `value`, the sign aside. */
export function cellsNear(table: Table, value: number, tolerance: number): readonly Cell[] {
  const target = Math.abs(value);
  let low = 0;
  let high = table.sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.abs(table.sorted[middle]?.value ?? 0) < target - tolerance) low = middle + 1;
    else high = middle;
  }
  const near: Cell[] = [];
  for (let at = low; at < table.sorted.length; at++) {
    const cell = table.sorted[at];
    if (cell === undefined || Math.abs(cell.value) > target + tolerance) break;
    near.push(cell);
  }
  return near;
}
