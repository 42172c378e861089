import { unreachable } from "@troupe/stream";

import type { Cell, Content, Marked } from "../compose/page.ts";
import { plain, pointRuns, type Brush } from "./build.ts";
import type { Element, TextElement } from "./element.ts";
import { LINE_HEIGHT, textWidth } from "../text/measure.ts";
import { fitSize, MIN_COLUMN_PT, MIN_TEXT_PT, stands, textHeight } from "./fit.ts";
import { BODY, inset } from "./grid.ts";
import { layoutFigures, layoutPoints, rows } from "./layout-points.ts";
import { layoutAgenda, layoutClosing, layoutColumns, layoutQuote } from "./layout-slides.ts";
import { SOURCES_TABLE } from "./names.ts";
import { hasHeader, planTable, tableFits } from "./table-plan.ts";

type BodyContent = Exclude<Content, { form: "cover" | "section" }>;
type Of<F extends Content["form"]> = Extract<Content, { form: F }>;

/** Places the content below the title; `title` names a table to a screen reader and is empty without a title. */
export function layoutBody(content: BodyContent, title: string, brush: Brush): readonly Element[] {
  switch (content.form) {
    case "agenda":
      return layoutAgenda(content, brush);
    case "points":
      return layoutPoints(content.points, brush);
    case "figures":
      return layoutFigures(content, brush);
    case "columns":
      return layoutColumns(content, brush);
    case "quote":
      return layoutQuote(content, brush, title !== "");
    case "closing":
      return layoutClosing(content, brush);
    case "chart":
      return chart(content, brush);
    case "table":
      return [table(content, title)];
    default:
      return unreachable(content);
  }
}

/** Whether the content fits on one slide below a title: no text runs over its box at the smallest size. */
export function bodyFits(content: Content, brush: Brush): boolean {
  if (content.form === "cover" || content.form === "section") return true;
  if (content.form === "table") return tableFits(content.header, content.rows);
  if (isFarTooMuch(content)) return false;
  const elements = layoutBody(content, "-", brush);
  const contact = elements.find(({ name }) => name === "Contact");
  const bottom = contact?.box.y ?? BODY.y + BODY.h;
  return elements.every((element) => isPlaced(element, element === contact ? BODY.y + BODY.h : bottom));
}

/** Whether the text is surely more than the body holds at the smallest size, without measuring lines. */
function isFarTooMuch(content: BodyContent): boolean {
  const pt = content.form === "columns" ? MIN_COLUMN_PT : MIN_TEXT_PT;
  // Spaces at the ends of lines take no room.
  const area = textsOf(content).reduce((sum, text) => sum + textWidth(text, pt) * pt * LINE_HEIGHT, 0) * 0.95;
  return area > BODY.w * BODY.h * 72 ** 2;
}

function textsOf(content: BodyContent): readonly string[] {
  switch (content.form) {
    case "agenda":
      return content.items;
    case "columns":
      return content.columns.flatMap((column) => column.points.map(({ text }) => text));
    case "quote":
      return [content.quote];
    case "figures":
      return [...content.points, ...(content.remarks ?? [])].map(({ text }) => text);
    case "points":
    case "closing":
    case "chart":
      return content.points.map(({ text }) => text);
    case "table":
      return [];
    default:
      return unreachable(content);
  }
}

/** Above `bottom`, and no text over its box. */
function isPlaced(element: Element, bottom: number): boolean {
  const { box } = element;
  const isInside = box.h > 0 && box.y + box.h <= bottom + 1e-6;
  return isInside && (element.kind !== "text" || textStands(element));
}

const textStands = ({ runs, box, bold, size }: TextElement): boolean =>
  stands({ runs, box, bold: bold ?? false }, size);

/** Widths of the chart beside a panel: narrower where the statements need more. */
const CHART_WIDTHS = [8.3, 7.2, 6.2] as const;

