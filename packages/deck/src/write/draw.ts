import { unreachable } from "@troupe/stream";

import type { PptxSlide } from "../adapters/pptxgen.ts";
import { chartAltText } from "../chart/caption.ts";
import type { Element, TableElement, TextElement } from "../layout/element.ts";
import { isTotal } from "../layout/table-plan.ts";
import type { Theme } from "../spec/theme.ts";
import { TITLE_PLACEHOLDER } from "./masters.ts";

/** Puts one element on a slide. Every options object is fresh: pptxgenjs writes into what it is given. */
export function draw(slide: PptxSlide, element: Element, theme: Theme, language: string): void {
  switch (element.kind) {
    case "text":
      return drawText(slide, element, theme, language);
    case "shape":
      slide.addShape("rect", {
        ...element.box,
        fill: { color: element.fill },
        line: { type: "none" },
        objectName: element.name,
      });
      return;
    case "table":
      return drawTable(slide, element, theme, language);
    case "chart":
      // Only the frame and its relations: the chart part and the workbook are written by us afterwards.
      slide.addChart("bar", [{ name: "-", labels: ["-"], values: [0] }], {
        ...element.box,
        objectName: element.name,
        altText: chartAltText(element.chart),
      });
      return;
    default:
      unreachable(element);
  }
}

function drawText(slide: PptxSlide, element: TextElement, theme: Theme, language: string): void {
  const rtl = isRightToLeft(element.runs.map((run) => run.text).join(""));
  const look = {
    fontFace: theme.font,
    fontSize: element.size,
    lang: language,
    ...(rtl ? { rtlMode: true } : {}),
  };
  const runs = element.runs.map((run) => ({
    text: run.text,
    options: {
      ...look,
      color: run.color ?? element.color,
      ...((run.bold ?? element.bold) === true ? { bold: true } : {}),
      ...(run.italic === true ? { italic: true } : {}),
      ...(run.raised === true ? { superscript: true } : {}),
    },
  }));
  const placed = {
    ...element.box,
    margin: 0,
    align: rtl && element.align === "left" ? "right" : element.align,
    valign: element.valign,
    objectName: element.name,
  };
  if (element.role === "title") slide.addText(runs, { ...placed, ...look, placeholder: TITLE_PLACEHOLDER });
  else slide.addText(runs, { ...placed, ...look, isTextBox: true, wrap: true });
}

/** By the first letter that has a direction. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first);
}

function drawTable(slide: PptxSlide, element: TableElement, theme: Theme, language: string): void {
  const none = { type: "none" };
  const cell = (
    text: string,
    column: number,
    header: boolean,
    total = false,
    lead = false,
  ): { text: string; options: { [key: string]: unknown } } => ({
    text,
    options: {
      align: element.align[column] ?? "left",
      valign: "middle",
      bold: header || total || lead,
      color: lead ? theme.colors.accent : theme.colors.ink,
      fontFace: theme.font,
      fontSize: element.size,
      lang: language,
      margin: [element.pad.y, element.pad.x, element.pad.y, element.pad.x],
      ...(header ? { fill: { color: theme.colors.panel } } : {}),
      border: [
        none,
        none,
        header
          ? { type: "solid", pt: 1.5, color: theme.colors.accent }
          : { type: "solid", pt: 0.75, color: theme.colors.rule },
        none,
      ],
    },
  });
  slide.addTable(
    [
      ...(element.header.length === 0 ? [] : [element.header.map((text, c) => cell(text, c, true))]),
      ...element.rows.map((row) =>
        // Without a header the first column leads its rows, as dates do.
        row.map((text, c) => cell(text, c, false, isTotal(row[0]), c === 0 && element.header.length === 0)),
      ),
    ],
    {
      ...element.box,
      colW: [...element.columnWidths],
      rowH: [...element.rowHeights],
      objectName: element.name,
    },
  );
}
