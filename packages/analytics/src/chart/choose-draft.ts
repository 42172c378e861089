import { InputError } from "@troupe/core";
import type { ChartKind, ChartRow } from "@troupe/stream";

import { humanLabel, isAdditive, lowerFirst } from "../names/labels.ts";
import { periodKeys } from "../names/periods.ts";
import { groupRows, hasSeveralLabels, inTimeOrder } from "../shape/group.ts";
import type { Dimension, Measure, Shape } from "../shape/shape.ts";
import type { ChartDraft } from "./chart-draft.ts";
import { drawHistogram } from "./draw-histogram.ts";
import {
  byValue,
  fieldOfDimension,
  fieldOfMeasure,
  onOneAxis,
  pointsOf,
  titleOf,
  topAndOther,
} from "./draw-points.ts";
import { drawSplit } from "./draw-split.ts";

const MAX_MEASURES = 4;
/** Up to here time is drawn as columns, above as a line. */
export const COLUMN_POINTS = 6;
export const MAX_BARS = 30;
export const TOP = 20;
export const MAX_POINTS = 500;
const MAX_PARTS = 6;
const MAX_YEARS = 4;
/** What to draw and how, by fixed rules over the shape. Throws an `InputError` when there is nothing. */
export function chooseDraft(shape: Shape, wish: ChartKind | undefined): ChartDraft {
  const counted = withTextPeriods(withCount(shape), wish);
  const { time, categories, measures } = counted;
  const [measure] = measures;
  if (measure === undefined || measure.values.every((value) => value === null)) {
    throw new InputError(
      "input.invalid",
      "There is no number to draw in this result. Select a measure, such as sum(...) or count(*), with the column to show it by.",
    );
  }
  if (wish === "scatter" && measures.length > 1) return scatter(measures);
  if (wish === "number" || (counted.rows === 1 && wish === undefined)) return bigNumber(counted);
  const category = categories.find(hasSeveralLabels) ?? categories[0];
  if (time !== undefined) {
    const repeats = groupRows(time).length < counted.rows;
    const split =
      categories.find(hasSeveralLabels) ?? (repeats ? counted.otherTimes.find(hasSeveralLabels) : undefined);
    if (split === undefined) return overTime(time, measures, wish);
    return areYearsBeside(time, split)
      ? yearsBeside(time, split, measure, wish)
      : splitTime(time, split, measure, wish);
  }
  if (category === undefined) {
    if (counted.rows === 1) return bigNumber(counted);
    return measures.length > 1 ? scatter(measures) : drawHistogram(measure);
  }
  const second = categories.find((one) => one !== category && new Set(one.labels).size > 1);
  const repeats = groupRows(category).length < counted.rows;
  if (second !== undefined && repeats) return twoCategories(category, second, measure, wish);
  return byCategory(category, counted, wish);
}

const namesOf = (measures: readonly Measure[]): readonly string[] => measures.map(({ name }) => name);

/** Rows of categories without a number are counted. */
function withCount(shape: Shape): Shape {
  if (shape.measures.length > 0 || (shape.time === undefined && shape.categories.length === 0)) return shape;
  return { ...shape, measures: [{ name: "rows", values: Array.from({ length: shape.rows }, () => 1) }] };
}

/** Years, quarters and months that are text have an order in time too; without a date, the first of them is the time. */
function withTextPeriods(shape: Shape, wish: ChartKind | undefined): Shape {
  const categories = shape.categories.map((category): Dimension => {
    const keys = new Set(category.labels).size > 1 ? periodKeys(category.labels) : undefined;
    return keys === undefined ? category : { ...category, kind: "date", keys };
  });
  const first = categories.find(({ kind }) => kind === "date");
  if (shape.time !== undefined || first === undefined || wish === "pie") return { ...shape, categories };
  return { ...shape, time: first, categories: categories.filter((category) => category !== first) };
}

export function bigNumber(shape: Pick<Shape, "rows" | "measures">): ChartDraft {
  const [measure] = shape.measures;
  if (shape.rows !== 1 || measure === undefined) {
    throw new InputError(
      "input.invalid",
      `One big number needs a result of one row; this one has ${shape.rows}. Aggregate in SQL first.`,
    );
  }
  return {
    title: titleOf(shape.measures),
    kind: "number",
    by: [],
    measures: namesOf(shape.measures),
    series: shape.measures.map((one, i) => fieldOfMeasure(one, i)),
    rows: [Object.fromEntries(shape.measures.map((one, i) => [`y${i + 1}`, one.values[0] ?? null]))],
    reason: "one row without a dimension: a big number",
  };
}

function overTime(time: Dimension, all: readonly Measure[], wish: ChartKind | undefined): ChartDraft {
  const measures = onOneAxis(all, MAX_MEASURES);
  const points = pointsOf(inTimeOrder(groupRows(time)), measures);
  const rows = points.slice(-MAX_POINTS);
  const fits = wish === "line" || wish === "area" || wish === "column" || wish === "bar";
  const kind = fits ? wish : points.length <= COLUMN_POINTS ? "column" : "line";
  return {
    title: titleOf(measures, time),
    kind,
    by: [time],
    measures: namesOf(measures),
    x: fieldOfDimension(time),
    series: measures.map((one, i) => fieldOfMeasure(one, i)),
    rows,
    reduced: rows.length < points.length,
    reason: `${humanLabel(time.name).toLowerCase()} with ${points.length} points: a ${kind}`,
  };
}

