import { formatBrief, formatNumber, formatShare } from "../names/format-number.ts";
import { humanLabel, isAdditive, isShareName, lowerFirst, unitField, unitOf } from "../names/labels.ts";
import { saidLabel } from "../names/one-line.ts";
import { groupRows, inTimeOrder, sumRows, tidy, type Group } from "../shape/group.ts";
import type { Dimension, Measure, Shape } from "../shape/shape.ts";
import type { Figure, Finding } from "./profile.ts";

interface Point {
  readonly label: string;
  readonly value: number;
}

/**
 * First to last, the highest and lowest point, the largest step, and who moved most. Over whole years
 * the last year against the one before stands for the step, which is mostly a season's. Nothing is said of
 * the periods that begin on a day of `partial`: what they lack looks like a collapse.
 */
export function findTrends(
  time: Dimension,
  measure: Measure,
  shape: Shape,
  partial: readonly string[],
): readonly Finding[] {
  const split = shape.categories.find((one) => new Set(one.labels).size > 1);
  if (split !== undefined && !isAdditive(measure.name)) return [];
  const times = inTimeOrder(groupRows(time)).filter(({ key }) => !partial.includes(String(key)));
  const points = series(times, measure);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return [];
  const say = speaker(measure);
  const name = humanLabel(measure.name);
  // A spring against a winter says little: whole years are compared where there are two.
  const years = isAdditive(measure.name) ? wholeYears(points) : [];
  const [from, to] = years.length > 1 ? [years[0] ?? first, years.at(-1) ?? last] : [first, last];
  const said = trendText(name, from, to, measure, say);
  const findings: Finding[] = [
    trend(years.length > 1 ? said.replace(/\.$/, " a year.") : said, name, from, to, measure),
  ];
  const [before, latest] = years.slice(-2);
  if (before !== undefined && latest !== undefined && years.length > 2)
    findings.push(lastYear(name, before, latest, measure, say));
  if (points.length > 2) findings.push(peak(name, points, measure, say));
  if (points.length > 2 && years.length < 2) findings.push(...step(name, points, measure, say));
  if (split !== undefined) findings.push(...movers(times, split, measure, say));
  return findings;
}

function trend(text: string, name: string, from: Point, to: Point, measure: Measure): Finding {
  const by = changeOf(measure, from.value, to.value);
  return {
    kind: "trend",
    text,
    values: {
      first: from.value,
      firstAt: from.label,
      last: to.value,
      lastAt: to.label,
      // Of shares the change in percent would be taken for the one in points.
      change: by?.unit === "%" || by === undefined ? ratio(from.value, to.value) : null,
    },
    figures: [figureAt(name, from, measure), figureAt(name, to, measure), ...changed(name, by)],
  };
}

const figureAt = (name: string, { label, value }: Point, measure: Measure): Figure => ({
  label: `${name} in ${saidTime(label)}`,
  value,
  ...unitField(measure.name),
});

function changed(name: string, by: Change | undefined): readonly Figure[] {
  if (by === undefined || by.size === 0) return [];
  return [
    { label: `change of ${name}`, value: by.size, ...(by.unit === undefined ? {} : { unit: by.unit }) },
  ];
}

/** The change comes first, so that the sentence cut at its comma still says it. */
function trendText(
  name: string,
  first: Point,
  last: Point,
  measure: Measure,
  say: (value: number) => string,
): string {
  const by = changeOf(measure, first.value, last.value);
  const span = `from ${saidTime(first.label)} to ${saidTime(last.label)}`;
  if (by?.size === 0) return `${name} did not change ${span}, ${say(last.value)}.`;
  if (by?.unit !== "%")
    return `${name} went from ${say(first.value)} in ${saidTime(first.label)} to ${say(last.value)} in ${saidTime(last.label)}${change(by)}.`;
  return `${name} ${by.up ? "rose" : "fell"} ${by.text} ${span}, from ${say(first.value)} to ${say(last.value)}.`;
}

function series(times: readonly Group[], measure: Measure): readonly Point[] {
  return times.flatMap((group) => {
    const value = sumRows(measure.values, group.rows);
    return value === null ? [] : [{ label: group.label, value }];
  });
}

/** Years of which every quarter or month is there, added up. */
function wholeYears(points: readonly Point[]): readonly Point[] {
  const years = new Map<string, number[]>();
  for (const { label, value } of points) {
    const parts = /^(\d{4})-(Q[1-4]|\d{2})$/.exec(label);
    if (parts === null) return [];
    const year = parts[1] ?? "";
    years.set(year, [...(years.get(year) ?? []), value]);
  }
  const full = points[0]?.label.includes("Q") === true ? 4 : 12;
  return [...years]
    .filter(([, values]) => values.length === full)
    .map(([label, values]) => ({ label, value: tidy(values.reduce((sum, value) => sum + value, 0)) }));
}

function lastYear(
  name: string,
  before: Point,
  latest: Point,
  measure: Measure,
  say: (value: number) => string,
): Finding {
  const by = changeOf(measure, before.value, latest.value);
  const way = by === undefined || by.size === 0 ? "against" : `${by.up ? "up" : "down"} ${by.text} on`;
  const text = `${name} in ${latest.label} was ${say(latest.value)}, ${way} ${say(before.value)} in ${before.label}.`;
  return trend(text, name, before, latest, measure);
}

