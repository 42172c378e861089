import type { Marked } from "./page.ts";

const MAX_FIGURE_CHARS = 16;

// A statement that opens with its number: `38 % fewer visits`, `€4.2M saved`, `3x faster`. A year is none.
const LEADING =
  /^((?:[€$£]\s?|(?:EUR|USD|SEK|NOK|DKK|GBP)\s)?[+−-]?\d[\d.,]*(?:\s?(?:%|‰|x|×|k|K|M|bn|m|million|billion|percent|per cent))?)\s+(?=\p{L})(.+)$/u;

/** Sets off the figure of each statement, where every one opens with a number or was given one. */
export function withFigures(points: readonly Marked[]): readonly Marked[] {
  const split = points.map((point) => (point.figure === undefined ? leadingFigure(point) : point));
  return split.every((point) => point !== undefined) ? split : points.map(inlineFigure);
}

function leadingFigure(point: Marked): Marked | undefined {
  const [, figure, rest] = LEADING.exec(point.text) ?? [];
  if (figure === undefined || rest === undefined) return undefined;
  if (/^(19|20)\d\d$/.test(figure) || figure.length > MAX_FIGURE_CHARS) return undefined;
  return { ...point, figure: short(figure), text: rest };
}

/** `4.2 million` as `4.2M`: a figure stands on one line. */
function short(figure: string): string {
  return figure
    .replace(/\s?million$/, "M")
    .replace(/\s?billion$/, "bn")
    .replace(/\s?(?:percent|per cent)$/, "%");
}

/** One figure among plain statements stays in the line. */
function inlineFigure(point: Marked): Marked {
  const { figure, ...rest } = point;
  return figure === undefined ? rest : { ...rest, text: `${figure}: ${point.text}` };
}
