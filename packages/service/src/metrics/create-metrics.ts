import type { Metrics } from "@troupe/core";

/** Counts in memory, and tells them. */
export interface ProcessMetrics extends Metrics {
  /** All counts so far in the Prometheus text format, one family after the other, sorted. */
  text(): string;
}

/** Series of one name; what is beyond counts as `overflow`, so that no input can fill the memory. */
const MAX_SERIES = 200;
const MAX_VALUE_LENGTH = 120;
const NAME = /^[a-z][a-z0-9_]*$/;

/** The counts of this process. A name or a label that Prometheus would not take throws a `TypeError`. */
export function createMetrics(): ProcessMetrics {
  const families = new Map<string, Map<string, number>>();
  return {
    count(name, by = 1, attributes = {}) {
      for (const key of [name, ...Object.keys(attributes)])
        if (!NAME.test(key)) throw new TypeError(`"${key}" is no name of a metric or a label`);
      if (!(by >= 0 && Number.isFinite(by))) throw new TypeError(`${name} cannot grow by ${by}`);
      const series = families.get(name) ?? new Map<string, number>();
      families.set(name, series);
      const wanted = labels(attributes);
      const key = series.has(wanted) || series.size < MAX_SERIES ? wanted : '{overflow="true"}';
      series.set(key, (series.get(key) ?? 0) + by);
    },
    text() {
      const sorted = [...families].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return sorted
        .map(([name, series]) => {
          const lines = [...series].map(([key, value]) => `${name}${key} ${value}\n`);
          return `# TYPE ${name} counter\n${lines.toSorted().join("")}`;
        })
        .join("");
    },
  };
}

function labels(attributes: { readonly [key: string]: string }): string {
  const pairs = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return "";
  return `{${pairs.map(([key, value]) => `${key}="${escaped(value)}"`).join(",")}}`;
}

/** As the text format wants it; a lone half of a character would spoil the whole page for a strict reader. */
function escaped(value: string): string {
  const clipped = value.slice(0, MAX_VALUE_LENGTH).toWellFormed();
  return clipped.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
