import type { Box } from "../layout/grid.ts";
import { RULES } from "../spec/limits.ts";
import { countLines, LINE_HEIGHT } from "../text/measure.ts";
import { contrastRatio } from "./contrast.ts";
import type { LintProblem, LintRule } from "./problem.ts";
import type { SeenRun, SeenShape, SeenSlide, SeenText } from "./seen.ts";

/** Inches: what a hair's breadth over an edge is. */
const SLACK = 0.03;
const TITLES = new Set(["title", "ctrTitle"]);

/** Everything that can be told of one slide from its shapes. */
export function checkSlide(slide: SeenSlide, number: number): readonly LintProblem[] {
  const own = slide.shapes.filter((shape) => !shape.fromLayout);
  const problem = (rule: LintRule, message: string): LintProblem => ({ rule, slide: number, message });
  const titles = own.filter((shape) => TITLES.has(shape.placeholder ?? ""));
  return [
    ...own.flatMap((shape) => checkPlace(shape, slide).map((m) => problem("off-slide", m))),
    ...own.flatMap((shape) => checkText(shape, slide).map(([rule, m]) => problem(rule, m))),
    ...checkOverlap(slide).map((m) => problem("overlap", m)),
    ...(titles.length === 0 && !own.some((s) => s.kind === "text" && s.text !== undefined)
      ? [problem("missing-title", "The slide has no title.")]
      : []),
    ...own.flatMap((shape) => checkAltText(shape).map((m) => problem("alt-text", m))),
  ];
}

function checkPlace({ box, name }: SeenShape, slide: SeenSlide): readonly string[] {
  const over = Math.max(-box.x, -box.y, box.x + box.w - slide.width, box.y + box.h - slide.height);
  return over > SLACK ? [`"${name}" reaches ${over.toFixed(2)} in past the edge of the slide.`] : [];
}

function checkAltText({ name, kind, altText = "" }: SeenShape): readonly string[] {
  const isSeen = kind === "table" || kind === "chart" || kind === "picture";
  return isSeen && altText.trim() === ""
    ? [`"${name}" has no alternative text: a screen reader has nothing to say in its place.`]
    : [];
}

function checkText(shape: SeenShape, slide: SeenSlide): readonly (readonly [LintRule, string])[] {
  const { text, name, box } = shape;
  if (text === undefined) return [];
  const runs = text.paragraphs.flat().filter((run) => run.text.trim() !== "");
  if (runs.length === 0) {
    return shape.placeholder === undefined
      ? []
      : [["empty-placeholder", `The placeholder "${name}" is empty.`]];
  }
  const out: [LintRule, string][] = [];
  const small = runs.find((run) => run.size !== undefined && run.size < RULES.minFontPt);
  if (small)
    out.push([
      "font-size",
      `"${name}" has text of ${small.size} pt; at least ${RULES.minFontPt} is readable.`,
    ]);
  for (const run of runs) {
    const behind = fillBehind(shape, slide);
    if (run.color === undefined || behind === undefined) continue;
    const large = (run.size ?? 0) >= RULES.largeTextPt || (run.bold && (run.size ?? 0) >= 14);
    const ratio = contrastRatio(run.color, behind);
    const wanted = large ? RULES.minContrastLarge : RULES.minContrast;
    if (ratio < wanted) {
      out.push([
        "contrast",
        `"${name}": #${run.color} on #${behind} has contrast ${ratio.toFixed(1)}; ${wanted} is needed.`,
      ]);
      break;
    }
  }
  const lines = linesOf(text, box);
  if (lines === undefined) return out;
  const height = textHeight(text, box);
  const room = box.h - text.insets.t - text.insets.b;
  if (!text.autofit && height > room + SLACK) {
    out.push([
      "overflow",
      `"${name}" needs ${height.toFixed(2)} in and has ${room.toFixed(2)} in: shorten the text.`,
    ]);
  }
  if (TITLES.has(shape.placeholder ?? "") && lines > RULES.maxTitleLines) {
    out.push(["title-lines", `The title takes ${lines} lines; at most ${RULES.maxTitleLines}.`]);
  }
  return out;
}

/** The colour that the middle of a shape stands on: its own, else the nearest filled one below it. */
function fillBehind(shape: SeenShape, slide: SeenSlide): string | undefined {
  const index = slide.shapes.indexOf(shape);
  const x = shape.box.x + shape.box.w / 2;
  const y = shape.box.y + shape.box.h / 2;
  const below = slide.shapes
    .slice(0, index + 1)
    .findLast(
      ({ box, fill }) =>
        fill !== undefined && x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h,
    );
  return below?.fill ?? slide.background;
}

const sizeOf = (runs: readonly SeenRun[]): number | undefined => {
  const sizes = runs.map((run) => run.size);
  return sizes.includes(undefined) || sizes.length === 0 ? undefined : Math.max(...(sizes as number[]));
};

function lineCounts(text: SeenText, box: Box): readonly { lines: number; size: number }[] | undefined {
  const width = (box.w - text.insets.l - text.insets.r) * 72;
  const counted = text.paragraphs.map((runs) => {
    const size = sizeOf(runs);
    if (size === undefined) return runs.length === 0 ? { lines: 1, size: 0 } : undefined;
    const measured = runs.map((r) => ({
      text: r.text,
      bold: r.bold,
      size: (r.size ?? size) * (r.raised ? 0.67 : 1),
    }));
    return { lines: countLines(measured, size, width), size };
  });
  return counted.every((c) => c !== undefined) ? counted : undefined;
}

function linesOf(text: SeenText, box: Box): number | undefined {
  return lineCounts(text, box)?.reduce((n, c) => n + c.lines, 0);
}

function textHeight(text: SeenText, box: Box): number {
  return (lineCounts(text, box) ?? []).reduce((h, c) => h + (c.lines * c.size * LINE_HEIGHT) / 72, 0);
}

/** Where the ink of a shape stands: a text box is mostly air. */
function ink(shape: SeenShape): Box | undefined {
  if (shape.kind === "table" || shape.kind === "chart" || shape.kind === "picture") return shape.box;
  const { text, box } = shape;
  if (text === undefined || text.paragraphs.flat().every((run) => run.text.trim() === "")) return undefined;
  const h = Math.min(textHeight(text, box) || box.h, box.h);
  const top = box.y + text.insets.t;
  const free = box.h - text.insets.t - text.insets.b - h;
  const y = text.valign === "top" ? top : text.valign === "middle" ? top + free / 2 : top + free;
  return { x: box.x, y, w: box.w, h };
}

function checkOverlap(slide: SeenSlide): readonly string[] {
  const inked = slide.shapes.flatMap((shape) => {
    const box = ink(shape);
    return box === undefined ? [] : [{ shape, box }];
  });
  const out: string[] = [];
  inked.forEach((a, i) => {
    for (const b of inked.slice(i + 1)) {
      if (a.shape.fromLayout && b.shape.fromLayout) continue;
      const w = Math.min(a.box.x + a.box.w, b.box.x + b.box.w) - Math.max(a.box.x, b.box.x);
      const h = Math.min(a.box.y + a.box.h, b.box.y + b.box.h) - Math.max(a.box.y, b.box.y);
      if (w > SLACK && h > SLACK)
        out.push(`"${a.shape.name}" and "${b.shape.name}" overlap by ${w.toFixed(2)} × ${h.toFixed(2)} in.`);
    }
  });
  return out;
}