function peak(
  name: string,
  points: readonly Point[],
  measure: Measure,
  say: (value: number) => string,
): Finding {
  const high = points.reduce((best, point) => (point.value > best.value ? point : best));
  const low = points.reduce((best, point) => (point.value < best.value ? point : best));
  return {
    kind: "peak",
    text: `${name} was highest in ${saidTime(high.label)} (${say(high.value)}) and lowest in ${saidTime(low.label)} (${say(low.value)}).`,
    values: { high: high.value, highAt: high.label, low: low.value, lowAt: low.label },
    figures: [figureAt(name, high, measure), figureAt(name, low, measure)],
  };
}

function step(
  name: string,
  points: readonly Point[],
  measure: Measure,
  say: (value: number) => string,
): readonly Finding[] {
  let largest: { before: Point; after: Point; by: number } | undefined;
  for (const [i, after] of points.entries()) {
    const before = points[i - 1];
    if (before === undefined) continue;
    const by = tidy(after.value - before.value);
    if (largest === undefined || Math.abs(by) > Math.abs(largest.by)) largest = { before, after, by };
  }
  if (largest === undefined || largest.by === 0) return [];
  const { before, after, by } = largest;
  const size = Math.abs(by);
  const unit = changeUnit(measure);
  const told = unit === "points" ? `${formatNumber(size)} points` : say(size);
  return [
    {
      kind: "step",
      text: `The largest step of ${lowerFirst(name)} was ${by > 0 ? "up" : "down"} ${told}, from ${saidTime(before.label)} to ${saidTime(after.label)}.`,
      values: { from: before.label, to: after.label, by },
      figures: [
        {
          label: `step of ${name} from ${saidTime(before.label)} to ${saidTime(after.label)}`,
          value: size,
          ...(unit === "points" ? { unit } : unitField(measure.name)),
        },
      ],
    },
  ];
}

/** Who gained and who lost most between the first and the last point in time. */
function movers(
  times: readonly Group[],
  split: Dimension,
  measure: Measure,
  say: (value: number) => string,
): readonly Finding[] {
  const first = new Set(times[0]?.rows);
  const last = new Set(times.at(-1)?.rows);
  const moves = groupRows(split)
    .map((group) => {
      const at = (rows: ReadonlySet<number>): number =>
        sumRows(
          measure.values,
          group.rows.filter((row) => rows.has(row)),
        ) ?? 0;
      return { label: group.label, before: at(first), after: at(last), by: tidy(at(last) - at(first)) };
    })
    .sort((a, b) => b.by - a.by || (a.label < b.label ? -1 : 1));
  const ends = [moves[0], moves.at(-1)].filter((move) => move !== undefined);
  return ends
    .filter((move, i) => (i === 0 ? move.by > 0 : move.by < 0))
    .map((move) => {
      const by = changeOf(measure, move.before, move.after);
      const name = `${humanLabel(measure.name)} of ${move.label}`;
      return {
        kind: "mover",
        text: `${saidLabel(move.label)} ${move.by > 0 ? "gained" : "lost"} most: from ${say(move.before)} to ${say(move.after)}${change(by)}.`,
        values: { who: move.label, before: move.before, after: move.after, by: move.by },
        figures: [
          { label: `${name}, before`, value: move.before, ...unitField(measure.name) },
          { label: `${name}, after`, value: move.after, ...unitField(measure.name) },
          ...changed(name, by),
        ],
      };
    });
}

/** `2025-Q1` as a person says it. */
const saidTime = (label: string): string => label.replace(/^(\d{4})-(Q[1-4])$/, "$2 $1");

function speaker(measure: Measure): (value: number) => string {
  const unit = unitOf(measure.name);
  return (value) => formatBrief(value, unit);
}

/** The change between two figures above zero: any other pair has none that a percentage tells. */
function ratio(first: number, last: number): number | null {
  return first > 0 && last > 0 ? tidy((last - first) / first) : null;
}

/** A change without its sign, in the unit it is told in. */
interface Change {
  readonly up: boolean;
  readonly size: number;
  /** `%`, `points`; absent for the plain difference of two values without a unit. */
  readonly unit?: "%" | "points";
  readonly text: string;
}

/**
 * How a change of a measure is told. From 22.7 % to 27.2 % it is 4.5 points: as a percentage, it would be
 * read as the one or the other. Values of up to 1 without a unit may be fractions or percent, so only their
 * difference is told.
 */
function changeUnit({ name, values }: Measure): Change["unit"] {
  const unit = unitOf(name);
  if (unit === "%") return "points";
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  if (unit !== undefined || !isShareName(name) || largest > 100) return "%";
  return largest > 1 ? "points" : undefined;
}

/** Undefined where there is none that a percentage tells. */
function changeOf(measure: Measure, first: number, last: number): Change | undefined {
  const unit = changeUnit(measure);
  const up = last > first;
  if (unit === "%") {
    const by = ratio(first, last);
    if (by === null) return undefined;
    return { up, size: tidy(Math.abs(by) * 100), unit, text: formatShare(Math.abs(by)) };
  }
  const size = tidy(Math.abs(last - first));
  return unit === undefined
    ? { up, size, text: formatNumber(size) }
    : { up, size, unit, text: `${formatNumber(size)} ${unit}` };
}

function change(by: Change | undefined): string {
  if (by === undefined) return "";
  return by.size === 0 ? ", unchanged" : `, ${by.up ? "up" : "down"} ${by.text}`;
}
