import type { Claim, HeldFigure } from "../claim.ts";
import type { Passage, PassageFigure, PassageRow } from "../evidence/passage.ts";
import { significantDigits, valueOf, type Figure } from "../text/numbers.ts";
import {
  emitPairs,
  emitPercentOf,
  forPairs,
  NO_UNIT,
  WITHOUT_SUM,
  type Emit,
  type Operation,
  type Space,
} from "./arithmetic.ts";
import { scalesOfCells } from "./figures.ts";
import { fillNamedThings } from "./named-things.ts";
import { mayCombine, valueFor, type PassageContext } from "./passage-context.ts";
import { fillProducts } from "./products.ts";
import { isComparable } from "../text/units.ts";

/** Pairs of more figures than these are not tried: their number grows with the square. */
const MAX_FIGURES = 120;
/** Across passages, of each. */
const MAX_ACROSS = 40;
const MAX_PASSAGES = 8;
const EPSILON = 1e-9;
const WITHOUT_RATIO: readonly Operation[] = ["ratio"];
const WITHOUT_SHARE: readonly Operation[] = ["share"];
const NO_ROWS: ReadonlySet<PassageRow> = new Set();

/** Arithmetic within one cited passage, from close to a stated figure to anywhere. */
export function* passageSpaces(figure: Figure, claim: Claim, held: readonly HeldFigure[]): Generator<Space> {
  for (const passage of [...claim.cited, ...claim.evidence.given].slice(0, MAX_PASSAGES * 2)) {
    const figures = passage.figures.filter(({ isYear }) => !isYear).slice(0, MAX_FIGURES);
    if (figures.length === 0) continue;
    const stated = new Set(figures.filter((other) => held.some((one) => states(one.figure, other, passage))));
    const context: PassageContext = {
      figure,
      passage,
      figures,
      stated,
      held,
      claim,
      near: claim.nearRows.get(passage) ?? NO_ROWS,
    };
    const space = (
      name: string,
      weight: number,
      fill: (context: PassageContext, emit: Emit) => void,
    ): Space => ({
      name: `${name} [${passage.id}]`,
      weight,
      cost: (figures.length * figures.length) >> 1,
      fill: (emit) => fill(context, emit),
    });
    if (passage.kind === "given") {
      yield space("with a stated figure, given", 1, fillWithStated);
      continue;
    }
    yield space("named rows of", 0.15, fillNamedRows);
    yield space("side by side in", 0.15, fillNeighbours);
    yield space("beside a stated figure in", 0.15, fillBesideStated);
    yield space("totals of", 0.15, fillGroups);
    yield space("things of the sentence in", 0.1, fillNamedThings);
    yield space("a percentage in", 0.3, fillPercentages);
    yield space("a rate in", 0.3, fillRates);
    yield space("a rate and a count in", 0.3, fillCounts);
    yield space("growth a year in", 0.3, fillYearlyGrowth);
    yield space("weighted averages of", 0.15, fillWeightedAverages);
    yield space("sums of products of", 0.15, fillProducts);
    yield space("one sentence of", 0.6, fillOneSentence);
    yield space("with a stated figure,", 0.6, fillWithStated);
    yield space("one unit in", 1, fillOneUnit);
  }
}

function states(held: Figure, other: PassageFigure, passage: Passage): boolean {
  const value = valueOf(other);
  const mayBeBare = held.inTable === true || (held.scale > 1 && scalesOfCells(passage).length > 0);
  return held.readings.some(
    (reading) =>
      Math.abs(reading.value * held.scale - value) < EPSILON ||
      (mayBeBare && Math.abs(reading.value - (other.readings[0]?.value ?? 0)) < EPSILON),
  );
}

/** Characters between figures of which one carries the unit of both. */
const MAX_SHARED_UNIT = 30;

/** Figures of which only one has a unit are of one kind in a table, or close together. */
function mayShareUnit(a: PassageFigure, b: PassageFigure): boolean {
  if ((a.unit === undefined) === (b.unit === undefined) || a.column !== undefined || b.column !== undefined)
    return true;
  return Math.abs(a.start - b.start) < MAX_SHARED_UNIT;
}

