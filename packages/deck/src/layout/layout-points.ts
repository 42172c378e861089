import type { Content, Marked } from "../compose/page.ts";
import { markRuns, plain, pointRuns, strongRuns, type Brush } from "./build.ts";
import type { Element, Run } from "./element.ts";
import { calmSize, fits, fitSize, lineWidth, linesOf, textHeight, stands } from "./fit.ts";
import { BODY, columnsOf, inset, rowsOf, type Box } from "./grid.ts";
import { unevenRows } from "./uneven-rows.ts";

const ROW_SIZES = [30, 28, 26, 24, 22, 20, 18, 16, 14] as const;

/** Statements: one alone stands large, two or three on panels, more in even rows with hairlines between. */
export function layoutPoints(points: readonly Marked[], brush: Brush, area: Box = BODY): readonly Element[] {
  const [only] = points;
  if (points.length === 1 && only !== undefined) return statement(only, brush, area);
  const terms = points.length >= 3 ? layoutTerms(points, brush, area) : undefined;
  if (terms !== undefined) return terms;
  const cards = points.length <= 3 ? layoutCards(points, brush, area) : undefined;
  if (cards !== undefined) return cards;
  const { maxRow, largest } = SCALE[Math.min(points.length, 5)] ?? { maxRow: 1.2, largest: 22 };
  return rows(points, brush, area, { sizes: ROW_SIZES.filter((size) => size <= largest), maxRow });
}

/** By the number of statements: how tall a row may get, and its text. */
const SCALE: { readonly [count: number]: { readonly maxRow: number; readonly largest: number } } = {
  2: { maxRow: 1.9, largest: 30 },
  3: { maxRow: 1.5, largest: 26 },
  4: { maxRow: 1.2, largest: 24 },
};

/** More read badly in a narrow column. */
const MAX_CARD_LINES = 5;

/** Side by side on panels, or nothing where the text would be small there. */
function layoutCards(points: readonly Marked[], brush: Brush, area: Box): readonly Element[] | undefined {
  const { theme } = brush;
  const cards = columnsOf(area, points.length, 0.35);
  const texts = points.map((point, i) => ({
    runs: strongRuns(point, theme),
    box: inset(cards[i] ?? area, 0.35, 0.35),
  }));
  const size = [30, 28, 26, 24, 22, 20].find((one) => texts.every((text) => fits(text, one)));
  if (size === undefined) return undefined;
  if (texts.some(({ runs, box }) => linesOf(runs, size, box.w) > MAX_CARD_LINES)) return undefined;
  const tallest = Math.max(...texts.map(({ runs, box }) => textHeight(runs, size, box.w)));
  const height = Math.min(area.h, Math.max(area.h * 0.75, tallest + 0.9));
  const y = area.y + (area.h - height) * 0.25;
  return texts.flatMap(({ runs, box }, i): readonly Element[] => {
    const card = { ...(cards[i] ?? area), y, h: height };
    return [
      brush.shape("Panel", card, theme.colors.panel),
      brush.shape("Accent", { ...card, h: 0.06 }, theme.colors.accent),
      brush.text(`Point ${i + 1}`, { ...box, y: y + 0.35, h: height - 0.7 }, runs, {
        size,
        valign: "middle",
      }),
    ];
  });
}

/** Leads and their texts as two columns, where every statement has a lead and the text stays large. */
function layoutTerms(points: readonly Marked[], brush: Brush, area: Box): readonly Element[] | undefined {
  const { theme } = brush;
  if (points.some(({ lead, figure }) => lead === undefined || figure !== undefined)) return undefined;
  const { maxRow } = SCALE[Math.min(points.length, 5)] ?? { maxRow: 0.9 };
  const height = Math.min(area.h, maxRow * points.length);
  const cells = rowsOf({ ...area, h: height }, points.length).map((row, i) => {
    const { lead = "", text: rest = "", marks = [] } = points[i] ?? {};
    const inner = inset(row, 0, 0.08);
    return {
      row,
      // The column sets the lead off, so that it needs no colon.
      lead: { runs: plain(lead.replace(/:$/, "")), box: { ...inner, w: 3.6 }, bold: true },
      rest: {
        runs: [...plain(rest), ...markRuns({ text: rest, marks }, theme)],
        box: { ...inner, x: inner.x + 3.9, w: inner.w - 3.9 },
      },
    };
  });
  const sizes = [26, 24, 22, 20];
  const texts = cells.flatMap((cell) => [cell.lead, cell.rest]);
  const largest = sizes.find((one) => texts.every((text) => fits(text, one)));
  if (largest === undefined) return undefined;
  const size = calmSize(texts, sizes, largest);
  return cells.flatMap(({ row, lead, rest }, i): readonly Element[] => [
    ...(i > 0 ? [ruleAbove(row, brush)] : []),
    brush.text(`Lead ${i + 1}`, lead.box, lead.runs, {
      size,
      bold: true,
      color: theme.colors.accent,
      valign: "middle",
    }),
    brush.text(`Point ${i + 1}`, rest.box, rest.runs, { size, valign: "middle" }),
  ]);
}

