import { DateIndex, type WrittenDate } from "./date-index.ts";
import { headMeasure, labelMeasure, measureOf, type Measure } from "./measures.ts";
import { WordIndex } from "./word-index.ts";
import type { CalendarDate, DateMention } from "../text/dates.ts";
import { datedTimes, readFacts, type DatedTime, type Identifier, type TimeMention } from "../text/facts.ts";
import { fold, foldedWords, withAsciiDigits, type Span } from "../text/fold.ts";
import { guessLanguage } from "../text/language.ts";
import type { Figure } from "../text/numbers.ts";
import { isDelimiterRow } from "../text/sentences.ts";
import { scaleOf, unitInText } from "../text/units.ts";

/** A row of a table in a passage. */
export interface PassageRow {
  /** First cell with letters, as folded words; for option lists the option. */
  readonly label: string;
  readonly isOption: boolean;
  /** Where it stands in a table: number of the table, place in the source, and its cells from column 1. */
  readonly inTable?: Span & { readonly table: number; readonly cells: readonly string[] };
}

/** A figure of a passage, with its place among the others. */
export interface PassageFigure extends Figure {
  /** Number of the sentence or line. */
  readonly part: number;
  readonly column?: number;
  readonly row?: PassageRow;
  /** Its power of ten stands in the head of the table, not beside it. */
  readonly hasScaleOfHead?: true;
}

/** A text with everything that sentences are compared with. */
export interface EvidenceText {
  readonly id: string;
  /** With title and section, or with columns and query. */
  readonly source: string;
  readonly folded: string;
  /** Folded words between single spaces, with one space at each end. */
  readonly words: string;
  readonly names: WordIndex;
  /** As quotes are compared: without marks and emphasis. */
  readonly verbatim: string;
  readonly dates: readonly WrittenDate[];
  readonly dateIndex: DateIndex;
  readonly years: ReadonlySet<number>;
}

/** A passage as the model was shown it. */
export interface Passage extends EvidenceText {
  readonly kind: "passage" | "given";
  readonly language: string | undefined;
  readonly figures: readonly PassageFigure[];
  /** Figures of the document's title and of the section. */
  readonly titleFigures: readonly PassageFigure[];
  readonly identifiers: readonly Identifier[];
  readonly rows: readonly PassageRow[];
  /** All rows of its tables that have a label, also those without figures. */
  readonly tableRows: readonly PassageRow[];
  /** Dimensions of its units, alone and with their factor: `time`, `time 60`. */
  readonly dimensions: ReadonlySet<string>;
  /** Powers of ten it has a word for. */
  readonly scales: ReadonlySet<number>;
  /** Powers of ten that the evidence of the run has words for: cells of a table may be in them. */
  readonly cellScales: ReadonlySet<number>;
  readonly times: readonly TimeMention[];
  readonly datedTimes: readonly DatedTime[];
  /** Sentence or line that holds a figure in percent. */
  readonly percentParts: ReadonlySet<number>;
}

export interface PassageSource {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly given?: boolean;
}

/** Longer evidence is cut: a passage has some thousand characters, a text that a tool returned may have any number. */
const MAX_TEXT = 200_000;

export function readPassage({ id, title: named, text: whole, given = false }: PassageSource): Passage {
  const text = withAsciiDigits(whole.slice(0, MAX_TEXT));
  const title = withAsciiDigits(named);
  const source = `${text}\n${title}`;
  const language = guessLanguage(text);
  const facts = readFacts(text, { language });
  const ofTitle = readFacts(title, { language });
  const listed = facts.figures.filter(isNoListNumber(text));
  const spans = rowSpans(text, listed, facts.identifiers);
  const figures = placeFigures(text, listed, spans);
  const folded = fold(source);
  const words = ` ${foldedWords(source)} `;
  const dates = bothOrders([...facts.dates, ...ofTitle.dates], language);
  return {
    kind: given ? "given" : "passage",
    id,
    source,
    folded,
    words,
    // A title is before no name of the text: `Apache License` says nothing of an `Apache NOTICE`.
    names: new WordIndex(text, words),
    verbatim: quotedForm(text),
    language,
    figures,
    titleFigures: ofTitle.figures.map((figure) => ({ ...figure, part: -1 })),
    identifiers: facts.identifiers,
    rows: [...new Set(figures.flatMap(({ row }) => (row === undefined ? [] : [row])))],
    tableRows: spans.flatMap(({ label }) => (label?.inTable === undefined ? [] : [label])),
    dates,
    dateIndex: new DateIndex(source, folded, dates),
    years: yearsOf([...facts.dates, ...ofTitle.dates], [...facts.figures, ...ofTitle.figures]),
    dimensions: dimensionsOf(source, figures),
    scales: scalesOf(folded, facts.figures),
    cellScales: new Set(),
    times: facts.times,
    datedTimes: datedTimes(text, facts),
    percentParts: new Set(figures.flatMap(({ unit, part }) => (unit?.dimension === "percent" ? [part] : []))),
  };
}

