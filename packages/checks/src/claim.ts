import { readEvidence, type Evidence } from "./evidence/evidence.ts";
import type { Passage, PassageRow } from "./evidence/passage.ts";
import type { Table } from "./evidence/table.ts";
import { agrees, type CalendarDate } from "./text/dates.ts";
import { periodsOf, periodsOfMonth } from "./text/periods.ts";
import { readFacts, type Facts } from "./text/facts.ts";
import { formulasOf } from "./text/formulas.ts";
import { isFunctionWord } from "./text/language.ts";
import { foldedWords } from "./text/fold.ts";
import type { Figure } from "./text/numbers.ts";
import { hasLabel, stemOf } from "./text/names.ts";
import type { Unit } from "./text/units.ts";
import { numberWord } from "./text/words.ts";
import type { Segment } from "./text/sentences.ts";

export { readEvidence, type Evidence };

/** A figure of the sentence that holds. */
export interface HeldFigure {
  readonly figure: Figure;
  /** Recomputed from others. */
  readonly derived: boolean;
  /** A small number word, such as `three`, which counts things rather than measures. */
  readonly isCount: boolean;
  /** Values before rounding: of the cells it was taken from, or the result of its derivation. */
  readonly exact?: readonly number[];
}

/** A figure, date or name of a sentence that its evidence does not have. */
export interface Missing {
  readonly kind: "figure" | "unit" | "date" | "name";
  readonly raw: string;
}

/** A sentence with what it says and what it may rest on. */
export interface Claim {
  readonly segment: Segment;
  readonly text: string;
  /** Whether a part of it is beyond the limits and not compared. */
  readonly isCut: boolean;
  /** Folded words between single spaces. */
  readonly words: string;
  readonly facts: Facts;
  /** Values of the sums and products that it writes out. */
  readonly formulas: readonly number[];
  /** Without a region: `en`. */
  readonly language: string | undefined;
  /** Language with its region, which decides how numbers are written: `es-MX`. */
  readonly locale: string | undefined;
  readonly evidence: Evidence;
  /** Ids of its own marks, else of the nearest marks of its paragraph, list or table. */
  readonly marks: readonly string[];
  readonly inherited: boolean;
  readonly cited: readonly Passage[];
  readonly citedTables: readonly Table[];
  readonly isCited: boolean;
  /** Years it names. */
  readonly years: readonly number[];
  /** Rows of results that it names, fully or in part. */
  readonly namedRows: ReadonlyMap<Table, readonly number[]>;
  /** Tables whose named rows are all named in full, with these rows. */
  readonly fullyNamedRows: ReadonlyMap<Table, readonly number[]>;
  /** Rows of tables in cited passages that it names. */
  readonly passageRows: ReadonlyMap<Passage, ReadonlySet<PassageRow>>;
  /** Rows of tables in cited passages that it names in part: these are computed with. */
  readonly nearRows: ReadonlyMap<Passage, ReadonlySet<PassageRow>>;
  /** Figures that hold in earlier sentences of its block. */
  readonly blockFigures: readonly HeldFigure[];
  /** Numbers of the cells that its table computes column by column. */
  readonly computedCells: ReadonlySet<number>;
}

/** What a sentence has from the answer it stands in. */
interface ClaimContext {
  readonly language: string | undefined;
  readonly locale: string | undefined;
  readonly blockFigures: readonly HeldFigure[];
  readonly computedCells: ReadonlyMap<Segment, ReadonlySet<number>> | undefined;
}

const NO_CELLS: ReadonlySet<number> = new Set();