/** A hairline between a row and the one before it. */
export const ruleAbove = (row: Box, brush: Brush): Element =>
  brush.shape("Rule", { x: row.x, y: row.y - 0.006, w: row.w, h: 0.012 }, brush.theme.colors.rule);

function statement(point: Marked, brush: Brush, area: Box): readonly Element[] {
  const { theme } = brush;
  const runs = strongRuns(point, theme);
  const room = { x: area.x + 0.45, y: area.y, w: Math.min(area.w - 0.45, 10.6), h: area.h - 0.4 };
  const sizes = [36, 32, 28, 24, 20, 18, 16, 14];
  const texts = [{ runs, box: room }];
  const size = calmSize(texts, sizes, fitSize(texts, sizes));
  const h = Math.min(room.h, textHeight(runs, size, room.w));
  // A little above the middle, where the eye looks for it.
  const y = area.y + (area.h - h) * 0.4;
  return [
    brush.shape("Accent", { x: area.x, y: y - 0.2, w: 0.08, h: h + 0.4 }, theme.colors.accent),
    brush.text("Statement", { ...room, y, h }, runs, { size, valign: "middle" }),
  ];
}

/** So many statements have their figures set off. */
const FEW = 4;

export interface RowOptions {
  readonly sizes: readonly number[];
  /** Tallest a row may get, in inches. */
  readonly maxRow: number;
}

/** Rows of even height, each with a small square before it. */
export function rows(
  points: readonly Marked[],
  brush: Brush,
  area: Box,
  options: RowOptions,
): readonly Element[] {
  const { theme } = brush;
  const height = Math.min(area.h, options.maxRow * points.length);
  const even = rowsOf({ ...area, h: height }, points.length);
  const textIn = (point: Marked, row: Box): { readonly runs: readonly Run[]; readonly box: Box } => {
    const runs = points.length <= FEW ? strongRuns(point, theme) : pointRuns(point, theme);
    return { runs, box: { ...inset(row, 0, 0.06), x: row.x + 0.4, w: row.w - 0.4 } };
  };
  const level = points.map((point, i) => textIn(point, even[i] ?? area));
  const evenSize = calmSize(level, options.sizes, fitSize(level, options.sizes));
  const { size, rows: boxes } = level.every((text) => stands(text, evenSize))
    ? { size: evenSize, rows: even }
    : unevenRows(level, options.sizes, area);
  const texts = points.map((point, i) => textIn(point, boxes[i] ?? area));
  return texts.flatMap(({ runs, box }, i): readonly Element[] => {
    const row = boxes[i] ?? area;
    return [
      ...(i > 0 ? [ruleAbove(row, brush)] : []),
      brush.shape(
        "Marker",
        { x: row.x, y: firstLine(runs, size, box) - 0.06, w: 0.12, h: 0.12 },
        theme.colors.accent,
      ),
      brush.text(`Point ${i + 1}`, box, runs, { size, valign: "middle" }),
    ];
  });
}

/** Middle of the first line of a text that stands in the middle of its box, in inches. */
function firstLine(runs: readonly Run[], size: number, box: Box): number {
  const top = box.y + (box.h - textHeight(runs, size, box.w)) / 2;
  return top + textHeight(plain("x"), size, box.w) / 2;
}

