import type { Passage, PassageFigure, PassageRow } from "../evidence/passage.ts";
import { cellsNear, type Cell, type Table } from "../evidence/table.ts";
import type { Claim } from "../claim.ts";
import { significantDigits, valueOf, type Figure, type Reading } from "../text/numbers.ts";
import { convert, isComparable, type Unit } from "../text/units.ts";

/** `unit`: the number is there with another unit or power of ten. */
export type Match = "match" | "unit" | undefined;

const EPSILON = 1e-9;

/** Half of the last digit written. */
export function lastDigit(reading: Reading, figure: Figure): number {
  return 0.500_000_1 * 10 ** -reading.decimals * figure.scale;
}

/**
 * How far the true value may be from what is written: half of the last digit; for round whole numbers from 100 on with
 * two other digits, half of the last one that is not 0.
 */
function slack(reading: Reading, figure: Figure): number {
  // `about €173.50`
  if (figure.isRough === true && reading.decimals === 2 && Math.round(reading.value * 100) % 10 === 0)
    return 0.05 * figure.scale;
  if (reading.decimals > 0 || figure.scale > 1) return lastDigit(reading, figure);
  if (reading.value >= 100 && reading.value % 10 === 0) {
    const digits = String(reading.value);
    const significant = digits.replace(/0+$/, "");
    if (significant.length >= 2) return 0.5 * 10 ** (digits.length - significant.length);
  }
  return 0.5;
}

/** `about 70,000` of 70,370: within one in fifty, where the sentence leaves no choice of operands. */
function roughSlack(reading: Reading, figure: Figure): number {
  const isRound =
    figure.isRough === true &&
    figure.scale === 1 &&
    reading.value >= 1000 &&
    /^\d0+$/.test(String(reading.value));
  return isRound ? reading.value / 50 : slack(reading, figure);
}

/** Percentages from 10 on may also be cut. */
function isCut(reading: Reading, figure: Figure, value: number): boolean {
  if (figure.unit?.dimension !== "percent" || figure.scale !== 1 || reading.value < 10) return false;
  const power = 10 ** reading.decimals;
  return Math.floor(value * power) === Math.round(reading.value * power);
}

function rounds(reading: Reading, figure: Figure, value: number): boolean {
  if (Math.abs(reading.value * figure.scale - value) <= slack(reading, figure) + EPSILON) return true;
  return isCut(reading, figure, value) && !Number.isInteger(value);
}

/** Half of the last digit written; of a round whole number with three other digits, half of the last of those. */
export function derivedSlack(reading: Reading, figure: Figure): number {
  if (figure.isRough === true) return slack(reading, figure);
  if (reading.decimals === 0 && figure.scale === 1 && reading.value % 10 === 0) {
    const digits = String(reading.value);
    const significant = digits.replace(/0+$/, "").length;
    if (significant >= 3) return 0.5 * 10 ** (digits.length - significant);
  }
  return lastDigit(reading, figure);
}

/** A derived value has to fit to the last digit that is written; totals and averages may be rounded further. */
export function fitsLastDigit(figure: Figure, value: number, isTotal: boolean, isFree = false): boolean {
  return figure.readings.some(
    (reading) =>
      ((isFree || figure.isRough === true) &&
        Math.abs(reading.value * figure.scale - value) <= (isFree ? roughSlack : slack)(reading, figure)) ||
      Math.abs(reading.value * figure.scale - value) <=
        (isTotal ? derivedSlack : lastDigit)(reading, figure) ||
      isCut(reading, figure, value),
  );
}

/** Whole numbers below 100 are not rounded from other whole numbers. */
function isOtherCount(reading: Reading, figure: Figure, value: number): boolean {
  return (
    figure.scale === 1 &&
    reading.decimals === 0 &&
    Number.isInteger(value) &&
    Math.abs(reading.value) < 100 &&
    reading.value !== value
  );
}

/** Dimensions that a passage has to name somewhere for a bare number of it to carry them. */
function needsUnit(dimension: string): boolean {
  return !["percent", "points", "basis"].includes(dimension) && !dimension.startsWith("currency:");
}

/** Whether a figure stands in a passage. `rows` are those that the sentence names: others do not count. */
export function standsInPassage(
  figure: Figure,
  passage: Passage,
  rows?: ReadonlySet<PassageRow>,
  among: readonly PassageFigure[] = passage.figures,
): Match {
  let best: Match;
  for (const other of among) {
    if (rows !== undefined && other.row !== undefined && !rows.has(other.row)) continue;
    const match = compare(figure, other, passage);
    if (match === "match") return "match";
    best ??= match;
  }
  return best;
}

