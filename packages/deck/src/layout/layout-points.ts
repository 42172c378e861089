import type { Marked } from "../compose/page.ts";
import { pointRuns, plain, markRuns, type Brush } from "./build.ts";
import type { Element } from "./element.ts";
import { fitSize, textHeight } from "./fit.ts";
import { BODY, columnsOf, inset, rowsOf, type Box } from "./grid.ts";

const ROW_SIZES = [28, 26, 24, 22, 20, 18, 16, 14, 12] as const;

/** Statements: one alone stands large, more stand in even rows with hairlines between. */
export function layoutPoints(points: readonly Marked[], brush: Brush, area: Box = BODY): readonly Element[] {
  const [only] = points;
  if (points.length === 1 && only !== undefined) return statement(only, brush, area);
  return rows(points, brush, area, { rule: true, sizes: sizesFor(points.length) });
}

function sizesFor(count: number): readonly number[] {
  const largest = count <= 2 ? 28 : count === 3 ? 26 : count === 4 ? 24 : 22;
  return ROW_SIZES.filter((size) => size <= largest);
}

function statement(point: Marked, brush: Brush, area: Box): readonly Element[] {
  const { theme } = brush;
  const box = { x: area.x + 0.45, y: area.y + 0.35, w: Math.min(area.w - 0.45, 10.6), h: area.h - 1.1 };
  const runs = pointRuns(point, theme);
  const size = fitSize([{ runs, box }], [36, 32, 28, 24, 20, 18, 16, 14, 12]);
  return [
    brush.shape("Accent", { x: area.x, y: box.y, w: 0.08, h: box.h }, theme.colors.accent),
    brush.text("Statement", box, runs, { size, valign: "middle" }),
  ];
}

export interface RowOptions {
  readonly rule: boolean;
  readonly sizes: readonly number[];
  /** Tallest a row may get, in inches. */
  readonly maxRow?: number;
}

/** Rows of even height, each with a small square before it. */
export function rows(
  points: readonly Marked[],
  brush: Brush,
  area: Box,
  options: RowOptions,
): readonly Element[] {
  const { theme } = brush;
  const height = Math.min(area.h, (options.maxRow ?? 1.45) * points.length);
  const boxes = rowsOf({ ...area, h: height }, points.length);
  const texts = points.map((point, i) => {
    const row = boxes[i] ?? area;
    return { runs: pointRuns(point, theme), box: { ...inset(row, 0, 0.08), x: row.x + 0.4, w: row.w - 0.4 } };
  });
  const size = fitSize(texts, options.sizes);
  return texts.flatMap(({ runs, box }, i): readonly Element[] => {
    const row = boxes[i] ?? area;
    return [
      ...(options.rule && i > 0
        ? [brush.shape("Rule", { x: row.x, y: row.y - 0.006, w: row.w, h: 0.012 }, theme.colors.rule)]
        : []),
      brush.shape("Marker", { x: row.x, y: row.y + row.h / 2 - 0.06, w: 0.12, h: 0.12 }, theme.colors.accent),
      brush.text(`Point ${i + 1}`, box, runs, { size, valign: "middle" }),
    ];
  });
}

/** Key figures side by side, each on a panel with its label below. */
export function layoutFigures(
  points: readonly Marked[],
  caption: string | undefined,
  brush: Brush,
): readonly Element[] {
  const { theme } = brush;
  const top = BODY.y + (caption === undefined ? 0 : 0.55);
  const width = points.length === 1 ? 7.5 : points.length === 2 ? 11 : BODY.w;
  const wide = columnsOf({ ...BODY, y: top, w: width, h: BODY.y + BODY.h - top }, points.length, 0.35);
  const texts = points.map((point, i) => {
    const card = wide[i] ?? BODY;
    const inner = { x: card.x + 0.3, w: card.w - 0.6 };
    return {
      card,
      figure: { runs: plain(point.figure ?? ""), box: { ...inner, y: card.y + 0.3, h: 1.2 }, bold: true },
      label: {
        runs: [{ text: point.text }, ...markRuns(point.marks, theme)],
        box: { ...inner, y: card.y + 1.6, h: card.h - 1.95 },
      },
    };
  });
  const figureSize = fitSize(
    texts.map((t) => t.figure),
    [72, 64, 54, 48, 40, 34, 28, 24, 20],
  );
  const labelSize = fitSize(
    texts.map((t) => t.label),
    [24, 22, 20, 18, 16, 14, 12],
  );
  const labelHeight = Math.max(0.8, ...texts.map((t) => textHeight(t.label.runs, labelSize, t.label.box.w)));
  // The panels are as tall as the longest label needs, and stand a little above the middle.
  const height = 1.6 + labelHeight + 0.35;
  const down = Math.max(0, (BODY.y + BODY.h - top - height) * 0.4);
  const lower = (box: Box, h: number): Box => ({ ...box, y: box.y + down, h });
  return [
    ...(caption === undefined
      ? []
      : [
          brush.text("Caption", { ...BODY, h: 0.4 }, plain(caption), {
            size: 16,
            color: theme.colors.muted,
            valign: "middle",
          }),
        ]),
    ...texts.flatMap(({ card, figure, label }, i): readonly Element[] => [
      brush.shape("Panel", lower(card, height), theme.colors.panel),
      brush.shape("Accent", lower(card, 0.06), theme.colors.accent),
      brush.text(`Figure ${i + 1}`, lower(figure.box, figure.box.h), figure.runs, {
        size: figureSize,
        role: "figure",
        bold: true,
        color: theme.colors.accent,
        valign: "bottom",
      }),
      brush.text(`Label ${i + 1}`, lower(label.box, labelHeight), label.runs, { size: labelSize }),
    ]),
  ];
}