/** Cards in a row, by the number of figures; the first that has room for them is used. */
const CARDS_IN_ROW: { readonly [count: number]: readonly number[] } = {
  1: [1],
  2: [2],
  3: [3],
  4: [4, 2],
  5: [3, 2],
  6: [3, 2],
};
const CARD_GAP = 0.3;
/**
 * By the number of rows: inches above the figure (`top`), of it, between it and its label (`gap`) and below the label
 * (`bottom`), and font sizes of figures in points, largest first.
 */
const CARD_SCALE = {
  1: { top: 0.3, figure: 1.2, gap: 0.1, bottom: 0.35, sizes: [72, 64, 54, 48, 44, 40, 36, 32] },
  2: { top: 0.15, figure: 0.8, gap: 0.1, bottom: 0.2, sizes: [44, 40, 36] },
  3: { top: 0.12, figure: 0.64, gap: 0.04, bottom: 0.12, sizes: [36, 32] },
} as const;

/** Key figures on cards, each above its label, or in rows if one is too wide for a card; remarks on bars below them. */
export function layoutFigures(
  { points, caption, remarks = [] }: Extract<Content, { form: "figures" }>,
  brush: Brush,
): readonly Element[] {
  const runs = plain(caption ?? "");
  const captionSize = fitSize([{ runs, box: { ...BODY, h: 0.4 } }], [16, 14, 12]);
  const captionHeight = caption === undefined ? 0 : Math.max(0.4, textHeight(runs, captionSize, BODY.w));
  const down = captionHeight === 0 ? 0 : captionHeight + 0.15;
  const bars = remarks.map((remark) => remarkBar(remark, brush));
  const below = bars.reduce((sum, { height }) => sum + CARD_GAP + height, 0);
  const area = { ...BODY, y: BODY.y + down, h: BODY.h - down - below };
  const cards = (CARDS_IN_ROW[points.length] ?? [])
    .map((inRow) => layoutFigureCards(points, brush, area, inRow))
    .find((one) => one !== undefined) ?? {
    elements: layoutFigureRows(points, brush, area),
    bottom: area.y + area.h,
  };
  let y = cards.bottom;
  return [
    ...(caption === undefined
      ? []
      : [
          brush.text("Caption", { ...BODY, h: captionHeight }, runs, {
            size: captionSize,
            color: brush.theme.colors.muted,
            valign: "middle",
          }),
        ]),
    ...cards.elements,
    ...bars.flatMap(({ height, draw }, i) => {
      const top = y + CARD_GAP;
      y = top + height;
      return draw(top, i);
    }),
  ];
}

/** A statement on a panel over the whole width. */
function remarkBar(remark: Marked, brush: Brush) {
  const { colors } = brush.theme;
  const runs = strongRuns(remark, brush.theme);
  const inner = { ...inset(BODY, 0.3, 0), y: 0, h: 0.75 };
  const size = fitSize([{ runs, box: inner }], [22, 20, 18, 16, 14]);
  const height = Math.max(0.65, textHeight(runs, size, inner.w) + 0.24);
  const draw = (y: number, i: number): readonly Element[] => [
    brush.shape("Panel", { ...BODY, y, h: height }, colors.panel),
    brush.shape("Accent", { ...BODY, y, w: 0.08, h: height }, colors.accent),
    brush.text(`Remark ${i + 1}`, { ...inner, y, h: height }, runs, { size, valign: "middle" }),
  ];
  return { height, draw };
}

const figureRuns = ({ figure = "" }: Marked): readonly Run[] => plain(figure.replaceAll(" ", "\u00a0"));

