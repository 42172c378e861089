import { formatBrief, formatNumber, formatShare } from "../names/format-number.ts";
import { humanLabel, isAdditive, lowerFirst, unitOf } from "../names/labels.ts";
import { saidLabel } from "../names/one-line.ts";
import { groupRows, inTimeOrder, sumRows, tidy, type Group } from "../shape/group.ts";
import type { Dimension, Measure, Shape } from "../shape/shape.ts";
import type { Finding } from "./profile.ts";

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
    {
      kind: "trend",
      text: years.length > 1 ? said.replace(/\.$/, " a year.") : said,
      values: {
        first: from.value,
        firstAt: from.label,
        last: to.value,
        lastAt: to.label,
        change: ratio(from.value, to.value),
      },
    },
  ];
  const [before, latest] = years.slice(-2);
  if (before !== undefined && latest !== undefined && years.length > 2)
    findings.push(lastYear(name, before, latest, say));
  if (points.length > 2) findings.push(peak(name, points, say));
  if (points.length > 2 && years.length < 2) findings.push(...step(name, points, say));
  if (split !== undefined) findings.push(...movers(times, split, measure, say));
  return findings;
}

/** The change comes first, so that the sentence cut at its comma still says it. */
function trendText(
  name: string,
  first: Point,
  last: Point,
  measure: Measure,
  say: (value: number) => string,
): string {
  const by = unitOf(measure.name) === "%" ? null : ratio(first.value, last.value);
  const span = `from ${saidTime(first.label)} to ${saidTime(last.label)}`;
  if (by === null)
    return `${name} went from ${say(first.value)} in ${saidTime(first.label)} to ${say(last.value)} in ${saidTime(last.label)}${change(first.value, last.value, measure)}.`;
  if (by === 0) return `${name} did not change ${span}, ${say(last.value)}.`;
  return `${name} ${by > 0 ? "rose" : "fell"} ${formatShare(Math.abs(by))} ${span}, from ${say(first.value)} to ${say(last.value)}.`;
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

function lastYear(name: string, before: Point, latest: Point, say: (value: number) => string): Finding {
  const by = ratio(before.value, latest.value);
  const way = by === null || by === 0 ? "" : `${by > 0 ? "up" : "down"} ${formatShare(Math.abs(by))} `;
  return {
    kind: "trend",
    text: `${name} in ${latest.label} was ${say(latest.value)}, ${way === "" ? "against" : `${way}on`} ${say(before.value)} in ${before.label}.`,
    values: {
      first: before.value,
      firstAt: before.label,
      last: latest.value,
      lastAt: latest.label,
      change: by,
    },
  };
}

function peak(name: string, points: readonly Point[], say: (value: number) => string): Finding {
  const high = points.reduce((best, point) => (point.value > best.value ? point : best));
  const low = points.reduce((best, point) => (point.value < best.value ? point : best));
  return {
    kind: "peak",
    text: `${name} was highest in ${saidTime(high.label)} (${say(high.value)}) and lowest in ${saidTime(low.label)} (${say(low.value)}).`,
    values: { high: high.value, highAt: high.label, low: low.value, lowAt: low.label },
  };
}

function step(name: string, points: readonly Point[], say: (value: number) => string): readonly Finding[] {
  let largest: { before: Point; after: Point; by: number } | undefined;
  for (const [i, after] of points.entries()) {
    const before = points[i - 1];
    if (before === undefined) continue;
    const by = tidy(after.value - before.value);
    if (largest === undefined || Math.abs(by) > Math.abs(largest.by)) largest = { before, after, by };
  }
  if (largest === undefined || largest.by === 0) return [];
  const { before, after, by } = largest;
  return [
    {
      kind: "step",
      text: `The largest step of ${lowerFirst(name)} was ${by > 0 ? "up" : "down"} ${say(Math.abs(by))}, from ${saidTime(before.label)} to ${saidTime(after.label)}.`,
      values: { from: before.label, to: after.label, by },
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
    .map((move) => ({
      kind: "mover",
      text: `${saidLabel(move.label)} ${move.by > 0 ? "gained" : "lost"} most: from ${say(move.before)} to ${say(move.after)}${change(move.before, move.after, measure)}.`,
      values: { who: move.label, before: move.before, after: move.after, by: move.by },
    }));
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

/** In percent where that says something; of a percentage it misleads. */
function change(first: number, last: number, measure: Measure): string {
  if (unitOf(measure.name) === "%") {
    const points = tidy(last - first);
    return points === 0 ? "" : `, ${points > 0 ? "up" : "down"} ${formatNumber(Math.abs(points))} points`;
  }
  const by = ratio(first, last);
  if (by === null) return "";
  return by === 0 ? ", unchanged" : `, ${by > 0 ? "up" : "down"} ${formatShare(Math.abs(by))}`;
}