/** `(5)` and `5.` at the start of a line count the items of a list, `4.2 Storage` as a line of its own is a heading. */
function isNoListNumber(text: string): (figure: Figure) => boolean {
  const numbers = new Set(
    [
      ...text.matchAll(
        /(?<=^|\n)[ \t]{0,8}(?:\((?=\d{1,2}\)\s)|(?=\d{1,2}\.\s)|(?:#{1,6} )?(?=\d{1,2}(?:\.\d{1,2}){1,3} \p{Lu}[^\n.|:;,\d]{0,80}(?:\n|$)))/gu,
      ),
    ].map((match) => match.index + match[0].length),
  );
  return ({ start, unit, scale }) => !numbers.has(start) || unit !== undefined || scale > 1;
}

function bothOrders(dates: readonly DateMention[], language: string | undefined): readonly CalendarDate[] {
  const american = language === undefined || language === "en";
  return dates.flatMap((date) =>
    date.monthFirst !== undefined && american ? [date, date.monthFirst] : [date],
  );
}

export function yearsOf(dates: readonly CalendarDate[], figures: readonly Figure[]): ReadonlySet<number> {
  return new Set([
    ...dates.flatMap(({ year }) => (year === undefined ? [] : [year])),
    ...figures.flatMap(({ isYear, readings }) =>
      isYear ? readings.slice(0, 1).map(({ value }) => value) : [],
    ),
  ]);
}

/**
 * Folded words and numbers with one space between, without the marks that Markdown or an editor may have changed.
 * Of marks the signs and separators of numbers stay, and `%`, `$` and `€`, apart from their number.
 */
export function quotedForm(text: string): string {
  return fold(text)
    .replace(/[.,](?!\d)|(?<!\d)[.,]|-(?!\d)|(?<=[\p{L}\p{N}])-/gu, " ")
    .replace(/[%$€]/g, " $& ")
    .replace(/[^\p{L}\p{N}.,%$€-]+/gu, " ")
    .trim();
}

function dimensionsOf(text: string, figures: readonly Figure[]): ReadonlySet<string> {
  const dimensions = new Set<string>();
  const words = new Set(text.match(/[\p{L}%€$£°µ²³]{1,30}(?:\/\p{L}{1,2})?/gu) ?? []);
  const units = [
    ...[...words].map((word) => unitInText(word) ?? unitInText(word.split("/", 1)[0] ?? "")),
    ...figures.map(({ unit }) => unit),
  ];
  for (const unit of units)
    if (unit !== undefined) dimensions.add(unit.dimension).add(`${unit.dimension} ${unit.factor}`);
  return dimensions;
}

function scalesOf(folded: string, figures: readonly Figure[]): ReadonlySet<number> {
  const scales = new Set(figures.flatMap(({ scale }) => (scale > 1 ? [scale] : [])));
  for (const word of new Set(folded.match(/\p{L}{3,12}/gu) ?? [])) {
    const scale = scaleOf(word);
    if (scale !== undefined) scales.add(scale);
  }
  return scales;
}

/** The sentence, the column and the row of each figure. */
function placeFigures(
  text: string,
  figures: readonly Figure[],
  rows: readonly RowSpan[],
): readonly PassageFigure[] {
  const breaks = [...text.matchAll(/\n|[.!?]\s+(?=\p{Lu})/gu)].map((match) => match.index);
  let part = 0;
  let at = 0;
  let lastStart = -1;
  return figures.map((figure) => {
    // Number words come after the digits.
    if (figure.start < lastStart) part = at = 0;
    lastStart = figure.start;
    while (part < breaks.length && (breaks[part] ?? 0) < figure.start) part++;
    while (at < rows.length && (rows[at]?.end ?? 0) <= figure.start) at++;
    const row = rows[at];
    if (row === undefined || row.start > figure.start) return { ...figure, part };
    const column = countBefore(row.cells, figure.start);
    return {
      ...figure,
      part,
      ...(column > 0 ? { column } : {}),
      ...measured(figure, measureFor(column, row)),
      ...(row.label === undefined || figure.isWord ? {} : { row: row.label }),
    };
  });
}

/** Of its row, else of the head of its column, else of the cell beside it that names a unit. */
function measureFor(column: number, { ofRow, ofColumns, ofCell }: RowSpan): Measure | undefined {
  const head = ofColumns?.[column];
  const all = [column > 1 ? ofRow : undefined, head, column > 1 ? ofCell : undefined];
  const own = all.find((one) => one !== undefined && (one.unit !== undefined || one.scale > 1));
  const period = own?.period ?? head?.period ?? ofRow?.period;
  if (own === undefined && period === undefined) return undefined;
  return { scale: 1, ...own, ...(period === undefined ? {} : { period }) };
}

/** A cell with the unit, power of ten and period of its table, where it has none of its own. */
function measured(figure: Figure, measure: Measure | undefined): Partial<PassageFigure> {
  if (measure === undefined || figure.isYear || figure.isWord) return {};
  const { unit, scale, period, per } = measure;
  const isBare = figure.unit === undefined;
  const isScaled = scale > 1 && figure.scale === 1 && (isBare || figure.unit?.dimension === unit?.dimension);
  return {
    ...(isBare && unit !== undefined ? { unit } : {}),
    ...(isBare && per !== undefined ? { per } : {}),
    ...(isScaled ? { scale, hasScaleOfHead: true } : {}),
    ...(figure.period === undefined && period !== undefined ? { period } : {}),
  };
}

interface RowSpan {
  readonly start: number;
  readonly end: number;
  /** Places of the bars. */
  readonly cells: readonly number[];
  readonly label?: PassageRow;
  /** By column, from the head. */
  readonly ofColumns?: readonly (Measure | undefined)[];
  /** From its label: `Hand hygiene, %`, `Power (GWh)`. */
  readonly ofRow?: Measure | undefined;
  /** From its cell in a column of units. */
  readonly ofCell?: Measure | undefined;
}

function rowSpans(
  text: string,
  figures: readonly Figure[],
  identifiers: readonly Identifier[],
): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  let ofColumns: readonly (Measure | undefined)[] = [];
  let unitColumn: number | undefined;
  let table = 0;
  const digits = figures.filter(({ isWord }) => !isWord);
  let start = 0;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    const form = rowForm(lines, index);
    if (form !== undefined) {
      const bars = [...line.matchAll(/\|/g)].map((match) => start + match.index);
      // Without an outer bar the first cell begins with the line.
      const cells = form === "open" ? [start - 1, ...bars] : bars;
      const parts = partsOf(line, form);
      const cell = parts.find((one) => /\p{L}{2}/u.test(one)) ?? "";
      const label = foldedWords(cell);
      const isHeader = form === "open" ? isOpenHeader(lines, index) : isDelimiterRow(lines[index + 1] ?? "");
      if (isHeader) {
        ofColumns = parts.map(headMeasure);
        unitColumn = findUnitColumn(lines, index + 1);
      }
      spans.push({
        start,
        end,
        cells,
        ofColumns,
        ofRow: labelMeasure(cell),
        ofCell: unitColumn === undefined ? undefined : measureOf((parts[unitColumn] ?? "").trim()),
        ...(isHeader
          ? {}
          : rowLabel(label, line, { table, start, end, cells: parts.slice(1).map((one) => one.trim()) })),
      });
    } else if (line.trim() === "") {
      // The next table has a head of its own, or none.
      ofColumns = [];
      unitColumn = undefined;
      table++;
    } else if (/^\s/.test(line)) {
      const label = optionLabel(start, end, digits, identifiers);
      if (label !== undefined) spans.push({ start, end, cells: [], label });
    }
    start = end + 1;
  }
  return spans;
}

