import type { ChartSpec } from "@troupe/stream";

import { cleanLine } from "../text/clean.ts";
import { countLines, longestWord } from "../text/measure.ts";

/** Longer category labels are cut on the axis; the notes hold them whole. */
export const MAX_LABEL_CHARS = 28;
export const AXIS_PT = 14;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Labels as the data has them, for the workbook. */
export function fullLabels(chart: ChartSpec): readonly string[] {
  const { x } = chart;
  return chart.rows.map((row, i) =>
    x === undefined ? String(i + 1) : cleanLine(String(row[x.field] ?? "–")) || "–",
  );
}

/** Labels as the axis shows them: months, quarters and years for whole ones, the rest cut to length. */
export function shownLabels(chart: ChartSpec): readonly string[] {
  const labels = fullLabels(chart);
  const dates = labels.map((label) =>
    /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(label),
  );
  if (labels.length > 0 && dates.every((d) => d !== null)) {
    if (
      dates.every((d) => d[2] === "01" && d[3] === "01") &&
      new Set(dates.map((d) => d[1])).size === dates.length
    )
      return dates.map((d) => d[1] ?? "");
    if (dates.every((d) => d[3] === undefined || d[3] === "01"))
      return dates.map((d) => `${MONTHS[Number(d[2]) - 1] ?? d[2]} ${d[1]}`);
    return dates.map((d) => `${d[1]}-${d[2]}${d[3] === undefined ? "" : `-${d[3]}`}`);
  }
  const quarters = labels.map((label) => /^(\d{4})-(Q[1-4])$/.exec(label));
  // `Q1` above its year, where there is no room beside each other.
  if (quarters.every((q) => q !== null)) return quarters.map((q) => `${q[2] ?? ""} ${q[1] ?? ""}`);
  return labels.map((label) =>
    label.length > MAX_LABEL_CHARS ? `${label.slice(0, MAX_LABEL_CHARS - 1).trimEnd()}…` : label,
  );
}

/**
 * `Q1`, `Q2`, ... and `Jan`, `Feb`, ... with their year below the first of each, for labels that stand side
 * by side. Others, and those that are no more than one a year, are as they were.
 */
export function yearsBelow(labels: readonly string[]): readonly string[] {
  const parts = labels.map((label) => /^([A-Z]\w{1,2}) (\d{4})$/.exec(label));
  if (!parts.every((part) => part !== null)) return labels;
  const years = parts.map(([, , year]) => year);
  if (new Set(years).size === years.length) return labels;
  return parts.map(([, name = "", year = ""], i) => (year === years[i - 1] ? name : `${name}\n${year}`));
}

export interface LabelFit {
  /** Degrees, negative turns left; `auto` lets the program thin labels out rather than wrap them. */
  readonly rotate: 0 | -45 | "auto";
  /** Show every n-th label. */
  readonly every: number;
}

/** Whether labels stand level below a horizontal axis of `widthIn` inches, turned, or thinned out. */
export function fitAcross(labels: readonly string[], widthIn: number, ordered: boolean): LabelFit {
  const slot = (widthIn * 0.92 * 72) / Math.max(1, labels.length);
  const level = (every: number, lines: number): boolean =>
    labels.every((text, i) => {
      if (i % every !== 0) return true;
      const runs = [{ text: text.replace("\n", " ") }];
      const room = slot * every - 4;
      return longestWord(runs, AXIS_PT) <= room && countLines(runs, AXIS_PT, room) <= lines;
    });
  if (level(1, 2)) return { rotate: 0, every: 1 };
  // Dates and numbers read in order, so a reader fills the gaps; names do not.
  if (ordered) {
    for (let every = 2; every <= labels.length; every++)
      if (level(every, 1)) return { rotate: "auto", every };
  }
  return { rotate: -45, every: Math.max(1, Math.ceil(20 / slot)) };
}

/** The same for a vertical axis of `heightIn` inches. */
export function fitDown(count: number, heightIn: number): LabelFit {
  const every = Math.max(1, Math.ceil((count * AXIS_PT * 1.3) / (heightIn * 0.9 * 72)));
  return { rotate: every === 1 ? 0 : "auto", every };
}