function compare(figure: Figure, other: PassageFigure, passage: Passage): Match {
  let best: Match;
  for (const stated of figure.readings)
    for (const known of other.readings) {
      const match = compareReadings(figure, stated, other, known, passage);
      if (match === "match") return "match";
      best ??= match;
    }
  return best;
}

function compareReadings(
  figure: Figure,
  stated: Reading,
  other: PassageFigure,
  known: Reading,
  passage: Passage,
): Match {
  const same = Math.abs(stated.value - known.value) < EPSILON;
  // `1` is not 1.45 of `1,450`, which may also be a thousand.
  if (other.readings.length > 1 && known.decimals === 3 && !same) return undefined;
  // A year is no amount, and is not rounded.
  if (other.isYear && !same && figure.isYear) return undefined;
  const isMoney = figure.unit?.dimension.startsWith("currency:") === true;
  if (other.isYear && isMoney && other.row === undefined) return undefined;
  const value = known.value * other.scale;
  const unit = figure.unit;
  if (figure.period !== undefined && other.period !== undefined && figure.period !== other.period)
    return same ? "unit" : undefined;
  if (same && figure.per !== undefined && other.per !== undefined && !isSameUnit(figure.per, other.per))
    return "unit";
  if (unit?.dimension === "points" && other.unit?.dimension !== "points")
    return other.unit === undefined && rounds(stated, figure, value) && (stated.decimals > 0 || same)
      ? "match"
      : undefined;
  const isGiven = passage.kind === "given" && same;
  const isCell = other.column !== undefined || other.row !== undefined;
  if (unit !== undefined && other.unit === undefined && needsUnit(unit.dimension) && !isGiven) {
    const isBytes = unit.dimension === "byte" && (other.scale > 1 || value >= MIN_BARE_BYTES);
    if (isSetting(other, passage) && unit.dimension === "time") return compareSetting(figure, stated, value);
    if (!passage.dimensions.has(unit.dimension) && !isBytes) return same ? "unit" : undefined;
    // The unit of a bare number stands elsewhere: `(default: 2000). Time in milliseconds`.
    if (!passage.dimensions.has(`${unit.dimension} ${unit.factor}`) && !isBytes)
      return (isCell || value >= MIN_IN_NAMED_UNIT) && isInNamedUnit(figure, unit, stated, value, passage)
        ? "match"
        : same
          ? "unit"
          : undefined;
  }
  if (unit !== undefined && other.unit !== undefined) {
    if (!isComparable(unit.dimension, other.unit.dimension)) return same ? "unit" : undefined;
    if (unit.factor !== other.unit.factor) {
      // A second reading and a conversion together would explain too much.
      if (known !== other.readings[0]) return undefined;
      const converted = convert(value, other.unit, unit);
      const close = Math.abs(converted - stated.value * figure.scale) / Math.abs(converted || 1) < 0.06;
      return rounds(stated, figure, converted) && close ? "match" : same ? "unit" : undefined;
    }
  }
  return compareValues(figure, stated, other, known, passage, same);
}

function isSameUnit(a: Unit, b: Unit): boolean {
  return a.dimension === b.dimension && a.factor === b.factor;
}

/** `version 7` is not seven minutes. */
const MIN_IN_NAMED_UNIT = 100;

/** A bare number from here on may be bytes: `total=21378641920`. */
const MIN_BARE_BYTES = 1e6;