export function readClaim(
  segment: Segment,
  block: readonly Segment[],
  evidence: Evidence,
  { language, locale, blockFigures, computedCells }: ClaimContext,
): Claim {
  const text = segment.text.slice(0, MAX_SENTENCE).replace(/^\|/, " ");
  const words = ` ${foldedWords(text)} `;
  const all = readFacts(text, { language: locale, strict: true });
  const read = firstFacts(all);
  const ofKind = segment.kind === "row" ? rowFacts(read) : segment.kind === "head" ? headFacts(read) : read;
  const facts = withPoundsSterling(ofKind, evidence);
  const marks = segment.marks.length > 0 ? segment.marks : marksNearby(segment, block);
  const cited = [...new Set(marks)].flatMap((id) => evidence.byId.get(id) ?? []);
  const citedTables = [...new Set(marks)].flatMap((id) => evidence.tablesById.get(id) ?? []);
  const years = [
    ...facts.figures.flatMap(({ isYear, readings }) =>
      isYear && readings[0] !== undefined ? [readings[0].value] : [],
    ),
    ...facts.dates.flatMap(({ year }) => (year === undefined ? [] : [year])),
  ];
  const base = { words, facts, years: [...new Set(years)] };
  const periods = [...periodsOf(text)].map((period) => `${period} `).join("");
  const named = { ...base, words: words + withDigits(words, language) + enumerated(words) + periods };
  return {
    segment,
    text,
    isCut: text.length < segment.text.length || read !== all,
    ...base,
    formulas: formulasOf(text, facts.figures),
    language,
    locale,
    evidence,
    marks,
    inherited: segment.marks.length === 0 && marks.length > 0,
    cited,
    citedTables,
    isCited: cited.length + citedTables.length > 0,
    ...rowsNamed(named, evidence.tables),
    passageRows: new Map(cited.flatMap((passage) => passageRowsNamed(named, passage))),
    nearRows: new Map(cited.map((passage) => [passage, rowsNearlyNamed(named, passage)])),
    blockFigures,
    computedCells: computedCells?.get(segment) ?? NO_CELLS,
  };
}

/** Characters of a sentence that are compared, and figures, dates, times and identifiers of each kind. */
const MAX_SENTENCE = 20_000;
const MAX_FACTS = 200;

function firstFacts(facts: Facts): Facts {
  const { dates, times, identifiers, figures, multiples } = facts;
  if (Math.max(dates.length, times.length, identifiers.length, figures.length, multiples.length) <= MAX_FACTS)
    return facts;
  const first = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_FACTS);
  return {
    ...facts,
    dates: first(dates),
    times: first(times),
    identifiers: first(identifiers),
    figures: first(figures),
    multiples: first(multiples),
  };
}

/** `250,000 pounds` are money where figures of the evidence are, and none of them is a mass in pounds. */
function withPoundsSterling(facts: Facts, { passages, given, tables }: Evidence): Facts {
  const isPounds = ({ unit, raw }: Figure): boolean => unit?.dimension === "mass" && /pounds?$/i.test(raw);
  const pounds = facts.figures.find(isPounds)?.unit;
  if (pounds === undefined) return facts;
  const sterling = { dimension: "currency:GBP", factor: 1 };
  const has = ({ dimension, factor }: Unit): boolean =>
    [
      ...[...passages, ...given].flatMap(({ figures }) => figures),
      ...tables.flatMap(({ columns }) => columns),
    ].some(({ unit }) => unit?.dimension === dimension && unit.factor === factor);
  if (!has(sterling) || has(pounds)) return facts;
  return {
    ...facts,
    figures: facts.figures.map((one) => (isPounds(one) ? { ...one, unit: sterling } : one)),
  };
}

/** ` 6 days ` for ` six days `, as a row may be called; empty where there is no number word. */
function withDigits(words: string, language: string | undefined): string {
  const digits = words.replace(/\p{L}{3,20}/gu, (word) => {
    const number = numberWord(word, language);
    return number?.kind === "count" ? String(number.value) : word;
  });
  return digits === words ? "" : digits;
}

/** ` line 1 line 4 ` for ` lines 1 and 4 `. */
function enumerated(words: string): string {
  const lists = words.matchAll(/ (\p{L}{3,20}?)(?:s|n|en)? (\d{1,6}(?: (?:\p{L}{1,3} )?\d{1,6}){1,12}) /gu);
  return [...lists]
    .flatMap(([, name = "", numbers = ""]) =>
      (numbers.match(/\d+/g) ?? []).map((number) => `${name} ${number} `),
    )
    .join("");
}

/** First words by which a named sentence is recognized although later words differ. */
const MIN_NAMED_WORDS = 5;

/** Whether the model named this sentence, by its first words at least, or no sentence at all. */
export function isSentenceNamed({ words }: Claim, sentence: string | undefined): boolean {
  const named = foldedWords((sentence ?? "").replace(/\[[^\]\n]{0,120}\]/g, " "));
  if (named === "" || words.includes(` ${named} `)) return true;
  const first = named.split(" ").slice(0, MIN_NAMED_WORDS);
  return first.length === MIN_NAMED_WORDS && words.startsWith(` ${first.join(" ")} `);
}

