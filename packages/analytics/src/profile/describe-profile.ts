import { formatNumber, formatShare } from "../names/format-number.ts";
import { unitOf } from "../names/labels.ts";
import { oneLine } from "../names/one-line.ts";
import type { Cell } from "../types/result.ts";
import type { ColumnProfile, Profile } from "./profile.ts";

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
