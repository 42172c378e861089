import { unreachable } from "@troupe/stream";

import type { Marked, Page } from "../compose/page.ts";
import { composeDeck } from "../compose/compose-deck.ts";
import { RULES } from "../spec/limits.ts";
import type { DeckSpec } from "../spec/deck-spec.ts";
import { themeNamed } from "../spec/theme.ts";
import { cleanLine } from "../text/clean.ts";
import { createBrush, plain, pointRuns, type Brush } from "./build.ts";
import type { DeckLayout, Element, LaidSlide, TextElement } from "./element.ts";
import { fitSize, linesOf, textHeight } from "./fit.ts";
import { BODY, inset, TITLE_BOXES, TITLE_SIZES, type Box } from "./grid.ts";
import { layoutFigures, layoutPoints, rows } from "./layout-points.ts";
import {
  layoutAgenda,
  layoutClosing,
  layoutColumns,
  layoutQuote,
  layoutSourceLine,
} from "./layout-slides.ts";
import { SOURCES_TABLE } from "./names.ts";
import { hasHeader, planTable } from "./table-plan.ts";

/** Places every page of a spec on slides. Pure: the same spec gives the same boxes. */
export function layoutDeck(spec: DeckSpec): DeckLayout {
  const brush = createBrush(themeNamed(spec.theme));
  const slides = composeDeck(spec).map((page) => layoutPage(page, brush));
  const sources = slides.filter(({ from }) => from === undefined).length;
  return {
    title: cleanLine(spec.title),
    slides,
    added: sources === 0 ? [] : [{ kind: "sources", slides: sources }],
  };
}

function layoutPage(page: Page, brush: Brush): LaidSlide {
  const rest = {
    title: page.title,
    notes: page.notes,
    ...(page.from === undefined ? {} : { from: page.from }),
  };
  const foot = page.sourceLine === undefined ? [] : [layoutSourceLine(page.sourceLine, brush)];
  switch (page.content.form) {
    case "cover":
      return { layout: "Cover", elements: [...cover(page, page.content, brush), ...foot], ...rest };
    case "section":
      return { layout: "Section", elements: [...section(page, page.content, brush), ...foot], ...rest };
    case "agenda":
    case "points":
    case "figures":
    case "columns":
    case "quote":
    case "closing":
    case "chart":
    case "table":
      return {
        layout: page.title === "" ? "Plain" : "Content",
        elements: [...title(page, brush), ...body(page, page.content, brush), ...foot],
        ...rest,
      };
    default:
      return unreachable(page.content);
  }
}

function titleElement(
  text: string,
  box: Box,
  sizes: readonly number[],
  valign: "top" | "bottom",
  brush: Brush,
): TextElement {
  const runs = plain(text);
  const short = sizes.filter((size) => linesOf(runs, size, box.w, true) <= RULES.maxTitleLines);
  const size = fitSize([{ runs, box, bold: true }], short.length > 0 ? short : sizes.slice(-1));
  return brush.text("Title", box, runs, { size, role: "title", bold: true, valign });
}

function title(page: Page, brush: Brush): readonly Element[] {
  if (page.title === "") return [];
  return [titleElement(page.title, TITLE_BOXES.Content, TITLE_SIZES, "top", brush)];
}

function body(
  page: Page,
  content: Exclude<Page["content"], { form: "cover" | "section" }>,
  brush: Brush,
): readonly Element[] {
  switch (content.form) {
    case "agenda":
      return layoutAgenda(content, brush);
    case "points":
      return layoutPoints(
        content.points,
        brush,
        content.heading === undefined ? {} : { heading: content.heading },
      );
    case "figures":
      return layoutFigures(content.points, content.caption, brush);
    case "columns":
      return layoutColumns(content, brush);
    case "quote":
      return layoutQuote(content, brush, page.title !== "");
    case "closing":
      return layoutClosing(content, brush);
    case "chart":
      return chart(content, brush);
    case "table":
      return table(page, content);
    default:
      return unreachable(content);
  }
}

type Of<F extends Page["content"]["form"]> = Extract<Page["content"], { form: F }>;

