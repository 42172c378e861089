import type { Marked } from "../compose/page.ts";
import type { Theme } from "../spec/theme.ts";
import type { Run, ShapeElement, TextElement, TextRole } from "./element.ts";
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

export const plain = (text: string): readonly Run[] => [{ text }];

/** `Lead: rest` with the lead in bold, then the raised source marks. */
export function pointRuns(point: Marked, theme: Theme): readonly Run[] {
  const match = /^([^:]{2,40}):\s+(\S.*)$/.exec(point.text);
  const [, lead = "", rest = ""] = match ?? [];
  const isLead = match !== null && lead.split(" ").length <= 5 && !/https?$/.test(lead);
  const body: Run[] = isLead ? [{ text: `${lead}: `, bold: true }, { text: rest }] : [{ text: point.text }];
  return [...body, ...markRuns(point.marks, theme)];
}

/** Raised `[1][3]`, joined to the last word so that it never starts a line alone. */
export function markRuns(marks: readonly number[], theme: Theme): readonly Run[] {
  if (marks.length === 0) return [];
  return [{ text: marks.map((n) => `[${n}]`).join(""), raised: true, color: theme.colors.accent }];
}