/** The cells of a row, counted from 1. */
function partsOf(line: string, form: "closed" | "open"): readonly string[] {
  return form === "open" ? ["", ...line.split("|")] : line.split("|");
}

/** Rows of a table that are read to find its column of units. */
const MAX_UNIT_ROWS = 40;

/** The column behind the labels in which at least half of the cells are units, and none has a number. */
function findUnitColumn(lines: readonly string[], from: number): number | undefined {
  const rows: (readonly string[])[] = [];
  for (let index = from; index < lines.length && rows.length < MAX_UNIT_ROWS; index++) {
    const form = rowForm(lines, index);
    if (form === undefined) break;
    if (!isDelimiterRow(lines[index] ?? "")) rows.push(partsOf(lines[index] ?? "", form));
  }
  const isUnit = (cell: string | undefined): boolean =>
    cell !== undefined && cell.length <= MAX_UNIT && measureOf(cell.trim())?.unit !== undefined;
  const width = rows[0]?.length ?? 0;
  for (let column = 2; column < width; column++) {
    const cells = rows.map((row) => row[column]);
    if (cells.some((cell) => /\d[\d.,]*\s*$|^\s*\d/.test(cell ?? "") && !isUnit(cell))) continue;
    if (cells.filter(isUnit).length * 2 >= rows.length) return column;
  }
  return undefined;
}

