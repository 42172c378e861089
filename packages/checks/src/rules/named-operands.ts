import type { DerivedFigure } from "@troupe/core";

import { isSentenceNamed, type Claim, type HeldFigure } from "../claim.ts";
import type { EvidenceText, Passage } from "../evidence/passage.ts";
import { cellsNear, type Table } from "../evidence/table.ts";
import { agrees, timestamp, type DateMention } from "../text/dates.ts";
import { readFacts, type Facts, type TimeMention } from "../text/facts.ts";
import { foldedWords } from "../text/fold.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { isComparable, type Unit } from "../text/units.ts";
import { searchSpaces, type Budget, type Derivation, type Space } from "./arithmetic.ts";
import { standsAsDate, standsAsTime } from "./dates.ts";
import { variantsOf } from "./shared-scale.ts";
import { lastDigit, standsInPassage, standsInTable, standsScaled } from "./figures.ts";
import { ANY, CLOCK, DAY, DAY_SECONDS, fillExpressions, fillLists, YEAR, type Term } from "./expressions.ts";
import { fillFormula, parseFormula, type Formula } from "./named-formula.ts";

export interface NamedOperandContext {
  readonly claim: Claim;
  readonly held: readonly HeldFigure[];
  readonly named: readonly DerivedFigure[];
  readonly budget: Budget;
}

const MAX_NAMED_OPERANDS = 30;
/** Operands that were computed from named operands themselves, such as a total and then a share of it. */
const MAX_DEPTH = 3;
/** Four operands explain a figure of two digits by accident: expected matches up to which they count. */
const NAMED_BOUND = 0.5;
/** A table of the answer may be in thousands, millions or billions. */
const THOUSANDS = [1e3, 1e6, 1e9];

/** The search for one figure, with those for operands that are computed from named operands in turn. */
interface OperandSearch extends NamedOperandContext {
  readonly depth: number;
  /** Entries that are being resolved: none of them is an operand of itself. */
  readonly open: readonly DerivedFigure[];
  /** Whether an operand can be computed, by its text, value and depth. */
  readonly computed: Map<string, boolean>;
}

function startSearch(context: NamedOperandContext): OperandSearch {
  return { ...context, depth: 0, open: [], computed: new Map() };
}

/**
 * Recomputes a figure with the operands that the model named. All of them have to be in what the sentence cites, in a
 * result, or given; or be computed from named operands in turn.
 */
export function fromNamedOperands(figure: Figure, context: NamedOperandContext): Derivation | undefined {
  return recompute(figure, startSearch(context));
}

/** Whether the model named operands for this figure of the sentence. */
export function isNamed(
  figure: Figure,
  { claim, named }: Pick<NamedOperandContext, "claim" | "named">,
): boolean {
  return named.some(
    (entry) => isSentenceNamed(claim, entry.sentence) && isOf(readEntry(entry, claim.locale), figure),
  );
}

function isOf({ name, value }: NamedEntry, figure: Figure): boolean {
  return name === foldedWords(figure.raw) || value === valueOf(figure);
}

function recompute(figure: Figure, search: OperandSearch): Derivation | undefined {
  const { claim, named, budget } = search;
  const variants = [
    ...variantsOf(figure, claim),
    ...(figure.inTable === true ? THOUSANDS.map((scale) => ({ ...figure, scale })) : []),
  ];
  for (const entry of named) {
    if (budget.candidates <= 0) return undefined;
    if (search.open.includes(entry)) continue;
    // An operand may have been computed in another sentence.
    if (search.depth === 0 && !isSentenceNamed(claim, entry.sentence)) continue;
    const read = readEntry(entry, claim.locale);
    if (!isOf(read, figure)) continue;
    const { formulas, operands } = read;
    const inner = { ...search, open: [...search.open, entry] };
    const calculated = fromFormulas(formulas, figure, variants, inner);
    if (calculated !== undefined) return calculated;
    const terms = findTerms(operands, figure, inner);
    // Constants alone give nearly any percentage.
    if (terms === undefined || terms.every(({ isConstant }) => isConstant === true)) continue;
    const weight = terms.length < 4 ? 0 : 1;
    const lists: (readonly Term[])[] = withCounts(terms, figure, claim);
    if (terms.length > 1) lists.unshift(terms);
    if (terms.some(({ scale }) => scale !== undefined))
      lists.push(terms.map(({ scale = 1, ...term }) => ({ ...term, value: term.value * scale })));
    if (terms.some(({ shared }) => shared !== undefined)) lists.push(terms.map(inSharedUnit));
    for (const variant of variants) {
      const spaces = lists.flatMap((list): Space[] => [
        { name: "named operands as a list", weight: 0, fill: (emit) => fillLists(list, variant, emit) },
        { name: "named operands", weight, fill: (emit) => fillExpressions(list, variant, emit) },
      ]);
      const hit = searchSpaces(figure, [variant], spaces, NAMED_BOUND, budget);
      if (hit !== undefined) return hit;
    }
  }
  return undefined;
}

