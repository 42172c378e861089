import { InputError, nearestNames } from "@troupe/core";
import type { ChartKind, ChartRow } from "@troupe/stream";

import { toNumber } from "../names/format-number.ts";
import { isAdditive } from "../names/labels.ts";
import { isNumberType } from "../names/column-role.ts";
import { oneLine } from "../names/one-line.ts";
import { periodKeys } from "../names/periods.ts";
import { groupRows, hasSeveralLabels, inTimeOrder } from "../shape/group.ts";
import {
  categoryDimension,
  dateDimension,
  measureOf,
  shapeOf,
  type Dimension,
  type Measure,
} from "../shape/shape.ts";
import type { QueryResult } from "../types/result.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { asPie, bigNumber, COLUMN_POINTS, MAX_BARS, MAX_POINTS, scatter, TOP } from "./choose-draft.ts";
import {
  byValue,
  fieldOfDimension,
  fieldOfMeasure,
  measureUnit,
  onOneAxis,
  pointsOf,
  titleOf,
  topAndOther,
} from "./draw-points.ts";
import { drawSplit } from "./draw-split.ts";

/** Columns of a result, by name. */
export interface ColumnWish {
  /** The axis. */
  readonly x?: string;
  /** The figures. */
  readonly y?: readonly string[];
  /** Gives the colours: one series for each of its values. */
  readonly series?: string;
  readonly kind?: ChartKind;
}

const MAX_LISTED = 12;

/** Draws the named columns; the others are chosen by the shape of the rest. */
export function drawAsked(result: QueryResult, wish: ColumnWish): ChartDraft {
  const { kind } = wish;
  const xAt = indexOf(result, "x", wish.x);
  const splitAt = indexOf(result, "series", wish.series);
  if (xAt !== undefined && xAt === splitAt)
    throw refused(
      `series: "${wish.series ?? ""}" is the axis already. Give another column, or leave series out.`,
    );
  const asked = wish.y?.map((name) => numbersOf(result, name));
  if (kind === "scatter") {
    const x = wish.x === undefined ? [] : [numbersOf(result, wish.x, "x")];
    const measures = [...x, ...(asked ?? shapeOf(result).measures.filter(({ name }) => name !== wish.x))];
    if (measures.length < 2)
      throw refused('y: a scatter chart needs two columns of numbers, such as x: "price", y: ["weight"].');
    return scatter(measures);
  }
  const rest = withoutColumns(result, [
    xAt,
    splitAt,
    ...(wish.y ?? []).map((name) => indexOf(result, "y", name)),
  ]);
  const measures = asked ?? onOneAxis(shapeOf(rest).measures, 4);
  const [measure] = measures;
  if (measure === undefined || measures.every(({ values }) => values.every((value) => value === null)))
    throw refused(`y: there is no column of numbers left to draw. ${columnsOf(result)}`);
  requireOneUnit(measures);
  if (kind === "number") return bigNumber({ rows: result.rows.length, measures });
  const x = xAt === undefined ? dimensionLeft(rest, result) : dimensionAt(result, xAt);
  if (splitAt !== undefined) {
    if (measures.length > 1 && asked !== undefined)
      throw refused(`y: with series one column of numbers can be drawn, such as y: ["${measure.name}"].`);
    return overTwo(x, dimensionAt(result, splitAt), measure, kind);
  }
  return overOne(x, measures, result, kind);
}

function overTwo(x: Dimension, split: Dimension, measure: Measure, wish: ChartKind | undefined): ChartDraft {
  const few = groupRows(x).length <= COLUMN_POINTS;
  const isOrdered = x.kind === "date";
  const fits = wish === "bar" || wish === "column" || (isOrdered && (wish === "line" || wish === "area"));
  const kind = fits ? wish : few ? "column" : isOrdered ? "line" : "bar";
  return drawSplit(x, split, measure, kind, isAdditive(measure.name));
}

