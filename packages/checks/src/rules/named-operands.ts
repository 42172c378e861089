import type { DerivedFigure } from "@troupe/core";

import type { Claim, HeldFigure } from "../claim.ts";
import type { Passage } from "../evidence/passage.ts";
import { cellsNear, type Table } from "../evidence/table.ts";
import { readFacts } from "../text/facts.ts";
import { foldedWords } from "../text/fold.ts";
import { valueOf, type Figure } from "../text/numbers.ts";
import { isComparable, type Unit } from "../text/units.ts";
import {
  emitPairs,
  forPairs,
  searchSpaces,
  type Derivation,
  type Emit,
  type Operation,
} from "./arithmetic.ts";
import { lastDigit, standsInPassage, standsInTable, standsScaled } from "./figures.ts";

interface NamedOperandContext {
  readonly claim: Claim;
  readonly held: readonly HeldFigure[];
  readonly named: readonly DerivedFigure[];
}

/** An operand that the model named, with the unit it has in the evidence. */
interface NamedOperand {
  readonly value: number;
  readonly unit: Unit | undefined;
  /** A table cell without a unit: its unit may be in a caption. */
  readonly isBareCell: boolean;
  /** Years, ids and small number words: not for products and ratios. */
  readonly isLabel: boolean;
}

const MAX_NAMED_OPERANDS = 30;