/** Cells of tables may have a unit that stands in the header. */
function dimensionOf(a: PassageFigure, b: PassageFigure): string | undefined {
  const dimension = a.unit?.dimension ?? b.unit?.dimension;
  if (dimension !== undefined) return dimension;
  const isCell = [a, b].some(({ column, row }) => column !== undefined || row !== undefined);
  return isCell ? undefined : NO_UNIT;
}

function forCombinations(
  { figures }: PassageContext,
  visit: (a: PassageFigure, b: PassageFigure, dimension: string | undefined) => void,
): void {
  forPairs(figures, (a, b) => {
    if (mayCombine(a, b) && mayShareUnit(a, b)) visit(a, b, dimensionOf(a, b));
  });
}

function fillBesideStated(context: PassageContext, emit: Emit): void {
  const { figure } = context;
  // Sums of small numbers explain nearly any digit.
  const isDigit = figure.unit === undefined && !figure.isWord && valueOf(figure) < 10;
  forCombinations(context, (a, b, dimension) => {
    if (a.part === b.part && (context.stated.has(a) || context.stated.has(b)))
      emitPairs(
        emit,
        valueFor(context.figure, a),
        valueFor(context.figure, b),
        dimension,
        without(a, b, isDigit ? WITHOUT_SUM_RATIO : WITHOUT_RATIO),
      );
  });
}

/** Characters between two figures such as `from 6.8 to 3.9`. */
const MAX_GAP = 12;
/** From one value to another that follows it at once. */
function fillNeighbours({ figure, figures }: PassageContext, emit: Emit): void {
  const inOrder = figures.toSorted((a, b) => a.start - b.start);
  for (const [index, a] of inOrder.entries()) {
    const b = inOrder[index + 1];
    if (b === undefined || a.part !== b.part || b.start - a.end > MAX_GAP || !mayCombine(a, b)) continue;
    emitPairs(
      emit,
      valueFor(figure, a),
      valueFor(figure, b),
      dimensionOf(a, b),
      without(a, b, WITHOUT_SUM_RATIO),
    );
  }
}

const WITHOUT_SUM_RATIO: readonly Operation[] = ["sum", "ratio"];

/** The share of one percentage in another says nothing. */
function without(a: PassageFigure, b: PassageFigure, more: readonly Operation[] = []): readonly Operation[] {
  const arePercentages = a.unit?.dimension === "percent" && b.unit?.dimension === "percent";
  return arePercentages ? [...more, "share"] : more;
}

const MAX_YEARS = 10;

/** `6.6 % a year over three years`: the years between those of the sentence, else of the passage, or a stated duration. */
function fillYearlyGrowth({ figure, figures, claim, passage }: PassageContext, emit: Emit): void {
  if (figure.unit?.dimension !== "percent") return;
  const stated = claim.facts.figures.flatMap((other) =>
    other.unit?.dimension === "time" && other.unit.factor > 3e7 ? [valueOf(other)] : [],
  );
  if (figure.period === undefined && stated.length === 0) return;
  const years = (claim.years.length > 1 ? claim.years : [...passage.years]).slice(0, MAX_YEARS);
  const periods = new Set(stated);
  if (stated.length === 0) forPairs(years, (a, b) => periods.add(Math.abs(a - b)));
  for (const period of periods) {
    if (period < 2) continue;
    forPairs(figures, (a, b) => {
      if (a.part !== b.part || !mayCombine(a, b) || valueOf(a) <= 0 || valueOf(b) <= 0) return;
      const ratio = valueFor(figure, b) / valueFor(figure, a);
      for (const one of [ratio, 1 / ratio]) emit(Math.abs(one ** (1 / period) - 1) * 100, "change");
    });
  }
}

