import type { Marked } from "../compose/page.ts";
import type { Theme } from "../spec/theme.ts";
import type { Run, ShapeElement, TextElement, TextRole } from "./element.ts";
import { tied } from "../text/tie.ts";
import { fitSize } from "./fit.ts";
import type { Box } from "./grid.ts";

/** Small builders that the layouts of all kinds share. */
export interface Brush {
  readonly theme: Theme;
  text(name: string, box: Box, runs: readonly Run[], look: Look): TextElement;
  /** Plain text at the largest of `sizes` (descending) that fits. */
  fitted(
    name: string,
    box: Box,
    text: string,
    sizes: readonly number[],
    look: Omit<Look, "size">,
  ): TextElement;
  shape(name: string, box: Box, fill: string): ShapeElement;
}

export interface Look {
  readonly size: number;
  readonly role?: TextRole;
  readonly color?: string;
  readonly bold?: boolean;
  readonly align?: "left" | "center" | "right";
  readonly valign?: "top" | "middle" | "bottom";
}

export function createBrush(theme: Theme): Brush {
  const text: Brush["text"] = (name, box, runs, look) => ({
    kind: "text",
    role: look.role ?? "body",
    name,
    box,
    runs,
    size: look.size,
    color: look.color ?? theme.colors.ink,
    ...(look.bold === undefined ? {} : { bold: look.bold }),
    align: look.align ?? "left",
    valign: look.valign ?? "top",
  });
  return {
    theme,
    text,
    fitted: (name, box, line, sizes, look) => {
      const runs = plain(line);
      return text(name, box, runs, {
        ...look,
        size: fitSize([{ runs, box, bold: look.bold ?? false }], sizes),
      });
    },
    shape: (name, box, fill) => ({ kind: "shape", name, box, fill }),
  };
}

export const plain = (text: string): readonly Run[] => [{ text: tied(text) }];

/** The lead in bold, or the figure if other statements have none; then the text and the raised source marks. */
export function pointRuns(point: Marked, theme: Theme): readonly Run[] {
  return [...openingRuns(point, theme), ...plain(point.text), ...markRuns(point, theme)];
}

function openingRuns({ lead, figure }: Marked, theme: Theme): readonly Run[] {
  return [
    ...(figure === undefined ? [] : [{ text: `${tied(figure)} `, bold: true, color: theme.colors.accent }]),
    ...(lead === undefined ? [] : [{ text: `${tied(lead)} `, bold: true }]),
  ];
}

const CURRENCY = "(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|[€$£])";
/** A number that says how much: with a currency before it or a unit after it. */
const FIGURE = new RegExp(
  `${CURRENCY}\\s?\\d[\\d.,]*(?<![.,])(?:\\s(?:million|billion))?|\\d[\\d.,]*(?<![.,])\\s?(?:%|percent|per\\scent|million\\s${CURRENCY}|million|billion|hours|days)(?!\\p{L})`,
  "gu",
);

/** The same with the figures of a plain statement set off, for a slide of few statements. */
export function strongRuns(point: Marked, theme: Theme): readonly Run[] {
  if (point.lead !== undefined || point.figure !== undefined) return pointRuns(point, theme);
  const runs: Run[] = [];
  const text = tied(point.text);
  let at = 0;
  for (const { 0: figure, index } of text.matchAll(FIGURE)) {
    if (index > at) runs.push({ text: text.slice(at, index) });
    runs.push({ text: figure, bold: true, color: theme.colors.accent });
    at = index + figure.length;
  }
  if (at < text.length) runs.push({ text: text.slice(at) });
  return [...runs, ...markRuns(point, theme)];
}

/**
 * Raised `[1][3]`, which never starts a line alone: no line breaks between a letter and a bracket, and
 * after anything else a no-break space joins them.
 */
export function markRuns({ text, marks }: Pick<Marked, "text" | "marks">, theme: Theme): readonly Run[] {
  if (marks.length === 0) return [];
  const glue = /[\p{Script=Latin}\p{Nd}]$/u.test(text) ? "" : "\u00a0";
  return [
    { text: `${glue}${marks.map((n) => `[${n}]`).join("")}`, raised: true, color: theme.colors.accent },
  ];
}
