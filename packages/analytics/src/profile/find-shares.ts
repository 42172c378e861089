import { formatBrief, formatShare } from "../names/format-number.ts";
import { humanLabel, isAdditive, lowerFirst, unitField, unitOf } from "../names/labels.ts";
import { saidLabel } from "../names/one-line.ts";
import { groupRows, sumRows, tidy } from "../shape/group.ts";
import { unitsIn } from "../names/unit-column.ts";
import type { Dimension, Measure, Shape } from "../shape/shape.ts";
import type { Figure, Finding } from "./profile.ts";

/** Units that are told one by one. */
const MAX_UNITS = 6;

/** Who leads, who is last, and what part of the whole the largest three are; the lowest first where that was asked. */
export function findShares(
  category: Dimension,
  measure: Measure,
  { whole: all, rising }: Pick<Shape, "whole" | "rising">,
): readonly Finding[] {
  const additive = isAdditive(measure.name);
  const groups = groupRows(category);
  const counts = /^(number of|distinct) /i.test(humanLabel(measure.name));
  if (!counts && unitsIn(category.name, category.labels) !== undefined) return [inEach(groups, measure)];
  if (groups.length < 2 || (!additive && groups.some((group) => group.rows.length > 1))) return [];
  const parts = groups
    .flatMap((group) => {
      const value = sumRows(measure.values, group.rows);
      return value === null ? [] : [{ label: group.label, value }];
    })
    .sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined || parts.length < 2) return [];
  const total = tidy(parts.reduce((sum, part) => sum + part.value, 0));
  const whole = all && additive && total > 0 && parts.every((part) => part.value >= 0);
  const unit = unitOf(measure.name);
  const say = (value: number): string => formatBrief(value, unit);
  const name = lowerFirst(humanLabel(measure.name));
  const figure = (label: string, value: number): Figure => ({
    label: `${name} of ${label}`,
    value,
    ...unitField(measure.name),
  });
  const share = (label: string, part: number): Figure => ({
    label: `share of ${name} of ${label}`,
    value: tidy((part / total) * 100),
    unit: "%",
  });
  if (rising) return [lowest(parts.toReversed(), name, say, all, figure)];
  const shown = all ? last : (parts[1] ?? last);
  const leader = saidLabel(first.label);
  const lead = whole
    ? `leads with ${formatShare(first.value / total)} of ${name}, ${say(first.value)} of ${say(total)}`
    : `has the highest ${name}, ${say(first.value)}`;
  const findings: Finding[] = [
    {
      kind: "leader",
      text: all
        ? `${leader} ${lead}; ${saidLabel(last.label)} is last with ${say(last.value)}.`
        : `${leader} leads by ${name} with ${say(first.value)}, ahead of ${saidLabel(parts[1]?.label ?? "")} with ${say(parts[1]?.value ?? 0)}.`,
      values: {
        who: first.label,
        value: first.value,
        share: whole ? tidy(first.value / total) : null,
        lowest: all ? last.label : null,
        lowestValue: all ? last.value : null,
      },
      figures: [
        figure(first.label, first.value),
        figure(shown.label, shown.value),
        ...(whole ? [share(first.label, first.value), figure("all", total)] : []),
      ],
    },
  ];
  if (whole && parts.length > 4) {
    const top = tidy(parts.slice(0, 3).reduce((sum, part) => sum + part.value, 0));
    const names = parts.slice(0, 3).map((part) => saidLabel(part.label));
    findings.push({
      kind: "share",
      text: `${names.slice(0, 2).join(", ")} and ${names[2] ?? ""} together make ${formatShare(top / total)} of ${name}.`,
      values: { count: parts.length, top, total, share: tidy(top / total) },
      figures: [share(names.join(", "), top), figure(names.join(", "), top), figure("all", total)],
    });
  }
  return findings;
}

interface Part {
  readonly label: string;
  readonly value: number;
}

function lowest(
  [first, second, ...others]: readonly Part[],
  name: string,
  say: (value: number) => string,
  all: boolean,
  figure: (label: string, value: number) => Figure,
): Finding {
  const told = (part: Part | undefined): string => say(part?.value ?? 0);
  const other = all ? (others.at(-1) ?? second) : second;
  const rest = all ? "has the highest," : "follows with";
  return {
    kind: "leader",
    text: `${saidLabel(first?.label ?? "")} has the lowest ${name}, ${told(first)}; ${saidLabel(other?.label ?? "")} ${rest} ${told(other)}.`,
    values: { who: first?.label ?? null, value: first?.value ?? null },
    figures: [first, other].flatMap((part) => (part === undefined ? [] : [figure(part.label, part.value)])),
  };
}

/** Currencies and units are not set against one another. */
function inEach(groups: ReturnType<typeof groupRows>, measure: Measure): Finding {
  const parts = groups.slice(0, MAX_UNITS).map(({ label, rows }) => ({
    label: saidLabel(label),
    value: sumRows(measure.values, rows) ?? 0,
  }));
  const said = parts.map(({ label, value }) => `${formatBrief(value, undefined)} in ${label}`);
  const last = said.length > 1 ? ` and ${said.at(-1)}` : "";
  return {
    kind: "figure",
    text: `${humanLabel(measure.name)} is ${said.slice(0, Math.max(1, said.length - 1)).join(", ")}${last}.`,
    values: Object.fromEntries(parts.map(({ label, value }) => [label, value])),
    figures: parts.map(({ label, value }) => ({ label: humanLabel(measure.name), value, unit: label })),
  };
}