function splitTime(
  time: Dimension,
  split: Dimension,
  measure: Measure,
  wish: ChartKind | undefined,
): ChartDraft {
  const points = groupRows(time).length;
  const additive = isAdditive(measure.name);
  const fits = wish === "line" || wish === "area" || wish === "column" || wish === "bar";
  const kind = fits ? wish : points <= COLUMN_POINTS ? "column" : "line";
  const draft = drawSplit(time, split, measure, kind, additive);
  return {
    ...draft,
    rows: draft.rows.slice(-MAX_POINTS),
    reduced: draft.reduced === true || points > MAX_POINTS,
  };
}

/** Few years after a column that is asked for first: they are compared, not a course of time. */
function areYearsBeside(time: Dimension, split: Dimension): boolean {
  const years = new Set(time.labels);
  return (
    split.column < time.column &&
    years.size > 1 &&
    years.size <= MAX_YEARS &&
    [...years].every((label) => /^\d{4}$/.test(label))
  );
}

/** A colour for each year, side by side; parts of a year in their order. */
function yearsBeside(
  time: Dimension,
  split: Dimension,
  measure: Measure,
  wish: ChartKind | undefined,
): ChartDraft {
  const fits = wish === "line" || wish === "column" || wish === "bar";
  const few = split.kind === "date" || groupRows(split).length <= COLUMN_POINTS;
  const kind = fits ? wish : few ? "column" : "bar";
  const draft = drawSplit(split, time, measure, kind, false);
  return {
    ...draft,
    x: { ...fieldOfDimension(split), type: "category" },
    reason: `${new Set(time.labels).size} years beside one another by ${split.name}`,
  };
}

/** The dimension with more values is the axis, the other gives the colours. */
function twoCategories(
  a: Dimension,
  b: Dimension,
  measure: Measure,
  wish: ChartKind | undefined,
): ChartDraft {
  const [axis, split] = groupRows(a).length >= groupRows(b).length ? [a, b] : [b, a];
  const kind =
    wish === "column" || wish === "bar" ? wish : groupRows(axis).length <= COLUMN_POINTS ? "column" : "bar";
  return drawSplit(axis, split, measure, kind, isAdditive(measure.name));
}

function byCategory(category: Dimension, shape: Shape, wish: ChartKind | undefined): ChartDraft {
  const measures = onOneAxis(shape.measures, MAX_MEASURES);
  const falling = byValue(pointsOf(groupRows(category), measures));
  const points = shape.rising ? falling.toReversed() : falling;
  if (wish === "pie") {
    const pie = shape.whole ? asPie(category, points, measures) : undefined;
    if (pie !== undefined) return pie;
  }
  const rows =
    points.length <= MAX_BARS
      ? points
      : shape.whole
        ? topAndOther(points, TOP, measures)
        : points.slice(0, TOP);
  const kind = wish === "column" ? "column" : "bar";
  return {
    title: titleOf(measures, category),
    kind,
    by: [category],
    measures: namesOf(measures),
    x: fieldOfDimension(category),
    series: measures.map((one, i) => fieldOfMeasure(one, i)),
    rows,
    reduced: points.length > MAX_BARS,
    reason:
      points.length <= MAX_BARS
        ? `${points.length} values of ${category.name}: bars by size`
        : `${points.length} values of ${category.name}: the ${TOP} largest`,
  };
}

/** Parts of one whole that is all there: all positive, additive, at most six. Undefined when a pie would mislead. */
export function asPie(
  category: Dimension,
  points: readonly ChartRow[],
  measures: readonly Measure[],
): ChartDraft | undefined {
  const [measure] = measures;
  if (measure === undefined || !isAdditive(measure.name)) return undefined;
  const rows = points.length <= MAX_PARTS ? points : topAndOther(points, MAX_PARTS - 1, [measure]);
  if (rows.some((row) => Number(row["y1"] ?? 0) <= 0)) return undefined;
  return {
    title: titleOf([measure], category),
    kind: "pie",
    by: [category],
    measures: [measure.name],
    x: fieldOfDimension(category),
    series: [fieldOfMeasure(measure, 0)],
    rows: rows.map((row) => ({ x: row["x"] ?? null, y1: row["y1"] ?? null })),
    reduced: points.length > MAX_PARTS,
    reason: `asked for: ${rows.length} positive parts of a whole`,
  };
}

export function scatter(measures: readonly Measure[]): ChartDraft {
  const [x, y] = measures;
  const pairs = (x?.values ?? []).flatMap((one, row): ChartRow[] => {
    const other = y?.values[row] ?? null;
    return one === null || other === null ? [] : [{ x: one, y1: other }];
  });
  // Every k-th row: an even sample without chance, so the same result gives the same picture.
  const step = Math.max(1, Math.ceil(pairs.length / MAX_POINTS));
  return {
    title: `${titleOf([y ?? { name: "y" }])} against ${lowerFirst(humanLabel(x?.name ?? "x"))}`,
    kind: "scatter",
    by: [],
    measures: namesOf(measures.slice(0, 2)),
    x: { ...fieldOfMeasure(x ?? { name: "x", values: [] }, 0), field: "x" },
    series: [fieldOfMeasure(y ?? { name: "y", values: [] }, 0)],
    rows: pairs.filter((_, i) => i % step === 0),
    reduced: step > 1,
    reason: `two measures without a dimension: ${String(x?.name)} against ${String(y?.name)}`,
  };
}