/** Percentages of one column weighted by the numbers of another. */
function fillWeightedAverages({ figure, passage: { figures } }: PassageContext, emit: Emit): void {
  const cells = figures.filter(
    ({ row, column, isYear }) => row !== undefined && column !== undefined && !isYear,
  );
  const columns = [...Map.groupBy(cells, ({ column }) => column).values()];
  for (const percentages of columns.filter((cellsOf) =>
    cellsOf.every(({ unit }) => unit?.dimension === "percent"),
  ))
    for (const weights of columns) {
      if (weights === percentages || weights.length !== percentages.length || weights.length < 3) continue;
      const sum = weights.reduce((total, cell) => total + valueOf(cell), 0);
      const product = weights.reduce(
        (total, cell, index) => total + valueOf(cell) * valueOf(percentages[index] as Figure),
        0,
      );
      if (figure.unit?.dimension === "percent") emit(product / sum, "average", "percent");
      else emit(product / 100, "product");
    }
}

function fillOneSentence(context: PassageContext, emit: Emit): void {
  forCombinations(context, (a, b, dimension) => {
    if (a.part === b.part && !context.stated.has(a) && !context.stated.has(b))
      emitPairs(emit, valueFor(context.figure, a), valueFor(context.figure, b), dimension, without(a, b));
  });
}

/** Sums and shares of a column, of a list with one figure a line, and of the figures of one sentence. */
function fillGroups(context: PassageContext, emit: Emit): void {
  for (const group of groupsOf(context.passage)) {
    const members = group.filter(({ isYear }) => !isYear).slice(0, MAX_FIGURES);
    if (members.length < 3 || group.some((a) => !mayCombine(a, members[0] as Figure))) continue;
    // Percentages of one sentence seldom share a whole.
    if (members[0]?.unit?.dimension === "percent" && members[0].column === undefined) continue;
    const values = members.map((member) => valueFor(context.figure, member));
    const sum = values.reduce((total, value) => total + value, 0);
    if (context.figure.scale > 1 && members[0]?.scale === 1)
      for (const scale of scalesOfCells(context.passage)) emit(sum * scale, "sum");
    const dimension = members.find(({ unit }) => unit !== undefined)?.unit?.dimension;
    emit(sum, "sum", dimension);
    emit(sum / values.length, "average", dimension);
    let running = 0;
    for (const [index, value] of values.entries()) {
      running += value;
      if (index > 0 && members[0]?.column !== undefined) emit(running, "sum", dimension);
    }
    for (const [index, member] of members.entries()) {
      const isNamed =
        context.stated.has(member) || (member.row !== undefined && context.near.has(member.row));
      if (isNamed && sum !== 0) emit(((values[index] ?? 0) / sum) * 100, "share");
    }
  }
}

function groupsOf({ figures, source }: Passage): readonly (readonly PassageFigure[])[] {
  const cells = figures.filter(({ column, row }) => column !== undefined && row !== undefined);
  const columns = Map.groupBy(cells, ({ column }) => column);
  const rows = Map.groupBy(cells, ({ row }) => row);
  const parts = Map.groupBy(
    figures.filter(({ column }) => column === undefined),
    ({ part }) => part,
  );
  const isItem = ({ start }: PassageFigure): boolean =>
    /(?:^|\n)\s{0,8}[-*•][^\n]{0,200}$/.test(source.slice(Math.max(0, start - 200), start));
  const items = [...parts.values()].flatMap(([first]) =>
    first !== undefined && isItem(first) ? [first] : [],
  );
  return [...columns.values(), ...rows.values(), ...parts.values(), items];
}

/** A percentage that the passage states, of a value that it states: `$4.2 million, of which the state pays 40 %`. */
function fillPercentages({ figure, figures, stated, held }: PassageContext, emit: Emit): void {
  const percentages = figures.filter(
    ({ unit, column }) => unit?.dimension === "percent" && column === undefined,
  );
  for (const [index, percentage] of percentages.entries()) {
    // The rest to 100 %.
    emit(100 - valueOf(percentage), "sum", "percent");
    const next = percentages[index + 1];
    if (next?.part === percentage.part) emit(100 - valueOf(percentage) - valueOf(next), "sum", "percent");
    const percent = valueOf(percentage);
    for (const other of figures) {
      const isNear = other.part === percentage.part || stated.has(other) || stated.has(percentage);
      const isMoney =
        other.unit?.dimension.startsWith("currency:") === true &&
        other.unit.dimension === figure.unit?.dimension;
      if (other.unit?.dimension === "percent" || !(isNear || isMoney)) continue;
      emitPercentOf(emit, valueFor(figure, other), percent, other.unit?.dimension ?? NO_UNIT);
    }
    for (const { figure: own, isCount } of held)
      if (!isCount && own !== figure && own.unit?.dimension !== "percent")
        emitPercentOf(emit, valueFor(figure, own), percent, own.unit?.dimension);
  }
}