/** Rows with half of their label's words in the sentence. */
function rowsNearlyNamed({ words, facts }: ClaimWords, { rows }: Passage): ReadonlySet<PassageRow> {
  const isNear = ({ label, isOption }: PassageRow): boolean => {
    if (isOption) return facts.identifiers.some(({ folded }) => folded === label);
    const parts = label.split(" ").filter((part) => part.length > 2 && !isFunctionWord(part));
    const named = parts.filter(
      (part) => words.includes(` ${part} `) || (part.length > 5 && words.includes(` ${stemOf(part)}`)),
    );
    return named.length > 0 && named.length >= parts.length / 2;
  };
  return new Set(rows.filter(isNear));
}

/** Number of columns that may be numbered. */
const MAX_NUMBERING = 12;

/** In a table `-3` is a number and no option, unless it names the row. */
function rowFacts(facts: Facts): Facts {
  const isNumber = ({ folded, start }: Facts["identifiers"][number]): boolean =>
    /^-\d+$/.test(folded) && start > 3;
  const numbers = facts.identifiers.filter(isNumber).map(({ raw, start, end }): Figure => ({
    raw,
    start,
    end,
    readings: [{ value: Number(raw.slice(1)), decimals: 0 }],
    scale: 1,
    negative: true,
    isYear: false,
    isWord: false,
  }));
  return {
    ...facts,
    identifiers: facts.identifiers.filter((one) => !isNumber(one)),
    figures: [...facts.figures, ...numbers].map((figure) => ({ ...figure, inTable: true })),
  };
}

/** Of the head of a table only figures are compared: no years, column numbers such as `Option 2`, or scales such as `EUR 1,000`. */
function headFacts(facts: Facts): Facts {
  const isStated = (figure: Figure): boolean => {
    const value = figure.readings[0]?.value ?? 0;
    const isScale = /^(?:10{2,12}|0)$/.test(String(value)) && figure.scale === 1;
    const isNumbering =
      figure.unit === undefined && figure.scale === 1 && Number.isInteger(value) && value <= MAX_NUMBERING;
    return !figure.isYear && !figure.isWord && !isScale && !isNumbering;
  };
  return {
    ...facts,
    dates: [],
    times: [],
    identifiers: [],
    multiples: [],
    figures: facts.figures.filter(isStated),
  };
}

/** Without marks of its own a sentence rests on the nearest before and after it in its block. */
function marksNearby(segment: Segment, block: readonly Segment[]): readonly string[] {
  if (segment.kind === "heading" || segment.kind === "head")
    return [...new Set(block.flatMap(({ marks }) => marks))];
  return nearestMarks(segment, segment.kind === "item" ? segmentsForItem(segment, block) : block);
}

/**
 * What an item of a list without marks may rest on: its other sentences, the lines before and below the list, an item
 * that introduces it with a colon, or the last item where that alone has marks.
 */
function segmentsForItem(segment: Segment, block: readonly Segment[]): readonly Segment[] {
  const ownLine = block.filter(({ line }) => line === segment.line);
  if (ownLine.some(hasMarks)) return ownLine;
  const items = block.filter(({ kind }) => kind === "item");
  const intro = items.findLast(({ line, text }) => line < segment.line && text.endsWith(":"));
  if (intro !== undefined && hasMarks(intro)) return [intro, segment];
  const around = block.filter((other) => other === segment || other.kind !== "item");
  if (around.some(hasMarks)) return around;
  const lastLine = items.at(-1)?.line;
  return items.every((item) => !hasMarks(item) || item.line === lastLine) ? items : [];
}

function hasMarks({ marks }: Segment): boolean {
  return marks.length > 0;
}

function nearestMarks(segment: Segment, block: readonly Segment[]): readonly string[] {
  const at = block.indexOf(segment);
  const before = block.slice(0, at).findLast(hasMarks);
  const after = block.slice(at + 1).find(hasMarks);
  return [...new Set([...(before?.marks ?? []), ...(after?.marks ?? [])])];
}

type ClaimWords = Pick<Claim, "words" | "facts" | "years">;