/** Recomputes a figure with the operands that the model named. All of them have to be in the evidence of the sentence. */
export function fromNamedOperands(
  figure: Figure,
  variants: readonly Figure[],
  context: NamedOperandContext,
): Derivation | undefined {
  for (const { figure: name, operands } of context.named) {
    if (operands.length < 2 || !isSameFigure(figure, name, context.claim)) continue;
    const found = operands
      .slice(0, MAX_NAMED_OPERANDS)
      .flatMap((operand) => lookUpOperand(operand, figure, context) ?? []);
    if (found.length < operands.length || !hasUnitOf(figure, found)) continue;
    const space = {
      name: "operands that the model named",
      weight: 0,
      fill: (emit: Emit) => fillNamed(found, figure, emit),
    };
    const hit = searchSpaces(figure, variants, [space], 0, { candidates: 10_000, lookups: 0 });
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function isSameFigure(figure: Figure, name: string, claim: Claim): boolean {
  if (foldedWords(name) === foldedWords(figure.raw)) return true;
  const [named] = readFacts(name, { language: claim.language, strict: true }).figures;
  return named !== undefined && valueOf(named) === valueOf(figure);
}

/** An amount in euros needs an operand in euros; percentages and points may come from other numbers. */
function hasUnitOf({ unit }: Figure, operands: readonly NamedOperand[]): boolean {
  if (unit === undefined || ["percent", "points", "basis"].includes(unit.dimension)) return true;
  return operands.some((operand) => operand.isBareCell || isSameKind(operand.unit, unit));
}

function isSameKind(a: Unit | undefined, b: Unit | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isComparable(a.dimension, b.dimension);
}

/** In figures that hold in the sentence or its block, in what it cites, or in results where it cites no document. */
function lookUpOperand(
  text: string,
  figure: Figure,
  { claim, held }: NamedOperandContext,
): NamedOperand | undefined {
  const [operand] = readFacts(text, { language: claim.language, strict: true }).figures;
  if (operand === undefined) return undefined;
  const known = [...held, ...claim.blockFigures].filter(
    (one) => valueOf(one.figure) === valueOf(operand) && mayHaveUnit(operand, one.figure.unit),
  );
  const same = known.find((one) => isSameKind(one.figure.unit, figure.unit)) ?? known[0];
  if (same !== undefined) return asOperand(operand, same.figure, false);
  for (const passage of claim.cited) {
    const found = inPassage(operand, figure, passage);
    if (found !== undefined) return found;
  }
  const tables = claim.cited.length === 0 ? claim.evidence.tables : claim.citedTables;
  for (const table of tables) {
    const found = inTable(operand, table, claim);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mayHaveUnit(operand: Figure, unit: Unit | undefined): boolean {
  return operand.unit === undefined || isSameKind(operand.unit, unit);
}

function asOperand(operand: Figure, known: Figure, isBareCell: boolean): NamedOperand {
  return {
    value: valueOf(operand),
    unit: operand.unit ?? known.unit,
    isBareCell,
    isLabel: isLabel(operand) || isLabel(known),
  };
}

function isLabel(figure: Figure): boolean {
  return figure.isYear || (figure.isWord && valueOf(figure) < 13);
}

function inPassage(operand: Figure, figure: Figure, passage: Passage): NamedOperand | undefined {
  const matches = passage.figures.filter(
    (other) => standsInPassage(operand, passage, undefined, [other]) === "match",
  );
  const known =
    matches.find((other) => !isLabel(other) && isSameKind(other.unit, figure.unit)) ??
    matches.find((other) => !isLabel(other)) ??
    matches[0];
  if (known === undefined) return undefined;
  const isCell = known.row !== undefined || known.column !== undefined;
  return asOperand(operand, known, isCell && known.unit === undefined);
}

function inTable(operand: Figure, table: Table, claim: Claim): NamedOperand | undefined {
  if (standsInTable(operand, table, claim) !== "match" && !standsScaled(operand, table, claim))
    return undefined;
  const [reading] = operand.readings;
  const slack = reading === undefined ? 0 : lastDigit(reading, operand);
  const columns = cellsNear(table, valueOf(operand), slack).flatMap(
    ({ column }) => table.columns[column] ?? [],
  );
  const units = columns.flatMap(({ unit }) => unit ?? []);
  return {
    value: valueOf(operand),
    unit: operand.unit ?? units[0],
    isBareCell: units.length === 0,
    isLabel: isLabel(operand) || (columns.length > 0 && columns.every((column) => column.isLabel)),
  };
}

const RATIOS: readonly Operation[] = ["ratio", "change", "share"];

function fillNamed(operands: readonly NamedOperand[], figure: Figure, plain: Emit): void {
  const units = operands.flatMap(({ unit }) => unit ?? []);
  const [unit] = units;
  const hasLabel = operands.some(({ isLabel: label }) => label);
  const emit = inUnitOf(figure, plain);
  const values = operands.map((operand) => operand.value * (operand.unit?.factor ?? 1));
  const sum = values.reduce((total, value) => total + value, 0);
  const areAlike = operands.every(
    (operand) =>
      operand.isBareCell ||
      operands.every((other) => other.isBareCell || isSameKind(operand.unit, other.unit)),
  );
  if (areAlike) {
    emit(sum, "sum", unit?.dimension);
    emit(sum / values.length, "average", unit?.dimension);
    emit(2 * (values[0] ?? 0) - sum, "difference", unit?.dimension);
    forPairs(values, (a, b) => emitPairs(emit, a, b, unit?.dimension, hasLabel ? RATIOS : []));
  }
  if (hasLabel) return;
  const factor = (operand: NamedOperand): number =>
    operand.unit?.dimension === figure.unit?.dimension ? (operand.unit?.factor ?? 1) : 1;
  plain(
    operands.reduce((product, operand) => product * operand.value * factor(operand), 1) /
      (units.some(({ dimension }) => dimension === "percent") ? 100 : 1) /
      (figure.unit?.factor ?? 1),
    "product",
  );
  const [first, second] = operands;
  if (operands.length === 2 && first !== undefined && second !== undefined) fillPerThing(first, second, emit);
  const [dividend = 0] = values;
  if (!areAlike || values.length < 3) return;
  if (sum !== dividend) emit((dividend / (sum - dividend)) * 100, "share");
  emit((dividend / sum) * 100, "share");
}

/** Sums in seconds or bytes are stated in the unit of the figure. */
function inUnitOf({ unit }: Figure, plain: Emit): Emit {
  return (value, operation, dimension, pair) => {
    const isAmount = operation === "sum" || operation === "difference" || operation === "average";
    plain(isAmount ? value / (unit?.factor ?? 1) : value, operation, dimension, pair);
  };
}

/** `EUR 1,508 per unit`: an amount by a number of things. */
function fillPerThing(a: NamedOperand, b: NamedOperand, emit: Emit): void {
  if (a.unit !== undefined && b.unit === undefined && b.value !== 0)
    emit((a.value * a.unit.factor) / b.value, "average", a.unit.dimension);
  if (b.unit !== undefined && a.unit === undefined && a.value !== 0)
    emit((b.value * b.unit.factor) / a.value, "average", b.unit.dimension);
}
