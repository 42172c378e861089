import type { ArtifactSummary, ComparedFigure, Comparison } from "@troupe/a2a/capture";

import { bytes, columns, count, milliseconds, percent, short } from "./figures.ts";

/** Two traces for a person, figure by figure. Figures that neither has are left out. */
export function comparisonText(comparison: Comparison, names: readonly [string, string]): string {
  const rows = comparison.figures
    .filter(({ a, b }) => a !== null || b !== null)
    .map((row) => [row.figure, shown(row, row.a), shown(row, row.b), change(row), ratio(row)]);
  const head = ["", ...names.map((name) => short(name, 40)), "difference", "ratio"];
  const [a, b] = comparison.outcomes;
  return `${columns([head, ...rows], new Set([1, 2, 3, 4]))}
${columns([["artifacts", ...head.slice(1, 3)], ...artifactRows(comparison.artifacts)], new Set([1, 2]))}
  ${a === b ? `both ended ${a}` : `ended ${a} and ${b}`}
  ${SAME[String(comparison.answersEqual) as keyof typeof SAME]}
`;
}

function artifactRows([a, b]: Comparison["artifacts"]): readonly (readonly string[])[] {
  const row = (label: string, of: (one: ArtifactSummary) => string): readonly string[] => [
    label,
    of(a),
    of(b),
  ];
  const yesNo = (value: boolean | null): string => (value === null ? "-" : value ? "yes" : "no");
  const types = [...new Set([...Object.keys(a.types), ...Object.keys(b.types)])];
  return [
    ...types.map((name) => row(short(name || "(no name)", 40), ({ types }) => count(types[name] ?? 0))),
    ...(["text", "data", "file"] as const).map((kind) =>
      row(`${kind} parts`, ({ parts }) => (parts === null ? "-" : count(parts[kind]))),
    ),
    row("has is_final_answer", ({ isFinalAnswer }) => yesNo(isFinalAnswer)),
    row("has is_narration", ({ isNarration }) => yesNo(isNarration)),
    row("has execution_plan", ({ executionPlan }) => yesNo(executionPlan)),
    row("final artifact", ({ finalArtifact }) => short(finalArtifact, 40) || "-"),
  ];
}

const SAME = {
  true: "the answers are equal",
  false: "the answers differ",
  null: "neither gave an answer",
} as const;

const UNITS: { readonly [unit in ComparedFigure["unit"]]: (value: number) => string } = {
  ms: milliseconds,
  percent,
  count,
  bytes,
};

function shown({ unit }: ComparedFigure, value: number | null): string {
  return value === null ? "-" : UNITS[unit](value);
}

function change(row: ComparedFigure): string {
  const { difference } = row;
  if (difference === null) return "";
  const value = row.unit === "percent" ? `${Math.round(difference)} points` : shown(row, difference);
  return `${difference > 0 ? "+" : ""}${value}`;
}

function ratio({ ratio: times }: ComparedFigure): string {
  return times === null ? "" : `${times.toFixed(2)}x`;
}
