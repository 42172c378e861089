import { DateIndex, type WrittenDate } from "./date-index.ts";
import { countBefore, measured, measureFor, rowSpans, type RowSpan } from "./passage-rows.ts";
import { WordIndex } from "./word-index.ts";
import type { CalendarDate, DateMention } from "../text/dates.ts";
import { datedTimes, readFacts, type DatedTime, type Identifier, type TimeMention } from "../text/facts.ts";
import { fold, foldedWords, withAsciiDigits, type Span } from "../text/fold.ts";
import { guessLanguage } from "../text/language.ts";
import type { Figure } from "../text/numbers.ts";
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

/** `(5)` and `5.` at the start of a line count the items of a list. */
function isNoListNumber(text: string): (figure: Figure) => boolean {
  const numbers = new Set(
    [...text.matchAll(/(?<=^|\n)[ \t]{0,8}(?:\((?=\d{1,2}\)\s)|(?=\d{1,2}\.\s))/g)].map(
      (match) => match.index + match[0].length,
    ),
  );
  return ({ start }) => !numbers.has(start);
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