const MAX_COUNTS = 8;

/** An amount per thing, and so many things at an amount: `12 kg for 80 portions`. */
function fillRates({ figure, figures, held, claim }: PassageContext, emit: Emit): void {
  const unit = figure.unit;
  if (unit === undefined || unit.dimension === "percent" || unit.dimension === "points") return;
  const stated = [
    ...held.filter(({ isCount }) => !isCount).map((one) => one.figure),
    ...claim.blockFigures.map((one) => one.figure),
  ];
  const counts = claim.facts.figures
    .filter((one) => one !== figure && one.isWord && one.scale === 1)
    .slice(0, MAX_COUNTS)
    .map(valueOf);
  for (const amount of figures) {
    if (amount.unit === undefined || !isComparable(amount.unit.dimension, unit.dimension)) continue;
    // `three months' rent`
    if (amount.unit.dimension.startsWith("currency:"))
      for (const count of counts) emit(valueFor(figure, amount) * count, "product", unit.dimension);
    const others = figures.filter(({ part, unit: other }) => part === amount.part && other === undefined);
    for (const other of [
      ...others,
      ...stated.filter((one) => one !== figure && one.unit?.dimension !== unit.dimension),
    ]) {
      const count = valueOf(other);
      if (count !== 0) emit(valueFor(figure, amount) / count, "average", unit.dimension);
      emit(valueFor(figure, amount) * count, "product", unit.dimension);
    }
  }
}

const MAX_PLAIN = 16;

/** An amount, and a number of things elsewhere in the passage: `50 pumps` and `EUR 11.50 per pump`. */
function fillCounts({ figure: { unit }, figures }: PassageContext, emit: Emit): void {
  if (unit === undefined || unit.dimension === "percent" || unit.dimension === "points") return;
  const counts = figures
    .filter((one) => one.unit === undefined && one.column === undefined && valueOf(one) > 1)
    .slice(0, MAX_PLAIN);
  for (const amount of figures) {
    if (amount.unit?.dimension !== unit.dimension) continue;
    // `EUR 186,000 a year` for `36 months`.
    for (const { unit: other, ...duration } of amount.period === undefined ? [] : figures)
      if (other?.dimension === "time")
        emit(
          (valueOf(amount) * amount.unit.factor * valueOf(duration) * other.factor) /
            (amount.period ?? 1) /
            unit.factor,
          "product",
          unit.dimension,
        );
    for (const count of counts) {
      emit((valueOf(amount) * amount.unit.factor * valueOf(count)) / unit.factor, "product", unit.dimension);
      emit((valueOf(amount) * amount.unit.factor) / valueOf(count) / unit.factor, "average", unit.dimension);
    }
  }
}

/** Within the rows that the sentence names, and between such a row and a stated figure of the same column. */
function fillNamedRows({ figure: own, passage, figures, held, near }: PassageContext, emit: Emit): void {
  const named = figures.filter(({ row }) => row !== undefined && near.has(row));
  const yearColumns =
    passage.figures.filter(({ isYear, column, row }) => isYear && column !== undefined && row === undefined)
      .length > 1;
  for (const a of named) {
    const column = figures.filter((other) => (other.column ?? 0) === (a.column ?? 0));
    for (const { figure, isCount, derived } of held) {
      if (isCount || derived) continue;
      if (column.some((other) => Math.abs(valueOf(other) - valueOf(figure)) < EPSILON))
        emitPairs(emit, valueOf(a), valueOf(figure), undefined, WITHOUT_SUM);
    }
    for (const b of named)
      if (a.start < b.start && ((a.column ?? 0) === (b.column ?? 0) || a.row === b.row))
        emitPairs(
          emit,
          valueFor(own, a),
          valueFor(own, b),
          undefined,
          without(a, b, a.row === b.row && yearColumns ? WITHOUT_SHARE : []),
        );
    if (a.unit?.dimension !== "percent") continue;
    // `88 %` of `640` answers, and how far it is from a target of 85 %.
    for (const b of named)
      if (a.row === b.row && b.unit?.dimension !== "percent")
        emit((valueFor(own, b) * valueOf(a)) / 100, "percent-of", b.unit?.dimension);
    if (own.unit === undefined || own.unit.dimension === "points")
      for (const b of figures)
        if (b.unit?.dimension === "percent" && b.row === undefined)
          emit(Math.abs(valueOf(a) - valueOf(b)), "difference", "percent");
  }
}