function chart(content: Of<"chart">, brush: Brush): readonly Element[] {
  const { points } = content;
  const width =
    points.length === 0
      ? BODY.w
      : (CHART_WIDTHS.find((one) => remarks(points, brush, one + 0.3).every(isPlaced)) ?? CHART_WIDTHS[2]);
  const caption = plain(content.caption);
  const captionSizes = [16, 14, 12];
  const captionBox = { x: BODY.x, y: BODY.y, w: width, h: 0.34 };
  const size = fitSize([{ runs: caption, box: captionBox }], captionSizes);
  const captionHeight = content.caption === "" ? 0 : Math.max(0.34, textHeight(caption, size, width));
  const top = captionHeight === 0 ? 0 : captionHeight + 0.04;
  return [
    ...(content.caption === ""
      ? []
      : [
          brush.text("Chart caption", { ...captionBox, h: captionHeight }, caption, {
            size,
            color: brush.theme.colors.muted,
            valign: "middle",
          }),
        ]),
    {
      kind: "chart",
      name: "Chart",
      box: { x: BODY.x, y: BODY.y + top, w: width, h: BODY.h - top },
      chart: content.chart,
    },
    ...(points.length > 0 ? remarks(points, brush, width + 0.3) : []),
  ];
}

/** What the chart shows, on a panel beside it. */
function remarks(points: readonly Marked[], brush: Brush, left: number): readonly Element[] {
  const { colors } = brush.theme;
  const panel = { ...BODY, x: BODY.x + left, w: BODY.w - left };
  const inner = inset(panel, 0.25, 0.2);
  const sizes = [22, 20, 18, 16, 14];
  const [only] = points;
  const single = points.length === 1 && only !== undefined ? pointRuns(only, brush.theme) : undefined;
  return [
    brush.shape("Panel", panel, colors.panel),
    brush.shape("Accent", { ...panel, h: 0.06 }, colors.accent),
    ...(single === undefined
      ? rows(points, brush, inner, { sizes, maxRow: inner.h })
      : [
          brush.text("Point 1", inner, single, {
            size: fitSize([{ runs: single, box: inner }], sizes),
            valign: "middle",
          }),
        ]),
  ];
}

/** A cell that shows that there is no value. */
const NOTHING = /^[-–—]?$/;

/** What a screen reader says of a table before its cells: its title, extent and columns. */
function tableAltText(title: string, { header, rows }: Of<"table">): string {
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
  const columns = header.filter((name) => name !== "");
  const names = columns.length === 0 ? "" : `: ${columns.join(", ")}`;
  const about = title === "" ? "Table" : `Table: ${title}`;
  return `${about}. ${count(rows.length, "row")}, ${count(header.length, "column")}${names}.`;
}

/** A list of sources is looked up, not presented. */
const SOURCES_PT = 18;

function table(content: Of<"table">, title: string): Element {
  const plan = planTable(content.header, content.rows, content.ofSources === true ? SOURCES_PT : Infinity);
  const height = plan.rowHeights.reduce((a, b) => a + b, 0);
  return {
    kind: "table",
    name: content.ofSources === true ? SOURCES_TABLE : "Table",
    box: { ...BODY, h: Math.min(height, BODY.h) },
    header: hasHeader(content.header) ? content.header : [],
    rows: content.rows.map((row) => row.map((cell) => cell.text)),
    altText: tableAltText(title, content),
    columnWidths: plan.columnWidths,
    rowHeights: plan.rowHeights,
    align: content.header.map((_, c) => alignOf(content.rows.map((row) => row[c]))),
    size: plan.size,
    pad: plan.pad,
  };
}

/** Numbers to the right, also where some cells of their column are empty. */
function alignOf(cells: readonly (Cell | undefined)[]): "left" | "right" {
  const isRight = cells.every((cell) => cell?.number !== false || NOTHING.test(cell.text));
  return isRight && cells.some((cell) => cell?.number === true) ? "right" : "left";
}