/** `secsleft=16628`, `"timeout": 30`: the unit is not written, or part of a name. */
function isSetting({ start, unit }: PassageFigure, { source }: Passage): boolean {
  return (
    unit === undefined &&
    /[\p{L}_][\p{L}\p{N}_]{0,40}["']?(?:=|["']:)\s?$/u.test(source.slice(Math.max(0, start - 48), start))
  );
}

/** `percent=93` */
function isPercentSetting(other: PassageFigure, passage: Passage): boolean {
  const name = passage.source.slice(Math.max(0, other.start - 48), other.start);
  return isSetting(other, passage) && /(?:percent|pct|ratio|share)[^\s,;]{0,12}$/i.test(name);
}

/** A setting in seconds or milliseconds, in another unit of time. */
function compareSetting(figure: Figure, stated: Reading, value: number): Match {
  const seconds = stated.value * figure.scale * (figure.unit?.factor ?? 1);
  return [1, 1e-3].some((factor) => Math.abs(value * factor - seconds) < EPSILON * seconds)
    ? "match"
    : undefined;
}

/** Whether a bare number is the figure in a unit that the passage names. */
function isInNamedUnit(
  figure: Figure,
  unit: Unit,
  stated: Reading,
  value: number,
  { dimensions }: Passage,
): boolean {
  const size = stated.value * figure.scale * unit.factor;
  return [...dimensions].some((name) => {
    const [dimension, factor] = name.split(" ");
    if (dimension !== unit.dimension || factor === undefined) return false;
    return Math.abs(value * Number(factor) - size) <= 1e-6 * size;
  });
}

function compareValues(
  figure: Figure,
  stated: Reading,
  other: PassageFigure,
  known: Reading,
  passage: Passage,
  same: boolean,
): Match {
  const value = known.value * other.scale;
  const percent = figure.unit?.dimension === "percent";
  const bare = other.unit === undefined;
  if (percent && same && bare && isPercentSetting(other, passage)) return "match";
  const exact =
    figure.isWord &&
    figure.scale === 1 &&
    other.scale === 1 &&
    !(figure.isRough === true && figure.unit !== undefined);
  if (
    exact ? stated.value === value : rounds(stated, figure, value) && !isOtherCount(stated, figure, value)
  ) {
    // A bare 14 ("14 files") does not carry "14 %", unless it is in a table or beside percentages.
    const carries =
      !bare || other.row !== undefined || other.column !== undefined || passage.percentParts.has(other.part);
    return percent && !carries ? undefined : "match";
  }
  if (percent && bare && known.value < 1 && rounds(stated, figure, known.value * 100)) return "match";
  if (figure.unit?.dimension === "byte" && bare && (other.scale > 1 || value >= MIN_BARE_BYTES))
    if (rounds(stated, figure, value / figure.unit.factor)) return "match";
  const isCell = other.column !== undefined || other.row !== undefined;
  if (isCell && bare && figure.scale > 1)
    for (const scale of scalesOfCells(passage)) if (rounds(stated, figure, value * scale)) return "match";
  if (!same || figure.scale === other.scale) return undefined;
  // `1,301` of a cell in thousands
  if (other.hasScaleOfHead === true && figure.unit === undefined && figure.scale === 1) return "match";
  // A bare number counts with "million" where the passage says million.
  if (figure.scale > 1 && other.scale === 1 && bare)
    return (isCell && passage.scales.has(figure.scale)) || sharesScale(figure.scale, other, passage)
      ? "match"
      : "unit";
  return other.scale > 1 && figure.scale === 1 && figure.inTable === true ? "match" : "unit";
}

/** `5 to 7 million`: the power of ten stands beside the number that follows. */
function sharesScale(scale: number, { end }: PassageFigure, { figures, source }: Passage): boolean {
  return figures.some(
    (next) =>
      next.scale === scale &&
      next.start >= end &&
      next.start - end < 16 &&
      /^[^\p{L}\n]*(?:\p{L}{1,3}[^\p{L}\n]*){0,2}$/u.test(source.slice(end, next.start)),
  );
}

/** What cells of a passage's tables may be in; without a scale of its own as the other evidence of the run, or thousands. */
export function scalesOfCells({ scales, cellScales }: Passage): readonly number[] {
  if (scales.size > 0) return [...scales];
  return cellScales.size > 0 ? [...new Set([...cellScales, 1e3])] : [];
}

/** Whether a figure is a cell of a result. */
export function standsInTable(figure: Figure, table: Table, claim: Claim): Match {
  const isPoints = figure.unit?.dimension === "points";
  let best: Match;
  for (const reading of figure.readings)
    for (const [value, tolerance] of cellValues(figure, reading, table))
      for (const cell of cellsNear(table, value, tolerance)) {
        if (!mayUseCell(figure, cell, table, claim)) continue;
        if (isPoints && table.columns[cell.column]?.unit?.dimension !== "points") continue;
        const match = compareCell(figure, reading, cell, table);
        if (match === "match") return "match";
        best ??= match;
      }
  return best;
}

/** Cells that the figure restates, in the units and scales of the table. */
export function cellsRestated(figure: Figure, table: Table): readonly Cell[] {
  const [reading] = figure.readings;
  if (reading === undefined) return [];
  const tolerance = lastDigit(reading, figure);
  return [...new Set([1, ...table.scales, figure.unit?.factor ?? 1])].flatMap((scale) =>
    cellsNear(table, valueOf(figure) / scale, tolerance / scale),
  );
}

/** `432.5 k€` of a column in thousands. */
export function standsScaled(figure: Figure, table: Table, claim: Claim): boolean {
  const isMoney = figure.unit?.dimension.startsWith("currency:") === true;
  const [reading] = figure.readings;
  const { unit: _, ...bare } = figure;
  return [...table.scales].some((scale) => {
    if (figure.scale >= scale)
      return standsInTable({ ...bare, scale: figure.scale / scale }, table, claim) === "match";
    // `EUR 890,000` of 890 in thousands
    if (!isMoney || reading === undefined || reading.value % scale !== 0) return false;
    const readings = [{ value: reading.value / scale, decimals: 0 }];
    return standsInTable({ ...bare, readings, scale: 1 }, table, claim) === "match";
  });
}

/** Values that a cell may have where the figure restates it, with the tolerance of each. */
function cellValues(figure: Figure, reading: Reading, table: Table): readonly (readonly [number, number])[] {
  const value = reading.value * figure.scale;
  const tolerance = Math.max(slack(reading, figure), 10 ** -reading.decimals * figure.scale) + EPSILON;
  const factors = new Set([1]);
  if (figure.unit?.dimension === "percent") factors.add(0.01);
  if (figure.unit?.dimension === "byte") factors.add(figure.unit.factor);
  for (const { unit } of table.columns)
    if (
      unit !== undefined &&
      figure.unit !== undefined &&
      isComparable(unit.dimension, figure.unit.dimension)
    )
      factors.add(figure.unit.factor / unit.factor);
  if (figure.inTable === true) for (const factor of THOUSANDS) factors.add(factor);
  return [...factors].map((factor) => [value * factor, tolerance * factor * 1.001] as const);
}

const THOUSANDS = [1e3, 1e6, 1e9];

function mayUseCell(figure: Figure, cell: Cell, table: Table, claim: Claim): boolean {
  const full = claim.fullyNamedRows.get(table);
  const column = table.columns[cell.column];
  if (column?.isLabel === true && !figure.readings.some(({ value }) => value === cell.value)) return false;
  // A sentence that cites passages uses a result by the rows it names, or for a figure of four digits.
  if (claim.cited.length > 0 && claim.citedTables.length === 0 && significantDigits(figure) < 4)
    if (claim.namedRows.get(table)?.includes(cell.row) !== true) return false;
  if (figure.inTable === true && full !== undefined && !full.includes(cell.row)) return false;
  if (figure.unit?.dimension !== "percent" || claim.namedRows.size === 0) return true;
  // A percentage beside a named row is that row's, or literally another cell.
  const named = claim.namedRows.get(table);
  const [reading] = figure.readings;
  const isExact = cell.value === reading?.value || table.columns[cell.column]?.unit?.dimension === "percent";
  if (named?.includes(cell.row) === true || (isExact && (reading?.decimals ?? 0) > 0)) return true;
  return (
    named === undefined &&
    cell.value === reading?.value &&
    !(Number.isInteger(cell.value) && reading.decimals > 0)
  );
}

function compareCell(figure: Figure, reading: Reading, cell: Cell, table: Table): Match {
  const unit = figure.unit;
  const columnUnit = table.columns[cell.column]?.unit;
  const percent = unit?.dimension === "percent";
  let value = cell.value;
  if (unit !== undefined && columnUnit !== undefined) {
    if (isComparable(unit.dimension, columnUnit.dimension) && unit.factor !== columnUnit.factor) {
      value = convert(cell.value, columnUnit, unit);
      if (!rounds(reading, figure, value) && rounds(reading, figure, cell.value)) return "unit";
    } else if (
      !isComparable(unit.dimension, columnUnit.dimension) &&
      (!unit.dimension.startsWith("currency:") || columnUnit.dimension.startsWith("currency:"))
    ) {
      return rounds(reading, figure, cell.value) ? "unit" : undefined;
    }
  }
  if (percent && Math.abs(cell.value) <= 1 && !Number.isInteger(cell.value))
    if (rounds(reading, figure, cell.value * 100)) return "match";
  if (rounds(reading, figure, value) && !isOtherCount(reading, figure, value)) return "match";
  if (value < 0 && rounds(reading, figure, -value) && !isOtherCount(reading, figure, -value)) return "match";
  if (unit?.dimension === "byte" && columnUnit === undefined && rounds(reading, figure, value / unit.factor))
    return "match";
  return figure.inTable === true && isScaledCell(figure, reading, cell.value) ? "match" : undefined;
}

/** Cells of an answer's table may be in thousands, millions or billions. */
function isScaledCell(figure: Figure, reading: Reading, value: number): boolean {
  if (figure.scale !== 1 || String(reading.value).replace(".", "").length < 2) return false;
  return THOUSANDS.some(
    (factor) =>
      Math.abs(value) >= factor &&
      Math.abs(Math.abs(value) / factor - reading.value) <= 0.5 * 10 ** -reading.decimals,
  );
}
