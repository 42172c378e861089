import type { Claim, HeldFigure, Missing } from "../claim.ts";
import type { Passage, PassageRow } from "../evidence/passage.ts";
import type { Table } from "../evidence/table.ts";
import { agrees, type CalendarDate, type DateMention } from "../text/dates.ts";
import { readFacts } from "../text/facts.ts";
import { foldedWords, memoize, type Span } from "../text/fold.ts";
import { isFunctionWord } from "../text/language.ts";
import { hasLabel, stemOf } from "../text/names.ts";
import { significantDigits, type Figure } from "../text/numbers.ts";
import { cellsRestated, standsInPassage } from "./figures.ts";

/** A row of a table of a cited passage or of a result. */
interface Row {
  /** Rows of one table have the same. */
  readonly table: string;
  /** Folded words of each text that names it. */
  readonly labels: readonly string[];
  /** Words that no other row of the table has: each of them names the row. */
  readonly own: ReadonlySet<string>;
  /** Of a result: the date or month that names it. */
  readonly dates: readonly CalendarDate[];
  /** Its cells with dates or names, of a passage. */
  readonly cells: readonly RowCell[];
  /** What the sentence has of a column: a value that it states, another value, or nothing. */
  readonly stateOf: (column: number, claim: Claim) => "stated" | "other" | "none";
}

/** A value of the sentence that occurs in rows only. */
interface Fact extends Span {
  readonly kind: Missing["kind"];
  readonly raw: string;
  readonly places: readonly Place[];
}

interface RowCell {
  readonly column: number;
  readonly dates: readonly DateMention[];
  /** A cell of two capitalised words or more. */
  readonly name: string | undefined;
}

interface Place {
  readonly row: Row;
  readonly column: number;
}

/** A sentence that names more rows than these is not about one of them. */
const MAX_NAMED = 4;

/**
 * Values of other rows than the sentence names: `Sonde 4 had the highest revenue with EUR 11.4 million`, which is the row
 * Foresight. The sentence has nothing of that row but the value, and of the row that it names last before the value it
 * does not state what stands there instead.
 */
export function ofOtherRows(claim: Claim, held: readonly HeldFigure[]): readonly Missing[] {
  const { segment, text } = claim;
  if (segment.kind === "row" || segment.kind === "head" || segment.kind === "heading") return [];
  const figures = held.filter(isSpecific).map(({ figure }) => figure);
  const dates = claim.facts.dates.filter(({ day }) => day !== undefined);
  if (figures.length + dates.length === 0 && !NAME_PAIR.test(text)) return [];
  const grids = gridsOf(claim);
  const folded = text.toLowerCase();
  const named = grids.flatMap(({ source, rows }) =>
    (source.kind === "table"
      ? (claim.namedRows.get(source) ?? []).flatMap((row) => rows[row] ?? [])
      : rows
    ).flatMap((row) => {
      const date = claim.facts.dates.find((stated) => row.dates.some((one) => agrees(stated, one)));
      const [place = date] = row.labels.flatMap((label) => placeOf(label, folded, claim) ?? []);
      return place === undefined ? [] : [{ row, start: place.start, end: place.end }];
    }),
  );
  if (named.length === 0) return [];
  const isOther = (fact: Fact): boolean => {
    if (fact.places.some(({ row }) => isMentioned(row, fact, claim))) return false;
    return fact.places.every(({ row, column }) => {
      const rivals = named.filter((one) => one.row.table === row.table);
      if (rivals.length === 0 || rivals.length > MAX_NAMED) return false;
      const before = rivals.filter(({ start }) => start <= fact.start).toSorted((a, b) => b.start - a.start);
      const [nearest] = before.length > 0 ? before : rivals.toSorted((a, b) => a.start - b.start);
      return nearest?.row.stateOf(column, claim) === "other";
    });
  };
  // `Penmarth (114)` where 114 is only in another row.
  const isMisplaced = (fact: Fact): boolean => {
    const isBehind = ({ end }: Span): boolean => {
      const between = end <= fact.start ? (BESIDE.exec(text.slice(end, fact.start))?.[1] ?? "") : "";
      return between === ":" || (between === "(" && /^\s?\)/.test(text.slice(fact.end)));
    };
    const beside = named.filter(isBehind);
    return (
      fact.kind === "figure" &&
      beside.some(({ row }) =>
        fact.places.every((place) => place.row.table === row.table && place.row !== row),
      ) &&
      !beside.some(({ row }) => fact.places.some((place) => place.row === row))
    );
  };
  const facts = [
    ...figures.flatMap((figure) => factAt("figure", figure, placesOfFigure(figure, claim, grids))),
    ...dates.flatMap((date) => factAt("date", date, placesOfDate(date, claim, grids))),
    ...namesOf(claim, grids),
  ];
  // Two values of one row are about that row, whatever the sentence calls it.
  const isAlone = (fact: Fact): boolean =>
    !facts.some((other) => other !== fact && other.places.every((place) => isBeside(place, fact)));
  return facts
    .filter((fact) => isMisplaced(fact) || (isAlone(fact) && isOther(fact)))
    .map(({ kind, raw }) => ({ kind, raw }));
}