function chart(content: Of<"chart">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const hasPoints = content.points.length > 0;
  const width = hasPoints ? 8.3 : BODY.w;
  const { caption } = content;
  const captionHeight = caption === "" ? 0 : 0.38;
  return [
    ...(caption === ""
      ? []
      : [
          brush.fitted("Chart caption", { x: BODY.x, y: BODY.y, w: width, h: 0.34 }, caption, [16, 14, 12], {
            color: theme.colors.muted,
            valign: "middle",
          }),
        ]),
    {
      kind: "chart",
      name: "Chart",
      box: { x: BODY.x, y: BODY.y + captionHeight, w: width, h: BODY.h - captionHeight },
      chart: content.chart,
    },
    ...(hasPoints ? remarks(content.points, brush, width + 0.3) : []),
  ];
}

/** What the chart shows, on a panel beside it. */
function remarks(points: readonly Marked[], brush: Brush, left: number): readonly Element[] {
  const { colors } = brush.theme;
  const panel = { ...BODY, x: BODY.x + left, w: BODY.w - left };
  const inner = inset(panel, 0.25, 0.2);
  const sizes = [22, 20, 18, 16, 14, 12];
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

/** A cell that stands for no value. */
const NOTHING = /^[-–—]?$/;

/** What a screen reader says of a table before its cells: its title, extent and columns. */
function tableAltText(title: string, { header, rows }: Of<"table">): string {
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
  const columns = header.filter((name) => name !== "");
  const names = columns.length === 0 ? "" : `: ${columns.join(", ")}`;
  const about = title === "" ? "Table" : `Table: ${title}`;
  return `${about}. ${count(rows.length, "row")}, ${count(header.length, "column")}${names}.`;
}

function table(page: Page, content: Of<"table">): readonly Element[] {
  const plan = planTable(content.header, content.rows);
  const height = plan.rowHeights.reduce((a, b) => a + b, 0);
  return [
    {
      kind: "table",
      name: content.ofSources === true ? SOURCES_TABLE : "Table",
      box: { ...BODY, h: Math.min(height, BODY.h) },
      header: hasHeader(content.header) ? content.header : [],
      rows: content.rows.map((row) => row.map((cell) => cell.text)),
      altText: tableAltText(page.title, content),
      columnWidths: plan.columnWidths,
      rowHeights: plan.rowHeights,
      align: content.header.map((_, c) =>
        content.rows.every((row) => row[c]?.number !== false || NOTHING.test(row[c]?.text ?? ""))
          ? "right"
          : "left",
      ),
      size: plan.size,
    },
  ];
}

function cover(page: Page, content: Of<"cover">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const box = TITLE_BOXES.Cover;
  const subtitleBox = { x: box.x, y: 4.0, w: box.w, h: 1.0 };
  return [
    titleElement(page.title, box, [theme.sizes.cover, 40, 36, 32, 28, 24], "bottom", brush),
    ...(content.subtitle === undefined
      ? []
      : [
          brush.fitted("Subtitle", subtitleBox, content.subtitle, [24, 22, 20, 18, 16, 14, 12], {
            color: theme.colors.muted,
          }),
        ]),
    ...(content.byline === undefined
      ? []
      : [
          brush.fitted("Byline", { x: box.x, y: 5.75, w: box.w, h: 0.65 }, content.byline, [16, 14, 12], {
            color: theme.colors.muted,
            valign: "middle",
          }),
        ]),
  ];
}

function section(page: Page, content: Of<"section">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const box = TITLE_BOXES.Section;
  const title = titleElement(page.title, box, [theme.sizes.section, 36, 32, 28, 24], "top", brush);
  const subtitleBox = {
    x: box.x,
    y: box.y + textHeight(title.runs, title.size, box.w, true) + 0.2,
    w: box.w,
    h: 1.2,
  };
  return [
    ...(content.number === undefined
      ? []
      : [
          brush.text(
            "Number",
            { x: box.x, y: 1.75, w: 3, h: 0.65 },
            plain(String(content.number).padStart(2, "0")),
            {
              size: 32,
              role: "figure",
              bold: true,
              color: theme.colors.accent,
              valign: "middle",
            },
          ),
        ]),
    title,
    ...(content.subtitle === undefined
      ? []
      : [
          brush.fitted("Subtitle", subtitleBox, content.subtitle, [22, 20, 18, 16, 14, 12], {
            color: theme.colors.muted,
          }),
        ]),
  ];
}
