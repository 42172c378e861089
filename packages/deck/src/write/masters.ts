import { unreachable } from "@troupe/stream";

import type { PptxFile } from "../adapters/pptxgen.ts";
import type { LayoutName } from "../layout/element.ts";
import { linesOf } from "../layout/fit.ts";
import { GRID, TITLE_BOXES, type Box } from "../layout/grid.ts";
import type { Theme } from "../spec/theme.ts";

export const TITLE_PLACEHOLDER = "title";

/** Defines the slide layouts of the file: title placeholder, footer with the deck's title, page number. */
export function defineMasters(file: PptxFile, theme: Theme, deckTitle: string, prompt: string): void {
  const names: readonly LayoutName[] = ["Cover", "Section", "Content", "Plain"];
  for (const name of names) {
    const title = name === "Plain" ? undefined : TITLE_BOXES[name];
    file.defineSlideMaster({
      title: name,
      background: { color: theme.colors.background },
      objects: [
        ...decoration(name, theme),
        ...(name === "Cover" ? [] : footer(theme, deckTitle)),
        ...(title === undefined
          ? []
          : [
              {
                placeholder: {
                  options: {
                    name: TITLE_PLACEHOLDER,
                    type: "title",
                    ...title,
                    margin: 0,
                    align: "left",
                    valign: name === "Cover" ? "bottom" : "top",
                    color: theme.colors.ink,
                    bold: true,
                    fontFace: theme.font,
                    objectName: "Title",
                  },
                  text: prompt,
                },
              },
            ]),
      ],
      ...(name === "Cover"
        ? {}
        : {
            slideNumber: {
              x: GRID.left + GRID.width - 1,
              y: GRID.footerTop,
              w: 1,
              h: GRID.footerHeight,
              margin: 0,
              align: "right",
              valign: "middle",
              fontFace: theme.font,
              fontSize: theme.sizes.small,
              color: theme.colors.muted,
            },
          }),
    });
  }
}

function decoration(name: LayoutName, theme: Theme): readonly object[] {
  const rect = (box: Box, color: string): object => ({
    rect: { ...box, fill: { color }, line: { type: "none" } },
  });
  switch (name) {
    case "Cover":
      return [
        rect({ x: 0, y: 0, w: 0.42, h: GRID.slideHeight }, theme.colors.accent),
        rect({ x: 1.2, y: 3.78, w: 1.6, h: 0.05 }, theme.colors.accent),
      ];
    case "Section":
      return [
        rect({ x: 0, y: 0, w: GRID.slideWidth, h: 6.8 }, theme.colors.panel),
        rect({ x: 0, y: 0, w: 0.42, h: 6.8 }, theme.colors.accent),
      ];
    case "Content":
    case "Plain":
      return [rect({ x: GRID.left, y: 0.38, w: 0.6, h: 0.06 }, theme.colors.accent)];
    default:
      return unreachable(name);
  }
}

/** The title of the deck on two lines at most; a longer one is only on the cover and in the properties. */
function footer(theme: Theme, deckTitle: string): readonly object[] {
  const width = 9;
  const lines = linesOf([{ text: deckTitle }], theme.sizes.small, width);
  if (lines > 2) return [];
  const height = lines * GRID.footerHeight;
  return [
    {
      text: {
        text: deckTitle,
        options: {
          x: GRID.left,
          y: GRID.footerTop,
          w: width,
          h: height,
          margin: 0,
          align: "left",
          valign: "middle",
          fontFace: theme.font,
          fontSize: theme.sizes.small,
          color: theme.colors.muted,
          isTextBox: true,
          objectName: "Footer",
        },
      },
    },
  ];
}