function rowsNamed(claim: ClaimWords, tables: readonly Table[]): Pick<Claim, "namedRows" | "fullyNamedRows"> {
  const namedRows = new Map<Table, readonly number[]>();
  const fullyNamedRows = new Map<Table, readonly number[]>();
  const words = sentenceWords(claim.words);
  for (const table of tables) {
    const full = new Set(claim.years.flatMap((year) => table.rowsOfYear.get(year) ?? []));
    const partly = new Set<number>();
    for (const token of words.places.keys()) findRows(token, words, table, full, partly);
    const rows = [...new Set([...full, ...partly])].sort((a, b) => a - b);
    if (rows.length > 0) namedRows.set(table, rows);
    else rowsOfDates(claim, table, namedRows);
    if (full.size === rows.length && full.size > 0) fullyNamedRows.set(table, rows);
  }
  return { namedRows, fullyNamedRows };
}

/** Rows whose label begins with the word and is in the sentence; in part where it is a plural or a word of the label. */
function findRows(
  token: string,
  words: SentenceWords,
  table: Table,
  full: Set<number>,
  partly: Set<number>,
): void {
  const { text } = words;
  const singular = token.endsWith("s") ? token.slice(0, -1) : "";
  for (const first of singular === "" ? [token] : [token, singular]) {
    const labels = table.labelsByWord.get(first) ?? [];
    const named = labels.length > MAX_SCANNED ? labelsNamed(first, words, table) : labels;
    for (const { label, row, isAlias } of named) {
      if (text.includes(` ${label} `)) (isAlias ? partly : full).add(row);
      else if (text.includes(` ${label}s `)) partly.add(row);
    }
  }
  const only = token.length > 2 && !isFunctionWord(token) ? table.rowOfWord.get(token) : undefined;
  if (only !== undefined) partly.add(only);
}

/** The words of a sentence, in one text and by their places. */
interface SentenceWords {
  readonly text: string;
  readonly list: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function sentenceWords(text: string): SentenceWords {
  const list = text.trim().split(" ");
  return { text, list, places: Map.groupBy(list.keys(), (at) => list[at] ?? "") };
}

type RowLabel = NonNullable<ReturnType<Table["labelsByWord"]["get"]>>[number];

/** Above this number, labels that begin with the same word, such as `Row 1` to `Row 500`, are looked up in a map. */
const MAX_SCANNED = 40;
/** Words of a label that is looked up. */
const MAX_LABEL_WORDS = 16;
const labelsByText = new WeakMap<readonly RowLabel[], ReadonlyMap<string, readonly RowLabel[]>>();

/** The labels that the sentence has, also in the plural, among many that begin with the same word. */
function labelsNamed(first: string, { list, places }: SentenceWords, table: Table): readonly RowLabel[] {
  const labels = table.labelsByWord.get(first) ?? [];
  const byText = labelsByText.get(labels) ?? Map.groupBy(labels, ({ label }) => label);
  labelsByText.set(labels, byText);
  const named = new Set<RowLabel>();
  for (const at of [...(places.get(first) ?? []), ...(places.get(`${first}s`) ?? [])])
    for (let length = 1; length <= MAX_LABEL_WORDS; length++) {
      const words = list.slice(at, at + length).join(" ");
      for (const label of [...(byText.get(words) ?? []), ...(byText.get(words.replace(/s$/, "")) ?? [])])
        named.add(label);
    }
  return [...named];
}

function rowsOfDates(claim: ClaimWords, table: Table, namedRows: Map<Table, readonly number[]>): void {
  const periods = periodsOf(claim.words);
  if (claim.facts.dates.length + periods.size === 0) return;
  const isInPeriod = ({ month }: CalendarDate): boolean =>
    month !== undefined && periodsOfMonth(month).some((period) => periods.has(period));
  const rows = table.rowDates.flatMap((dates, row) =>
    dates.some((date) => isInPeriod(date) || claim.facts.dates.some((stated) => agrees(date, stated)))
      ? [row]
      : [],
  );
  if (rows.length > 0 && (rows.length < table.rowCount || periods.size > 0)) namedRows.set(table, rows);
}

function passageRowsNamed(
  claim: ClaimWords,
  passage: Passage,
): readonly [Passage, ReadonlySet<PassageRow>][] {
  const rows = passage.rows.filter(({ label, isOption }) =>
    isOption ? claim.facts.identifiers.some(({ folded }) => folded === label) : hasLabel(claim.words, label),
  );
  return rows.length === 0 ? [] : [[passage, new Set(rows)]];
}