function layoutFigureCards(
  points: readonly Marked[],
  brush: Brush,
  area: Box,
  inRow: number,
): { readonly elements: readonly Element[]; readonly bottom: number } | undefined {
  const { theme } = brush;
  const rowCount = Math.ceil(points.length / inRow);
  const [row = area] = rowsOf(area, rowCount, CARD_GAP);
  const scale = CARD_SCALE[rowCount === 1 ? 1 : rowCount === 2 ? 2 : 3];
  const labelTop = scale.top + scale.figure + scale.gap;
  const room = row.h - labelTop - scale.bottom;
  const columns = columnsOf(area, inRow, 0.35);
  const texts = points.map((point, i) => {
    const card = columns[i % inRow] ?? area;
    const inner = { ...inset(card, 0.25, 0), y: 0 };
    return {
      card,
      inner,
      figure: { runs: figureRuns(point), box: { ...inner, h: scale.figure }, bold: true },
      label: {
        runs: pointRuns({ text: point.text, marks: point.marks }, theme),
        box: { ...inner, h: room },
      },
    };
  });
  const figures = texts.map((t) => t.figure);
  const figureSize = scale.sizes.find((one) => figures.every((f) => fits(f, one)));
  const labels = texts.map((t) => t.label);
  const labelSize = [24, 22, 20, 18, 16].find((one) => labels.every((label) => fits(label, one)));
  if (figureSize === undefined || labelSize === undefined) return undefined;
  const longest = Math.max(...labels.map((t) => textHeight(t.runs, labelSize, t.box.w)));
  // The panels are as tall as the longest label needs, and stand a little above the middle.
  const labelHeight = rowCount === 1 ? Math.min(room, Math.max(0.8, longest)) : longest;
  const height = labelTop + labelHeight + scale.bottom;
  const used = rowCount * height + (rowCount - 1) * CARD_GAP;
  const from = area.y + (area.h - used) * 0.4;
  const elements = texts.flatMap(({ card, inner, figure, label }, i): readonly Element[] => {
    const y = from + Math.floor(i / inRow) * (height + CARD_GAP);
    return [
      brush.shape("Panel", { ...card, y, h: height }, theme.colors.panel),
      brush.shape("Accent", { ...card, y, h: 0.06 }, theme.colors.accent),
      brush.text(`Figure ${i + 1}`, { ...inner, y: y + scale.top, h: scale.figure }, figure.runs, {
        ...figureLook(theme.colors.accent),
        size: figureSize,
        valign: "bottom",
      }),
      brush.text(`Label ${i + 1}`, { ...inner, y: y + labelTop, h: labelHeight }, label.runs, {
        size: labelSize,
      }),
    ];
  });
  return { elements, bottom: from + used };
}

const figureLook = (color: string) => ({ role: "figure", bold: true, color }) as const;

/** One below the other, the figures in a column of their own. */
function layoutFigureRows(points: readonly Marked[], brush: Brush, area: Box): readonly Element[] {
  const { theme } = brush;
  const height = Math.min(area.h, 1.3 * points.length);
  const even = rowsOf({ ...area, h: height }, points.length);
  const figures = even.map((row, i) => ({
    runs: figureRuns(points[i] ?? { text: "", marks: [] }),
    box: { ...inset(row, 0, 0.06), w: 4.2 },
    bold: true,
  }));
  const figureSize = fitSize(figures, [48, 44, 40, 36, 32, 28, 24, 20, 18, 16, 14]);
  const width = Math.max(...figures.map(({ runs }) => lineWidth(runs, figureSize, true)));
  const left = Math.min(4.2, width) + 0.5;
  const labelIn = (row: Box, i: number) => ({
    runs: pointRuns({ text: points[i]?.text ?? "", marks: points[i]?.marks ?? [] }, theme),
    box: { ...inset(row, 0, 0.08), x: row.x + left, w: row.w - left },
  });
  const sizes = [28, 26, 24, 22, 20, 18, 16, 14].filter((size) => size < Math.max(figureSize, 15));
  const level = even.map(labelIn);
  const evenSize = fitSize(level, sizes);
  const { size, rows: boxes } = level.every((text) => stands(text, evenSize))
    ? { size: evenSize, rows: even }
    : unevenRows(level, sizes, area);
  return boxes.flatMap((row, i): readonly Element[] => {
    const figure = { ...row, y: row.y + 0.06, w: left - 0.2, h: row.h - 0.12 };
    const label = labelIn(row, i);
    return [
      ...(i > 0 ? [ruleAbove(row, brush)] : []),
      brush.text(`Figure ${i + 1}`, figure, figures[i]?.runs ?? [], {
        ...figureLook(theme.colors.accent),
        size: figureSize,
        valign: "middle",
      }),
      brush.text(`Label ${i + 1}`, label.box, label.runs, { size, valign: "middle" }),
    ];
  });
}