function fillWithStated(context: PassageContext, emit: Emit): void {
  const { claim, figures, held, figure, stated } = context;
  forCombinations(context, (a, b, dimension) => {
    if (!stated.has(a) && !stated.has(b)) return;
    const sameUnit = a.unit === undefined || b.unit === undefined || a.unit.factor === b.unit.factor;
    emitPairs(
      emit,
      valueFor(figure, a),
      valueFor(figure, b),
      dimension,
      without(a, b, sameUnit ? [] : WITHOUT_RATIO),
    );
  });
  for (const own of held) {
    if (own.figure === figure || own.isCount || (own.derived && figure.unit?.dimension !== "points"))
      continue;
    for (const other of figures) {
      if (!mayCombine(other, own.figure)) continue;
      const dimension = other.unit?.dimension ?? own.figure.unit?.dimension;
      const known = dimension ?? (other.column === undefined ? NO_UNIT : undefined);
      const isShare = other.unit?.dimension !== "percent" || own.figure.unit?.dimension !== "percent";
      const rest = [...(other.row === undefined ? [] : WITHOUT_SUM), ...(isShare ? [] : WITHOUT_SHARE)];
      emitPairs(emit, valueFor(figure, other), valueFor(figure, own.figure), known, rest);
    }
  }
  const [from, to, ...more] = claim.years;
  if (from !== undefined && to !== undefined && more.length === 0)
    for (const other of figures) emit(valueOf(other) / (Math.abs(from - to) + 1), "average");
}

const ALL_BUT_RATIO: readonly Operation[] = ["sum", "difference", "change", "share"];
function fillOneUnit({ figure, figures }: PassageContext, emit: Emit): void {
  if (figures.length >= 40) return;
  // `226 patients per nurse`: of plain numbers only what has three digits or more.
  if (figure.unit === undefined) {
    const plain = figures.filter(({ unit, column }) => unit === undefined && column === undefined);
    if (significantDigits(figure) > 2)
      forPairs(plain, (a, b) => {
        if (a.part !== b.part) emitPairs(emit, valueOf(a), valueOf(b), NO_UNIT, ALL_BUT_RATIO);
      });
    return;
  }
  forPairs(figures, (a, b) => {
    if (a.unit !== undefined && a.unit.dimension === b.unit?.dimension && a.part !== b.part)
      emitPairs(
        emit,
        valueFor(figure, a),
        valueFor(figure, b),
        a.unit.dimension,
        // Two time limits do not add up to a longer one.
        without(a, b, a.unit.dimension === "time" ? WITHOUT_SUM : []),
      );
  });
}

/** A figure of one cited passage with one of another. */
export function acrossPassages(figure: Figure, claim: Claim): Space {
  const passages = [...claim.cited, ...claim.evidence.given].slice(0, MAX_PASSAGES);
  return {
    name: "across citations",
    weight: 1,
    fill(emit) {
      const lists = passages.map((passage) =>
        passage.figures.filter(({ isYear }) => !isYear).slice(0, MAX_ACROSS),
      );
      forPairs(lists, (first, second) => {
        for (const a of first)
          for (const b of second) {
            const dimension = a.unit?.dimension;
            if (dimension !== b.unit?.dimension) continue;
            const unit = figure.unit?.dimension;
            if (unit === undefined || unit === "percent" || dimension === undefined || dimension === unit)
              emitPairs(emit, valueOf(a), valueOf(b), dimension);
          }
      });
    },
  };
}
