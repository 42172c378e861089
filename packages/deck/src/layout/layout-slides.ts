import type { Column, Content } from "../compose/page.ts";
import { markRuns, plain, pointRuns, type Brush } from "./build.ts";
import type { Element, Run } from "./element.ts";
import { fits, fitSize, linesOf, MIN_COLUMN_PT, stands, textHeight } from "./fit.ts";
import { BODY, columnsOf, GRID, inset, rowsOf, type Box } from "./grid.ts";
import { layoutPoints, rows, ruleAbove } from "./layout-points.ts";
import { SOURCE_LINE } from "./names.ts";
import { unevenRows } from "./uneven-rows.ts";

type Of<F extends Content["form"]> = Extract<Content, { form: F }>;

const AGENDA_SIZES = [24, 22, 20, 18, 16, 14] as const;
/** By so many points the number of an item is larger than its text. */
const NUMBER_LARGER = 2;

export function layoutAgenda(content: Of<"agenda">, brush: Brush): readonly Element[] {
  const area = { ...BODY, h: Math.min(BODY.h, content.items.length * 0.95) };
  const itemsIn = (rows: readonly Box[]) =>
    rows.map((row, i) => {
      const band = inset(row, 0, 0.04);
      return {
        row,
        number: { runs: plain(String(content.first + i)), box: { ...band, w: 0.75 }, bold: true },
        item: { runs: plain(content.items[i] ?? ""), box: { ...band, x: row.x + 0.95, w: row.w - 0.95 } },
      };
    });
  const even = rowsOf(area, content.items.length);
  const level = itemsIn(even);
  // Where rows are low and their texts short, it is the numbers that bound the size.
  const low = AGENDA_SIZES.filter((one) => level.every(({ number }) => fits(number, one + NUMBER_LARGER)));
  const sizes = low.length > 0 ? low : AGENDA_SIZES.slice(-1);
  const texts = level.map(({ item }) => item);
  const evenSize = fitSize(texts, sizes);
  const { size, rows } = texts.every((text) => stands(text, evenSize))
    ? { size: evenSize, rows: even }
    : unevenRows(texts, sizes, BODY);
  return itemsIn(rows).flatMap(({ row, number, item }, i): readonly Element[] => [
    ...(i > 0 ? [ruleAbove(row, brush)] : []),
    brush.text(`Number ${i + 1}`, number.box, number.runs, {
      size: size + NUMBER_LARGER,
      bold: true,
      color: brush.theme.colors.accent,
      valign: "middle",
    }),
    brush.text(`Item ${i + 1}`, item.box, item.runs, { size, valign: "middle" }),
  ]);
}

const COLUMN_SIZES = [22, 20, 18, 16, 14, MIN_COLUMN_PT] as const;
const HEADING_SIZES = [22, 20, 18, 16, 14, 12] as const;

export function layoutColumns(content: Of<"columns">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const boxes = columnsOf(BODY, 2, 0.7);
  const heads = content.columns.map(({ heading = "" }, c) => ({
    runs: plain(heading),
    box: { ...(boxes[c] ?? BODY), h: 0.62 },
    bold: true,
  }));
  const headSize = fitSize(heads, HEADING_SIZES);
  const hasHeading = content.columns.some((column) => column.heading !== undefined);
  // A heading of many lines takes its room from the statements below.
  const headHeight = hasHeading
    ? Math.max(0.62, ...heads.map(({ runs, box }) => textHeight(runs, headSize, box.w, true)))
    : 0;
  const bodies = boxes.map((box) => ({ ...box, y: box.y + headHeight + 0.12, h: box.h - headHeight - 0.12 }));
  const most = Math.max(1, ...content.columns.map((column) => column.points.length));
  // One size for both sides, and rows of one height, so that they line up.
  const sides = content.columns.map((column, c) => {
    const area = bodies[c] ?? BODY;
    const row = Math.min(1.35, area.h / most);
    return column.points.map((point) => ({
      runs: pointRuns(point, theme),
      box: { ...area, w: area.w - 0.4, h: row - 0.12 },
    }));
  });
  const evenSize = fitSize(sides.flat(), COLUMN_SIZES);
  const even = sides.flat().every((text) => stands(text, evenSize));
  const size = even
    ? evenSize
    : Math.min(...sides.map((texts, c) => unevenRows(texts, COLUMN_SIZES, bodies[c] ?? BODY).size));
  return [
    brush.shape(
      "Divider",
      { x: BODY.x + BODY.w / 2 - 0.006, y: BODY.y, w: 0.012, h: BODY.h },
      theme.colors.rule,
    ),
    ...content.columns.flatMap((column: Column, c): readonly Element[] => {
      const box = boxes[c] ?? BODY;
      const area = bodies[c] ?? BODY;
      const row = Math.min(1.35, area.h / most);
      const filled = even ? { ...area, h: row * column.points.length } : area;
      return [
        ...(column.heading === undefined
          ? []
          : [
              brush.text("Heading", { ...box, h: headHeight }, plain(column.heading), {
                size: headSize,
                bold: true,
                color: theme.colors.accent,
                valign: "middle",
              }),
            ]),
        ...(column.points.length === 0
          ? []
          : rows(column.points, brush, filled, { sizes: [size], maxRow: row })),
      ];
    }),
  ];
}