/** Between the name of a row and a value of it. */
const BESIDE = /^\s?([(:])\s?(?:\p{Sc}|[A-Z]{3})?\s?$/u;
const NAME_PAIR = /\p{Lu}\S{0,60} \p{Lu}/u;

/** A figure of the evidence with enough digits that its place in a table says what it is about. */
export function isSpecific({ derived, isCount, figure }: HeldFigure): boolean {
  return !derived && !isCount && !figure.isYear && !figure.isWord && significantDigits(figure) > 1;
}

function factAt(
  kind: Missing["kind"],
  { raw, start, end }: Span & { readonly raw: string },
  places: readonly Place[] | undefined,
): readonly Fact[] {
  return places === undefined || places.length === 0 ? [] : [{ kind, raw, start, end, places }];
}

function isBeside({ row, column }: Place, { places }: Fact): boolean {
  return places.some((one) => one.row === row && one.column !== column);
}

interface Grid {
  readonly source: Passage | Table;
  readonly rows: readonly Row[];
}

function gridsOf({ cited, citedTables, isCited, evidence }: Claim): readonly Grid[] {
  const tables = isCited ? citedTables : evidence.tables;
  return [
    ...cited
      .filter(({ tableRows }) => tableRows.length > 1)
      .map((source) => ({ source, rows: passageRows(source) })),
    ...tables.filter(({ rowCount }) => rowCount > 1).map((source) => ({ source, rows: resultRows(source) })),
  ];
}

const knownRows = new WeakMap<Passage | Table, readonly Row[]>();

function passageRows(passage: Passage): readonly Row[] {
  return memoize(knownRows, passage, () => {
    const words = passage.tableRows.map(({ inTable }) => wordsOf(inTable?.cells ?? []));
    return passage.tableRows.map((row, index) => ({
      table: `${passage.id} ${row.inTable?.table ?? 0}`,
      labels: [row.label],
      dates: [],
      own: ownWords(words, index, (other) => passage.tableRows[other]?.inTable?.table === row.inTable?.table),
      cells: (row.inTable?.cells ?? []).flatMap((cell, at) => {
        const [dates, name] = [datesIn(cell), NAME.test(cell) ? cell : undefined];
        return dates.length > 0 || name !== undefined ? [{ column: at + 1, dates, name }] : [];
      }),
      stateOf: (column, claim) => stateOfCell(row, column, passage, claim),
    }));
  });
}

function resultRows(table: Table): readonly Row[] {
  return memoize(knownRows, table, () => {
    const words = table.rowTexts.map((cells) => wordsOf(cells.map((cell) => cell ?? "")));
    const labels = [...table.labelsByWord.values()].flat().filter(({ isAlias }) => !isAlias);
    const years = [...table.rowsOfYear].flatMap(([year, rows]) =>
      rows.map((row) => ({ label: `${year}`, row })),
    );
    const byLabel = Map.groupBy([...labels, ...years], ({ label }) => label);
    // What several rows have, such as a category, names none of them.
    const ofRows = Map.groupBy(
      [...byLabel.values()].flatMap((same) =>
        new Set(same.map(({ row }) => row)).size === 1 ? same.slice(0, 1) : [],
      ),
      ({ row }) => row,
    );
    return table.rowTexts.map((_, index) => ({
      table: table.id,
      labels: (ofRows.get(index) ?? []).map(({ label }) => label),
      dates: (table.rowDates[index] ?? []).filter(({ month }) => month !== undefined).slice(0, 2),
      own: ownWords(words, index, () => true),
      cells: [],
      stateOf: (column, claim) => {
        const value = table.columns[column]?.values[index];
        if (value === undefined) return "none";
        const states = (figure: Figure): boolean =>
          cellsRestated(figure, table).some((cell) => cell.row === index && cell.column === column);
        return claim.facts.figures.some(states) ? "stated" : "other";
      },
    }));
  });
}

const NAME = /^\p{Lu}[\p{L}.'’-]{0,40}(?: \p{Lu}[\p{L}.'’-]{0,40}){1,4}$/u;

function stateOfCell(
  row: PassageRow,
  column: number,
  passage: Passage,
  claim: Claim,
): "stated" | "other" | "none" {
  const cell = row.inTable?.cells[column - 1] ?? "";
  if (!/[\p{L}\p{N}]{2}|\p{N}/u.test(cell)) return "none";
  const dates = datesIn(cell);
  if (dates.length > 0)
    return dates.some((date) => claim.facts.dates.some((stated) => agrees(stated, date)))
      ? "stated"
      : "other";
  const figures = passage.figures.filter((one) => one.row === row && (one.column ?? 0) === column);
  if (figures.length > 0)
    return claim.facts.figures.some(
      (figure) => standsInPassage(figure, passage, undefined, figures) === "match",
    )
      ? "stated"
      : "other";
  return wordsOf([cell]).some((word) => hasWord(claim, word)) ? "stated" : "other";
}

function datesIn(text: string): readonly DateMention[] {
  return readFacts(text).dates.filter(({ day }) => day !== undefined);
}

