import { unreachable } from "@troupe/stream";

import { chartAltText } from "../chart/caption.ts";
import type { DeckLayout, Element } from "../layout/element.ts";
import { GRID } from "../layout/grid.ts";
import type { Theme } from "../spec/theme.ts";
import { checkSlide } from "./check-slide.ts";
import type { LintProblem } from "./problem.ts";
import type { SeenShape } from "./seen.ts";

/** Lints a layout before a file is made of it: what would be wrong on the slides. */
export function lintLayout(layout: DeckLayout, theme: Theme): readonly LintProblem[] {
  return layout.slides.flatMap((slide, i) =>
    checkSlide(
      {
        width: GRID.slideWidth,
        height: GRID.slideHeight,
        background: slide.layout === "Section" ? theme.colors.panel : theme.colors.background,
        shapes: slide.elements.map((element) => see(element)),
      },
      i + 1,
    ),
  );
}

function see(element: Element): SeenShape {
  const base = { name: element.name, box: element.box, fromLayout: false };
  switch (element.kind) {
    case "shape":
      return { ...base, kind: "other", fill: element.fill };
    case "chart":
      return { ...base, kind: "chart", altText: chartAltText(element.chart) };
    case "table":
      return {
        ...base,
        kind: "table",
        altText: element.altText,
      };
    case "text":
      return {
        ...base,
        kind: "text",
        ...(element.role === "title" ? { placeholder: "title" } : {}),
        text: {
          paragraphs: [
            element.runs.map((run) => ({
              text: run.text,
              size: element.size,
              bold: run.bold ?? element.bold ?? false,
              color: run.color ?? element.color,
              raised: run.raised ?? false,
            })),
          ],
          valign: element.valign,
          insets: { l: 0, t: 0, r: 0, b: 0 },
          autofit: false,
        },
      };
    default:
      return unreachable(element);
  }
}