const MAX_UNIT = 24;

/** A row of Markdown has bars around it; `open`: only between its cells, as tables of PDF files are written. */
function rowForm(lines: readonly string[], index: number): "closed" | "open" | undefined {
  const line = (lines[index] ?? "").trim();
  if (line.length > 1 && line.startsWith("|") && line.endsWith("|")) return "closed";
  const isOpen = hasInnerBar(line) && (hasInnerBar(lines[index - 1]) || hasInnerBar(lines[index + 1]));
  return isOpen ? "open" : undefined;
}

function hasInnerBar(line: string | undefined): boolean {
  return line !== undefined && /^\s*[^\s|][^|]*\s\|(?:\s|$)/.test(line);
}

/** The first row, where no cell of it is a number but years. */
function isOpenHeader(lines: readonly string[], index: number): boolean {
  if (hasInnerBar(lines[index - 1])) return false;
  return !(lines[index] ?? "")
    .split("|")
    .some((cell) => /^\s*\p{Sc}?[\d.,]*\d\s?%?\s*$/u.test(cell) && !/^\s*(?:19|20)\d\d\s*$/.test(cell));
}

/** By its first cell with letters, else by an option such as `-9`. */
function rowLabel(
  label: string,
  line: string,
  inTable: NonNullable<PassageRow["inTable"]>,
): { readonly label: PassageRow } | undefined {
  if (label !== "") return { label: { label, isOption: false, inTable } };
  const option = /^\s*\|[\s`*]*(-{1,2}[\p{L}\d][\w-]{0,40})/u.exec(line)?.[1];
  return option === undefined ? undefined : { label: { label: fold(option), isOption: true } };
}

/** A line of a listing such as `  -9   64 MiB  674 MiB  65 MiB`: one option and at least three figures. */
function optionLabel(
  start: number,
  end: number,
  digits: readonly Figure[],
  identifiers: readonly Identifier[],
): PassageRow | undefined {
  const first = firstFrom(identifiers, start);
  const option = identifiers[first];
  if (option === undefined || option.start >= end) return undefined;
  if ((identifiers[first + 1]?.start ?? end) < end) return undefined;
  const third = digits[firstFrom(digits, start) + 2];
  return third === undefined || third.start >= end ? undefined : { label: option.folded, isOption: true };
}

/** Index of the first span that begins at `start` or later. */
function firstFrom(spans: readonly Span[], start: number): number {
  return countWhile(spans.length, (at) => (spans[at]?.start ?? 0) < start);
}

/** How many of these places, which are in order, are before another. */
function countBefore(places: readonly number[], end: number): number {
  return countWhile(places.length, (at) => (places[at] ?? 0) < end);
}

/** How many of `length` items fulfil a condition that the first ones fulfil, by bisection. */
function countWhile(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
