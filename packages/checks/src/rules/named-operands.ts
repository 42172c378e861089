import type { DerivedFigure } from "@troupe/core";

import { isSentenceNamed, type Claim, type HeldFigure } from "../claim.ts";
import type { EvidenceText, Passage } from "../evidence/passage.ts";
import { cellsNear, type Table } from "../evidence/table.ts";
import { agrees, timestamp, type DateMention } from "../text/dates.ts";
import { readFacts, type Facts, type TimeMention } from "../text/facts.ts";
import { foldedWords } from "../text/fold.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { isComparable, type Unit } from "../text/units.ts";
import { searchSpaces, type Derivation, type Space } from "./arithmetic.ts";
import { standsAsDate, standsAsTime } from "./dates.ts";
import { variantsOf } from "./shared-scale.ts";
import { lastDigit, standsInPassage, standsInTable, standsScaled } from "./figures.ts";
import { ANY, CLOCK, DAY, DAY_SECONDS, fillExpressions, fillLists, YEAR, type Term } from "./expressions.ts";
import { fillFormula, parseFormula } from "./named-formula.ts";

export interface NamedOperandContext {
  readonly claim: Claim;
  readonly held: readonly HeldFigure[];
  readonly named: readonly DerivedFigure[];
}

const MAX_NAMED_OPERANDS = 30;
/** Operands that were computed from named operands themselves, such as a total and then a share of it. */
const MAX_DEPTH = 3;
/** Four operands explain a figure of two digits by accident: expected matches up to which they count. */
const NAMED_BOUND = 0.5;
const BUDGET = 200_000;
/** A table of the answer may be in thousands, millions or billions. */
const THOUSANDS = [1e3, 1e6, 1e9];

/**
 * Recomputes a figure with the operands that the model named. All of them have to be in what the sentence cites, in a
 * result, or given; or be computed from named operands in turn.
 */
export function fromNamedOperands(
  figure: Figure,
  context: NamedOperandContext,
  depth = 0,
): Derivation | undefined {
  const variants = [
    ...variantsOf(figure, context.claim),
    ...(figure.inTable === true ? THOUSANDS.map((scale) => ({ ...figure, scale })) : []),
  ];
  for (const { figure: name, operands, sentence } of context.named) {
    // An operand may have been computed in another sentence.
    if (depth === 0 && !isSentenceNamed(context.claim, sentence)) continue;
    if (!isSameFigure(figure, name, context.claim)) continue;
    const calculated = fromFormulas(operands, figure, variants, context, depth);
    if (calculated !== undefined) return calculated;
    const terms = findTerms(operands, figure, context, depth);
    if (terms === undefined || terms.length === 0) continue;
    const weight = terms.length < 4 ? 0 : 1;
    const lists: (readonly Term[])[] = withCounts(terms, figure, context.claim);
    if (terms.length > 1) lists.unshift(terms);
    if (terms.some(({ scale }) => scale !== undefined))
      lists.push(terms.map(({ scale = 1, ...term }) => ({ ...term, value: term.value * scale })));
    if (terms.some(({ shared }) => shared !== undefined)) lists.push(terms.map(inSharedUnit));
    for (const variant of variants) {
      const spaces = lists.flatMap((list): Space[] => [
        { name: "named operands as a list", weight: 0, fill: (emit) => fillLists(list, variant, emit) },
        { name: "named operands", weight, fill: (emit) => fillExpressions(list, variant, emit) },
      ]);
      const hit = searchSpaces(figure, [variant], spaces, NAMED_BOUND, { candidates: BUDGET, lookups: 0 });
      if (hit !== undefined) return hit;
    }
  }
  return undefined;
}

/** The result of an operand that is a calculation itself: `(1.2 - 0.9) / 0.9`. */
function fromFormulas(
  operands: readonly string[],
  figure: Figure,
  variants: readonly Figure[],
  context: NamedOperandContext,
  depth: number,
): Derivation | undefined {
  const counts = new Set(context.claim.facts.figures.filter((other) => other !== figure).map(valueOf));
  const find = (operand: Figure): Term | undefined =>
    findNumber(operand, figure, context, depth, NO_CONSTANTS);
  for (const formula of operands.slice(0, MAX_NAMED_OPERANDS).map(parseFormula)) {
    if (formula === undefined) continue;
    const fill: Space["fill"] = (emit) => {
      for (const variant of variants) fillFormula(formula, variant, { find, counts }, emit);
    };
    const space: Space = { name: "named calculation", weight: 0, fill };
    const hit = searchSpaces(figure, variants, [space], NAMED_BOUND, { candidates: BUDGET, lookups: 0 });
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
export function isNamedMoment(raw: string, { claim, named }: Omit<NamedOperandContext, "held">): boolean {
  const facts = readFacts(raw);
  const [moment] = momentsOf(facts, claim, () => true);
  if (moment === undefined) return false;
  return named.some(({ figure, operands, sentence }) => {
    if (!isSentenceNamed(claim, sentence) || !isSameMoment(figure, raw, claim)) return false;
    const terms = findTerms(operands, undefined, { claim, named, held: [] }, 0) ?? [];
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

/** `2 h 30 min` for `2 h 30`. */
function isSameMoment(name: string, raw: string, claim: Claim): boolean {
  if (foldedWords(name) === foldedWords(raw)) return true;
  const [named, others] = [name, raw].map((text) =>
    momentsOf(readFacts(text), claim, () => true).map(({ value, dimension }) => `${dimension} ${value}`),
  );
  return named?.length === 1 && named[0] === others?.[0];
}

function isMoment({ dimension }: Term): boolean {
  return dimension === DAY || dimension === CLOCK;
}

function isSameFigure(figure: Figure, name: string, claim: Claim): boolean {
  if (foldedWords(name) === foldedWords(figure.raw)) return true;
  const [named] = readFacts(name, { language: claim.language, strict: true }).figures;
  return named !== undefined && valueOf(named) === valueOf(figure);
}

/** The values of all operands; undefined where one of them is in no evidence. */
function findTerms(
  operands: readonly string[],
  figure: Figure | undefined,
  context: NamedOperandContext,
  depth: number,
): readonly Term[] | undefined {
  const terms: Term[] = [];
  for (const text of operands.slice(0, MAX_NAMED_OPERANDS)) {
    // As in evidence both readings of `1.450` count: which one is meant shows where it is found.
    const facts = readFacts(text);
    const moments = momentsOf(facts, context.claim, isInEvidence);
    if (facts.dates.length + facts.times.length > moments.length) return undefined;
    const numbers = facts.figures.map((operand) => findNumber(operand, figure, context, depth));
    if (numbers.length + moments.length === 0) return undefined;
    for (const number of numbers) {
      if (number === undefined) return undefined;
      terms.push(number);
    }
    terms.push(...moments);
  }
  return terms.length > MAX_NAMED_OPERANDS ? undefined : terms;
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
  context: NamedOperandContext,
  depth: number,
  constants = CONSTANTS,
): Term | undefined {
  const { claim, held } = context;
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
    const passages = [...claim.cited, ...claim.evidence.given];
    const found =
      first(passages, (passage) => inPassage(one, figure, passage, true)) ??
      first(claim.evidence.tables, (table) => inTable(one, table, claim)) ??
      (one.unit === undefined && constants.has(valueOf(one)) ? termOf(one, undefined, false) : undefined) ??
      first(passages, (passage) => inPassage(one, figure, passage, false));
    if (found !== undefined) return found;
    if (depth < MAX_DEPTH && fromNamedOperands(one, context, depth + 1) !== undefined)
      return termOf(one, one.unit, false);
  }
  return undefined;
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
