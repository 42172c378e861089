import type { Marked } from "./page.ts";

// A statement that opens with its number: `38 % fewer visits`, `€4.2M saved`, `3x faster`. A year is none.
const LEADING =
  /^((?:[€$£]\s?|(?:EUR|USD|SEK|NOK|DKK|GBP)\s)?[+−-]?\d[\d.,]*(?:\s?(?:%|‰|x|×|k|K|M|bn|m|million|billion|percent|per cent))?)\s+(?=\p{L})(.+)$/u;

/** Sets off the figure of each statement, where every one of at most four opens with a number. */
export function withFigures(points: readonly Marked[]): readonly Marked[] {
  if (points.some((point) => point.figure !== undefined)) {
    return points.every((point) => point.figure !== undefined) ? points : points.map(inlineFigure);
  }
  if (points.length > 4) return points;
  const split = points.map((point) => {
    const match = LEADING.exec(point.text);
    const [, figure, rest] = match ?? [];
    if (figure === undefined || rest === undefined || /^(19|20)\d\d$/.test(figure) || figure.length > 12)
      return undefined;
    return { ...point, figure, text: rest };
  });
  return split.every((point) => point !== undefined) ? split : points;
}

/** One figure among plain statements stays in the line. */
function inlineFigure(point: Marked): Marked {
  const { figure, ...rest } = point;
  return figure === undefined ? rest : { ...rest, text: `${figure}: ${point.text}` };
}
