import type { ResultTable } from "@troupe/stream";

import { formatNumber, formatShare } from "../names/format-number.ts";
import { unitOf } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import { tidy } from "../shape/group.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnProfile, Figure, Profile } from "./profile.ts";

/** A column may have a name of any length. */
const MAX_LABEL = 200;
const MAX_TABLE_ROWS = 500;

/** A profile in words: findings first, then one line a column. Values of cells stand in quotes. */
export function describeProfile(profile: Profile): string {
  const rows = formatNumber(profile.rows);
  const sample =
    profile.sampled === null
      ? ""
      : ` The figures of the columns are from a sample of ${formatNumber(profile.sampled)}.`;
  const head = `${profile.of}: ${rows} ${profile.rows === 1 ? "row" : "rows"}.${sample}`;
  const findings = profile.findings.map((finding) => `- ${finding.text}`);
  const columns = profile.columns.map(
    (column) => `- ${describeColumn(column, profile.sampled ?? profile.rows)}`,
  );
  return [head, ...(findings.length === 0 ? [] : ["Findings:", ...findings]), "Columns:", ...columns].join(
    "\n",
  );
}

function describeColumn(column: ColumnProfile, rows: number): string {
  const parts: string[] = [];
  const unit = unitOf(column.name);
  const say = (value: Cell): string =>
    typeof value === "number" ? formatNumber(value, unit) : oneLine(String(value));
  if (column.min !== null) parts.push(`${say(column.min)} to ${say(column.max)}`);
  if (column.mean !== null) parts.push(`mean ${say(column.mean)}`);
  if (column.quartiles !== null) parts.push(`quartiles ${column.quartiles.map(say).join(", ")}`);
  if (column.min === null) parts.push(`${formatNumber(column.distinct)} different`);
  if (column.distinct > 1 && (column.top[0]?.count ?? 0) > 1) {
    const top = column.top.map(
      ({ value, count }) =>
        `${JSON.stringify(typeof value === "string" ? oneLine(value) : value)} ${formatShare(count / Math.max(1, rows))}`,
    );
    parts.push(`most frequent ${top.join(", ")}`);
  }
  if (column.nulls > 0) parts.push(`${formatNumber(column.nulls)} empty`);
  return `${oneLine(column.name)} (${column.role}): ${parts.join("; ")}`;
}

/**
 * The numbers of `describeProfile` before they were rounded: those of the findings with their units, and those of
 * the columns. What an answer takes from its words can be checked against them.
 */
export function profileTables(profile: Profile): readonly ResultTable[] {
  const { of, rows, sampled, findings, columns } = profile;
  const figures: readonly Figure[] = [
    { label: "rows", value: rows },
    ...(sampled === null ? [] : [{ label: "rows of the sample", value: sampled }]),
    ...findings.flatMap((finding) => finding.figures),
    ...columns.flatMap(({ name, top }) =>
      top.map(({ value, count }) => ({
        label: `${name} ${String(value)}`,
        value: tidy((count / Math.max(1, sampled ?? rows)) * 100),
        unit: "%",
      })),
    ),
  ];
  // A column for each unit, as the unit of a cell is read from the name of its column.
  const units = [...new Set(figures.map(({ unit }) => unit))];
  const figureRows = figures.map(({ label, value, unit }) => [
    oneLine(label, MAX_LABEL),
    ...units.map((one) => (one === unit ? value : null)),
  ]);
  const statistics: ResultTable["rows"] = columns.map(
    ({ name, min, max, mean, quartiles, distinct, nulls }) => [
      oneLine(name, MAX_LABEL),
      min,
      max,
      mean,
      ...(quartiles ?? [null, null, null]),
      distinct,
      nulls,
    ],
  );
  const statisticsOf = ["column", "minimum", "maximum", "mean", "lower quartile", "median", "upper quartile"];
  return [
    bounded({
      id: `figures-${of}`,
      title: `Figures of ${of}`,
      columns: ["figure", ...units.map((unit) => (unit === undefined ? "value" : `value (${unit})`))],
      rows: figureRows,
    }),
    bounded({
      id: `columns-${of}`,
      title: `Columns of ${of}`,
      columns: [...statisticsOf, "different values", "empty"],
      rows: statistics,
    }),
  ];
}

const bounded = (table: ResultTable): ResultTable =>
  table.rows.length <= MAX_TABLE_ROWS
    ? table
    : { ...table, rows: table.rows.slice(0, MAX_TABLE_ROWS), total: table.rows.length };