function wordsOf(cells: readonly string[]): readonly string[] {
  return [...new Set(cells.flatMap((cell) => foldedWords(cell).split(" ")))].filter(
    (word) => word.length > 2 && !isFunctionWord(word),
  );
}

function ownWords(
  words: readonly (readonly string[])[],
  index: number,
  isBeside: (other: number) => boolean,
): ReadonlySet<string> {
  const others = new Set(words.flatMap((list, other) => (other !== index && isBeside(other) ? list : [])));
  return new Set((words[index] ?? []).filter((word) => !others.has(word)));
}

function hasWord({ words }: Claim, word: string): boolean {
  return words.includes(` ${word} `) || (word.length > 5 && words.includes(` ${stemOf(word)}`));
}

/** Whether the sentence names a row by a word or date that only this row has, the value itself aside. */
function isMentioned({ own, labels, dates, cells }: Row, fact: Fact, claim: Claim): boolean {
  const value = ` ${foldedWords(fact.raw)} `;
  const hasDate = (date: CalendarDate): boolean =>
    claim.facts.dates.some((stated) => stated.start !== fact.start && agrees(stated, date));
  return (
    labels.some((label) => hasLabel(claim.words, label) && !value.includes(` ${label} `)) ||
    [...own].some((word) => !value.includes(` ${word} `) && hasWord(claim, word)) ||
    dates.some(hasDate) ||
    cells.some((cell) => cell.dates.some(hasDate))
  );
}

/** Where the sentence names a row with its whole label, or with all words of it: `between 50,000 and 99,999`. */
function placeOf(label: string, text: string, { words }: Claim): Span | undefined {
  if (label.length < 2) return undefined;
  const isWhole = hasLabel(words, label);
  const parts = label.split(" ").filter((word) => !isFunctionWord(word));
  if (!isWhole && (parts.length < 2 || !parts.every((part) => words.includes(` ${part} `)))) return undefined;
  const whole = label.replace(/ /g, "[^\\p{L}\\p{N}]+");
  const pattern = isWhole ? `(?:${whole}|${whole.replace(/[sy]$/, "")}\\p{L}{1,3})` : (parts[0] ?? "");
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u").exec(text);
  const start = found?.index ?? 0;
  return { start, end: start + (found?.[0].length ?? 0) };
}

/** Undefined if a figure also occurs outside of the rows. */
function placesOfFigure(figure: Figure, claim: Claim, grids: readonly Grid[]): readonly Place[] | undefined {
  if (claim.evidence.given.some((text) => standsInPassage(figure, text) === "match")) return undefined;
  const places: Place[] = [];
  for (const passage of claim.cited) {
    const rows = grids.find(({ source }) => source === passage)?.rows;
    for (const other of passage.figures) {
      if (standsInPassage(figure, passage, undefined, [other]) !== "match") continue;
      const row = rows?.[other.row === undefined ? -1 : passage.tableRows.indexOf(other.row)];
      if (row === undefined) return undefined;
      places.push({ row, column: other.column ?? 0 });
    }
  }
  for (const { source, rows } of grids)
    if (source.kind === "table")
      for (const cell of cellsRestated(figure, source)) {
        // `growth_since_2023` is about the year 2023, too.
        const { year } = source.columns[cell.column] ?? {};
        if (year !== undefined && claim.years.includes(year) && source.rowsOfYear.has(year)) return undefined;
        const row = rows[cell.row];
        if (row !== undefined) places.push({ row, column: cell.column });
      }
  return places;
}

function placesOfDate(
  date: DateMention,
  { cited, evidence }: Claim,
  grids: readonly Grid[],
): readonly Place[] | undefined {
  if (evidence.given.some(({ dates }) => dates.some((other) => agrees(date, other)))) return undefined;
  const places: Place[] = [];
  for (const passage of cited) {
    const rows = grids.find(({ source }) => source === passage)?.rows;
    const all = passage.dates.filter((other) => other.day !== undefined && agrees(date, other)).length;
    let inRows = 0;
    for (const row of rows ?? [])
      for (const { column, dates } of row.cells) {
        if (!dates.some((other) => agrees(date, other))) continue;
        inRows++;
        places.push({ row, column });
      }
    if (inRows < all) return undefined;
  }
  return places;
}

/** Names that are whole cells of rows and occur nowhere else in the passages. */
function namesOf({ cited, words, text }: Claim, grids: readonly Grid[]): readonly Fact[] {
  const found = new Map<string, Place[]>();
  for (const row of grids.flatMap(({ rows }) => rows))
    for (const { column, name } of row.cells) {
      const folded = name === undefined ? "" : foldedWords(name);
      if (name === undefined || row.labels.includes(folded) || !words.includes(` ${folded} `)) continue;
      found.set(name, [...(found.get(name) ?? []), { row, column }]);
    }
  return [...found].flatMap(([raw, places]) => {
    const name = ` ${foldedWords(raw)} `;
    const count = cited.reduce((sum, one) => sum + one.words.split(name).length - 1, 0);
    const start = Math.max(0, text.indexOf(raw));
    return factAt(
      "name",
      { raw, start, end: start + raw.length },
      count > places.length ? undefined : places,
    );
  });
}