export function layoutQuote(content: Of<"quote">, brush: Brush, titled: boolean): readonly Element[] {
  const { theme } = brush;
  const top = titled ? BODY.y + 0.1 : 1.25;
  const bottom = BODY.y + BODY.h;
  const by = plain(content.by ?? "");
  const byWidth = 10;
  const bySizes = [20, 18, 16, 14, 12];
  const bySize = fitSize([{ runs: by, box: { x: 0, y: 0, w: byWidth, h: 0.5 } }], bySizes);
  const byHeight = Math.max(0.5, textHeight(by, bySize, byWidth));
  const box = { x: 1.75, y: top, w: byWidth, h: bottom - top - byHeight - 0.35 };
  const runs: readonly Run[] = [
    { text: `“${content.quote}”`, italic: true },
    ...markRuns({ text: "”", marks: content.marks }, theme),
  ];
  const size = fitSize([{ runs, box }], [36, 32, 28, 26, 24, 22, 20, 18, 16, 14]);
  const height = textHeight(runs, size, box.w);
  // Quote and name as one block in the middle of the space.
  const shift = Math.max(0, (box.h - height) / 2);
  const quoteBox = { ...box, y: box.y + shift, h: Math.min(box.h, height) };
  return [
    brush.shape(
      "Accent",
      { x: 1.2, y: quoteBox.y, w: 0.08, h: quoteBox.h + (content.by === undefined ? 0 : byHeight + 0.2) },
      theme.colors.accent,
    ),
    brush.text("Quote", quoteBox, runs, { size, valign: "top" }),
    ...(content.by === undefined
      ? []
      : [
          brush.text("Attribution", { ...box, y: quoteBox.y + quoteBox.h + 0.2, h: byHeight }, by, {
            size: bySize,
            color: theme.colors.muted,
            valign: "middle",
          }),
        ]),
  ];
}

export function layoutClosing(content: Of<"closing">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const contact = plain(content.contact ?? "");
  const size = fitSize([{ runs: contact, box: { ...BODY, h: 0.45 } }], [18, 16, 14, 12]);
  const height = content.contact === undefined ? 0 : Math.max(0.45, textHeight(contact, size, BODY.w));
  const area = { ...BODY, h: BODY.h - (height === 0 ? 0 : height + 0.3) };
  return [
    ...(content.points.length === 0 ? [] : layoutPoints(content.points, brush, area)),
    ...(content.contact === undefined
      ? []
      : [
          brush.text("Contact", { ...BODY, y: BODY.y + BODY.h - height, h: height }, contact, {
            size,
            color: theme.colors.muted,
            valign: "middle",
          }),
        ]),
  ];
}

const SOURCE_LINE_BOX = { x: GRID.left, y: GRID.sourceTop, w: GRID.width, h: GRID.sourceHeight };
const SOURCE_LINE_PT = 12;

/** Whether the foot has room for the line: two lines of its one size. */
export const sourceLineFits = (line: string): boolean =>
  linesOf(plain(line), SOURCE_LINE_PT, SOURCE_LINE_BOX.w) <= 2;

export function layoutSourceLine(line: string, brush: Brush): Element {
  return brush.text(SOURCE_LINE, SOURCE_LINE_BOX, plain(line), {
    role: "source",
    size: SOURCE_LINE_PT,
    color: brush.theme.colors.muted,
    valign: "bottom",
  });
}