/** A figure that the model named, with its operands. */
interface NamedEntry {
  /** Folded words. */
  readonly name: string;
  readonly value: number | undefined;
  /** Operands that are calculations. */
  readonly formulas: readonly Formula[];
  readonly operands: readonly Facts[];
  readonly locale: string | undefined;
}

/** All sentences of an answer are compared with the same entries. */
const readEntries = new WeakMap<DerivedFigure, NamedEntry>();

function readEntry(entry: DerivedFigure, locale: string | undefined): NamedEntry {
  const known = readEntries.get(entry);
  if (known !== undefined && known.locale === locale) return known;
  const [figure] = readFacts(entry.figure, { language: locale, strict: true }).figures;
  const operands = entry.operands.slice(0, MAX_NAMED_OPERANDS);
  const read: NamedEntry = {
    name: foldedWords(entry.figure),
    value: figure === undefined ? undefined : valueOf(figure),
    formulas: operands.map(parseFormula).filter((formula) => formula !== undefined),
    // As in evidence both readings of `1.450` count: which one is meant shows where it is found.
    operands: operands.map((text) => readFacts(text)),
    locale,
  };
  readEntries.set(entry, read);
  return read;
}

/** The result of an operand that is a calculation itself: `(1.2 - 0.9) / 0.9`. */
function fromFormulas(
  formulas: readonly Formula[],
  figure: Figure,
  variants: readonly Figure[],
  search: OperandSearch,
): Derivation | undefined {
  const counts = new Set(search.claim.facts.figures.filter((other) => other !== figure).map(valueOf));
  const find = (operand: Figure): Term | undefined => findNumber(operand, figure, search, NO_CONSTANTS);
  for (const formula of formulas) {
    const fill: Space["fill"] = (emit) => {
      for (const variant of variants) fillFormula(formula, variant, { find, counts }, emit);
    };
    const space: Space = { name: "named calculation", weight: 0, fill };
    const hit = searchSpaces(figure, variants, [space], NAMED_BOUND, search.budget);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

/** More operands than these explain a figure by accident with one more. */
const MAX_WITH_COUNT = 3;
const MAX_COUNT = 31;

/**
 * The operands with a small count of the sentence, which a model seldom names: `six day tickets for CHF 453.60` of
 * `CHF 75.60`; and a percentage with the rest to 100.
 */
function withCounts(terms: readonly Term[], figure: Figure, { facts }: Claim): (readonly Term[])[] {
  if (terms.length > MAX_WITH_COUNT) return [];
  const counts = facts.figures.filter((other) => {
    const value = other.readings[0]?.value ?? 0;
    const isCount = other.unit === undefined || other.unit.dimension === "time";
    return other !== figure && isCount && Number.isInteger(value) && value > 1 && value <= MAX_COUNT;
  });
  const values = new Set(counts.map(valueOf));
  const [only, ...others] = terms;
  const rest: Term = { value: 100, dimension: "percent" };
  return [
    ...[...values].map((value) => [...terms, { value, dimension: undefined }]),
    ...(others.length === 0 && only?.dimension === "percent" ? [[only, rest]] : []),
  ];
}

/** Whether a date or time of day is a named one with named durations before or after it, or `6 h 15` between two. */
export function isNamedMoment(raw: string, context: Omit<NamedOperandContext, "held">): boolean {
  const { claim, named, budget } = context;
  const [moment] = momentsOf(readFacts(raw), claim, () => true);
  if (moment === undefined) return false;
  const words = foldedWords(raw);
  const isSame = (text: string): boolean => {
    if (foldedWords(text) === words) return true;
    // `2 h 30 min` for `2 h 30`.
    const [first, ...others] = momentsOf(readFacts(text), claim, () => true);
    return others.length === 0 && first?.dimension === moment.dimension && first?.value === moment.value;
  };
  return named.some((entry) => {
    if (budget.candidates <= 0 || !isSentenceNamed(claim, entry.sentence) || !isSame(entry.figure))
      return false;
    const search = { ...startSearch({ ...context, held: [] }), open: [entry] };
    const terms = findTerms(readEntry(entry, claim.locale).operands, undefined, search) ?? [];
    const [from, ...others] = terms.toSorted((a, b) => Number(isMoment(b)) - Number(isMoment(a)));
    if (from === undefined || from.dimension !== moment.dimension) return false;
    const [to] = others;
    if (to?.dimension === CLOCK && others.length === 1)
      return (
        (from.value - to.value + moment.value) % DAY_SECONDS === 0 ||
        (to.value - from.value + moment.value) % DAY_SECONDS === 0
      );
    if (others.some(({ dimension }) => dimension !== "time")) return false;
    const span = others.reduce((total, { value }) => total + value, 0);
    // Months and years are not of one length.
    const slack = moment.dimension === DAY ? Math.max(DAY_SECONDS, span / 60) : 30;
    return (
      others.length > 0 && [span, -span].some((shift) => Math.abs(from.value + shift - moment.value) <= slack)
    );
  });
}

function isMoment({ dimension }: Term): boolean {
  return dimension === DAY || dimension === CLOCK;
}

/** The values of all operands; undefined where one of them is in no evidence. */
function findTerms(
  operands: readonly Facts[],
  figure: Figure | undefined,
  search: OperandSearch,
): readonly Term[] | undefined {
  const count = operands.reduce(
    (sum, { figures, dates, times }) => sum + [...figures, ...dates, ...times].length,
    0,
  );
  if (count > MAX_NAMED_OPERANDS) return undefined;
  const terms: Term[] = [];
  for (const facts of operands) {
    const moments = momentsOf(facts, search.claim, isInEvidence);
    search.budget.candidates -= (facts.dates.length + facts.times.length) * lookUpCost(search.claim);
    if (facts.dates.length + facts.times.length > moments.length) return undefined;
    if (facts.figures.length + moments.length === 0) return undefined;
    for (const operand of facts.figures) {
      const number = findNumber(operand, figure, search);
      if (number === undefined) return undefined;
      terms.push(number);
    }
    terms.push(...moments);
  }
  return terms;
}

/** How many comparisons the search for one number or date in the evidence takes. */
function lookUpCost({ cited, evidence }: Claim): number {
  const passages = [...cited, ...evidence.given, ...evidence.tables.map(({ texts }) => texts)];
  return passages.reduce((sum, { figures, dates }) => sum + figures.length + dates.length, 10);
}

type TimedText = EvidenceText & Partial<Pick<Passage, "times">>;

/** Dates and times of day, those that the evidence has. */
function momentsOf(
  { dates, times }: Facts,
  claim: Claim,
  isKnown: (moment: DateMention | TimeMention, text: TimedText, language: string | undefined) => boolean,
): readonly Term[] {
  const texts: readonly TimedText[] = [...claim.cited, ...claim.evidence.given, ...claim.evidence.tables];
  // Dates of the sentence itself are compared before.
  const stated = [...claim.facts.dates, ...claim.facts.times].map(({ raw }) => raw);
  const inTexts = (moment: DateMention | TimeMention): boolean =>
    stated.includes(moment.raw) || texts.some((text) => isKnown(moment, text, claim.language));
  const year = claim.years[0] ?? texts.flatMap(({ years }) => [...years])[0] ?? 2000;
  return [
    ...dates.filter(inTexts).map((date) => ({ value: timestamp(date, year), dimension: DAY })),
    ...times.filter(inTexts).map(({ minutes }) => ({ value: minutes * 60, dimension: CLOCK })),
  ];
}

/** A date may be completed by its year: `9 January 2026` of a passage that says 9 January. */
function isInEvidence(
  moment: DateMention | TimeMention,
  text: TimedText,
  language: string | undefined,
): boolean {
  if ("minutes" in moment) return standsAsTime(moment, text, text.times ?? []);
  if (standsAsDate(moment, text, language)) return true;
  return text.dates.some(
    (other) => other.year === undefined && other.day !== undefined && agrees(moment, other),
  );
}

/** Parts of a year, a day and an hour, and of a hundred: they need no evidence. */
const CONSTANTS: ReadonlySet<number> = new Set([4, 7, 12, 24, 52, 60, 100, 365, 1000]);
const NO_CONSTANTS: ReadonlySet<number> = new Set();

function findNumber(
  operand: Figure,
  figure: Figure | undefined,
  search: OperandSearch,
  constants = CONSTANTS,
): Term | undefined {
  const { claim, held, budget, depth } = search;
  budget.candidates -= lookUpCost(claim);
  // What the evidence most likely says goes first: `151.300` is rather its 151300 than another reading of it.
  const stands = ({ value }: Figure["readings"][number]): number =>
    [...claim.cited, ...claim.evidence.given].some(({ figures }) =>
      figures.some((other) => other.readings[0]?.value === value),
    )
      ? 0
      : 1;
  for (const reading of operand.readings.toSorted((a, b) => stands(a) - stands(b))) {
    const one: Figure = { ...operand, readings: [reading] };
    const known = [...held, ...claim.blockFigures].filter(
      (other) => valueOf(other.figure) === valueOf(one) && mayHaveUnit(one, other.figure.unit),
    );
    const same = known.find((other) => isSameKind(other.figure.unit, figure?.unit)) ?? known[0];
    if (same !== undefined) return termOf(one, one.unit ?? same.figure.unit, false);
    // A sentence without a citation may rest on any passage: the finding is then that it has none.
    const passages = [...(claim.isCited ? claim.cited : claim.evidence.passages), ...claim.evidence.given];
    const found =
      first(passages, (passage) => inPassage(one, figure, passage, true)) ??
      first(claim.evidence.tables, (table) => inTable(one, table, claim)) ??
      (one.unit === undefined && constants.has(valueOf(one))
        ? { ...termOf(one, undefined, false), isConstant: true }
        : undefined) ??
      first(passages, (passage) => inPassage(one, figure, passage, false));
    if (found !== undefined) return found;
    if (depth < MAX_DEPTH && isComputed(one, { ...search, depth: depth + 1 }))
      return termOf(one, one.unit, false);
  }
  return undefined;
}

function isComputed(operand: Figure, search: OperandSearch): boolean {
  const key = `${search.depth} ${valueOf(operand)} ${operand.raw}`;
  const isKnown = search.computed.get(key);
  if (isKnown !== undefined) return isKnown;
  const isFound = recompute(operand, search) !== undefined;
  search.computed.set(key, isFound);
  return isFound;
}

function first<T>(texts: readonly T[], find: (text: T) => Term | undefined): Term | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSameKind(a: Unit | undefined, b: Unit | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isComparable(a.dimension, b.dimension);
}

function mayHaveUnit(operand: Figure, unit: Unit | undefined): boolean {
  return operand.unit === undefined || isSameKind(operand.unit, unit);
}

function inSharedUnit(term: Term): Term {
  const { shared: unit } = term;
  return unit === undefined
    ? term
    : { value: term.value * unit.factor, dimension: unit.dimension, factor: unit.factor };
}

function termOf(operand: Figure, unit: Unit | undefined, isBareCell: boolean): Term {
  if (operand.isYear && unit === undefined) return { value: valueOf(operand), dimension: YEAR };
  return {
    value: valueOf(operand) * (unit?.factor ?? 1),
    factor: unit?.factor ?? 1,
    dimension: unit?.dimension ?? (isBareCell ? ANY : undefined),
  };
}

/** @param isExact whether the passage has to have the same value, not one that rounds to it. */
function inPassage(
  operand: Figure,
  figure: Figure | undefined,
  passage: Passage,
  isExact: boolean,
): Term | undefined {
  const value = valueOf(operand);
  const matches = passage.figures.filter(
    (other) =>
      (!isExact || other.readings.some((reading) => reading.value * other.scale === value)) &&
      standsInPassage(operand, passage, undefined, [other]) === "match",
  );
  const known =
    matches.find((other) => isSameKind(other.unit, operand.unit) && valueOf(other) === valueOf(operand)) ??
    matches.find((other) => isSameKind(other.unit, figure?.unit)) ??
    matches[0];
  if (known === undefined) return undefined;
  // `1,120 tonnes, Peru 940`: the unit may stand beside another figure of the sentence.
  const sharesUnit =
    figure?.unit !== undefined &&
    passage.figures.some((other) => other.part === known.part && isSameKind(other.unit, figure.unit));
  const isCell = known.row !== undefined || known.column !== undefined;
  const isYear = operand.isYear && known.isYear && !isCell;
  const unit = operand.unit ?? known.unit;
  const term = termOf({ ...operand, isYear }, unit, isCell && unit === undefined);
  return unit === undefined && sharesUnit ? { ...term, shared: figure.unit } : term;
}

function inTable(operand: Figure, table: Table, claim: Claim): Term | undefined {
  // Which rows the sentence names does not matter for operands.
  const anyRow: Claim = { ...claim, cited: [], namedRows: new Map(), fullyNamedRows: new Map() };
  const total = table.columns.find((column) => !column.isLabel && column.total === valueOf(operand));
  if (total !== undefined && operand.unit === undefined)
    return termOf(operand, total.unit, total.unit === undefined);
  if (standsInTable(operand, table, anyRow) !== "match" && !standsScaled(operand, table, anyRow))
    return standsInPassage(operand, table.texts) === "match"
      ? termOf(operand, operand.unit, false)
      : undefined;
  const [reading] = operand.readings;
  const slack = reading === undefined ? 0 : lastDigit(reading, operand);
  const columns = cellsNear(table, valueOf(operand), slack).flatMap(
    ({ column }) => table.columns[column] ?? [],
  );
  const units = columns.flatMap(({ unit }) => unit ?? []);
  const isYear = operand.isYear && columns.every(({ isLabel }) => isLabel);
  const scale = operand.scale === 1 ? columns.find((column) => column.scale !== undefined)?.scale : undefined;
  return {
    ...termOf({ ...operand, isYear }, operand.unit ?? units[0], units.length === 0),
    ...(scale === undefined ? {} : { scale }),
  };
}
