import { unreachable } from "@troupe/stream";

import type { Page } from "../compose/page.ts";
import { composeDeck } from "../compose/compose-deck.ts";
import { RULES } from "../spec/limits.ts";
import type { DeckSpec } from "../spec/deck-spec.ts";
import { themeNamed } from "../spec/theme.ts";
import { cleanLine } from "../text/clean.ts";
import { createBrush, plain, type Brush } from "./build.ts";
import type { DeckLayout, Element, LaidSlide, TextElement } from "./element.ts";
import { calmSize, fitSize, linesOf, textHeight } from "./fit.ts";
import { MAX_TWO_LINES_PT, TITLE_BOXES, TITLE_SIZES, type Box } from "./grid.ts";
import { bodyFits, layoutBody } from "./layout-body.ts";
import { layoutSourceLine } from "./layout-slides.ts";

/** Places every page of a spec on slides. Pure: the same spec gives the same boxes. */
export function layoutDeck(spec: DeckSpec): DeckLayout {
  const brush = createBrush(themeNamed(spec.theme));
  const slides = composeDeck(spec, (content) => bodyFits(content, brush)).map((page) =>
    layoutPage(page, brush),
  );
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
    ...(page.room === undefined ? {} : { room: page.room }),
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
        elements: [...title(page, brush), ...layoutBody(page.content, page.title, brush), ...foot],
        ...rest,
      };
    default:
      return unreachable(page.content);
  }
}

/**
 * At the largest size that gives it two lines, or a little smaller if it then needs only one. A longer title is not cut:
 * it takes more lines at a smaller size, and the lint reports it.
 */
function titleElement(
  text: string,
  box: Box,
  sizes: readonly number[],
  valign: "top" | "bottom",
  brush: Brush,
): TextElement {
  const runs = plain(text);
  const short = sizes.filter((size) => linesOf(runs, size, box.w, true) <= RULES.maxTitleLines);
  const texts = [{ runs, box, bold: true }];
  const size =
    short.length > 0 ? calmSize(texts, short, fitSize(texts, short)) : fitSize(texts, [18, 16, 14, 12]);
  return brush.text("Title", box, runs, { size, role: "title", bold: true, valign });
}

function title(page: Page, brush: Brush): readonly Element[] {
  if (page.title === "") return [];
  const box = TITLE_BOXES.Content;
  const isOneLine = (size: number): boolean => linesOf(plain(page.title), size, box.w, true) === 1;
  const sizes = TITLE_SIZES.filter((size) => size <= MAX_TWO_LINES_PT || isOneLine(size));
  return [titleElement(page.title, box, sizes, "top", brush)];
}

type Of<F extends Page["content"]["form"]> = Extract<Page["content"], { form: F }>;

/** Lowest edge of the content of a cover or section, above the line of sources. */
const LOWEST = 6.4;

function cover(page: Page, content: Of<"cover">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const box = TITLE_BOXES.Cover;
  const look = { color: theme.colors.muted } as const;
  const byline = plain(content.byline ?? "");
  const bySizes = [16, 14, 12];
  const byHeight = Math.max(
    0.65,
    textHeight(byline, fitSize([{ runs: byline, box: { ...box, h: 0.65 } }], bySizes), box.w),
  );
  const byBox = { x: box.x, y: LOWEST - byHeight, w: box.w, h: byHeight };
  const top = byHeight > 0.65 ? 3.85 : 4.0;
  const subtitleBox = { x: box.x, y: top, w: box.w, h: byBox.y - 0.05 - top };
  return [
    titleElement(page.title, box, [theme.sizes.cover, 44, 42, 40, 36, 32, 28, 24], "bottom", brush),
    ...(content.subtitle === undefined
      ? []
      : [brush.fitted("Subtitle", subtitleBox, content.subtitle, [24, 22, 20, 18, 16, 14, 12], look)]),
    ...(content.byline === undefined
      ? []
      : [brush.fitted("Byline", byBox, content.byline, bySizes, { ...look, valign: "middle" })]),
  ];
}

function section(page: Page, content: Of<"section">, brush: Brush): readonly Element[] {
  const { theme } = brush;
  const box = TITLE_BOXES.Section;
  const title = titleElement(page.title, box, [theme.sizes.section, 36, 32, 28, 24], "top", brush);
  const below = box.y + textHeight(title.runs, title.size, box.w, true) + 0.2;
  const subtitleBox = { x: box.x, y: below, w: box.w, h: LOWEST - 0.1 - below };
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