function overOne(
  x: Dimension,
  measures: readonly Measure[],
  result: QueryResult,
  wish: ChartKind | undefined,
): ChartDraft {
  const isOrdered = x.kind === "date";
  const groups = groupRows(x);
  const points = isOrdered ? pointsOf(inTimeOrder(groups), measures) : byValue(pointsOf(groups, measures));
  const isWhole = !result.limited && !result.truncated;
  const pie = wish === "pie" && isWhole ? asPie(x, byValue(points), measures) : undefined;
  if (pie !== undefined) return pie;
  const fits = wish === "bar" || wish === "column" || (isOrdered && (wish === "line" || wish === "area"));
  const chosen = !isOrdered ? "bar" : points.length <= COLUMN_POINTS ? "column" : "line";
  const rows = isOrdered ? points.slice(-MAX_POINTS) : mostOf(points, measures, isWhole);
  return {
    title: titleOf(measures, x),
    kind: fits ? wish : chosen,
    by: [x],
    measures: measures.map(({ name }) => name),
    x: fieldOfDimension(x),
    series: measures.map((one, i) => fieldOfMeasure(one, i)),
    rows,
    reduced: rows.length < points.length,
    reason: `as asked: ${measures.map(({ name }) => name).join(", ")} by ${x.name}`,
  };
}

function mostOf(
  points: readonly ChartRow[],
  measures: readonly Measure[],
  isWhole: boolean,
): readonly ChartRow[] {
  if (points.length <= MAX_BARS) return points;
  return isWhole ? topAndOther(points, TOP, measures) : points.slice(0, TOP);
}

/** Years, months and other numbers keep their order; so does text that names periods. */
function dimensionAt(result: QueryResult, index: number): Dimension {
  const column = result.columns[index];
  const cells = result.rows.map((row) => row[index] ?? null);
  const name = column?.name ?? "";
  const isOrdered = column?.role === "date" || (isNumberType(column?.type ?? "") && column?.role !== "id");
  if (isOrdered) return dateDimension({ name, column: index, values: cells });
  const category = categoryDimension(name, index, cells);
  const keys = hasSeveralLabels(category) ? periodKeys(category.labels) : undefined;
  return keys === undefined ? category : { ...category, kind: "date", keys };
}

/** The column to show figures by, where none was named. */
function dimensionLeft(rest: QueryResult, result: QueryResult): Dimension {
  const { time, categories } = shapeOf(rest);
  const left = time ?? categories.find(hasSeveralLabels) ?? categories[0];
  if (left === undefined) throw refused(`x: name the column to show the figures by. ${columnsOf(result)}`);
  const index = result.columns.findIndex(({ name }) => name === left.name);
  return left.parts === undefined ? dimensionAt(result, index) : left;
}

function withoutColumns(result: QueryResult, left: readonly (number | undefined)[]): QueryResult {
  const kept = result.columns.flatMap((_, index) => (left.includes(index) ? [] : [index]));
  return {
    ...result,
    columns: kept.flatMap((index) => result.columns[index] ?? []),
    rows: result.rows.map((row) => kept.map((index) => row[index] ?? null)),
  };
}

function numbersOf(result: QueryResult, name: string, argument = "y"): Measure {
  const index = indexOf(result, argument, name) ?? 0;
  const column = result.columns[index];
  const cells = result.rows.map((row) => row[index] ?? null);
  const text = cells.find((cell) => cell !== null && toNumber(cell) === undefined);
  if (column === undefined || text !== undefined) {
    const numbers = result.columns
      .filter((_, at) =>
        result.rows.every((row) => (row[at] ?? null) === null || toNumber(row[at]) !== undefined),
      )
      .map((one) => `"${one.name}"`);
    throw refused(
      `${argument}: "${name}" has text such as "${oneLine(String(text), 40)}", and must have numbers. Columns of numbers: ${numbers.join(", ") || "none"}.`,
    );
  }
  return measureOf(result, column, index);
}

function indexOf(result: QueryResult, argument: string, wanted: string | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  const names = result.columns.map(({ name }) => name);
  const exact = names.indexOf(wanted);
  const found = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found >= 0) return found;
  const near = nearestNames(wanted, names);
  const nearest = near.length === 0 ? "" : ` Nearest: ${near.map((name) => `"${name}"`).join(", ")}.`;
  throw refused(`${argument}: "${result.id}" has no column "${wanted}".${nearest} ${columnsOf(result)}`);
}

/** EUR and percent cannot share an axis. */
function requireOneUnit(measures: readonly Measure[]): void {
  const units = new Map(measures.map((one) => [measureUnit(one) ?? "no unit", one.name]));
  if (units.size < 2) return;
  const listed = [...units].map(([unit, name]) => `"${name}" (${unit})`).join(" and ");
  throw refused(`y: ${listed} cannot share an axis, for their units differ. Make a chart of each.`);
}

const columnsOf = ({ columns }: QueryResult): string =>
  `Its columns: ${columns
    .slice(0, MAX_LISTED)
    .map(({ name }) => `"${name}"`)
    .join(", ")}.`;

const refused = (message: string): InputError => new InputError("input.invalid", message);
