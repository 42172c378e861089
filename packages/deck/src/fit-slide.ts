import type { LaidSlide } from "./layout/element.ts";
import { layoutDeck } from "./layout/layout-deck.ts";
import { lintLayout } from "./lint/lint-layout.ts";
import type { LintProblem } from "./lint/problem.ts";
import { deckSpecSchema } from "./spec/deck-spec.ts";
import { RULES } from "./spec/limits.ts";
import type { SlideSpec } from "./spec/slide-schema.ts";
import { themeNamed, type ThemeName } from "./spec/theme.ts";

/** How one slide of a spec fits on the slides of the file. */
export interface SlideFit {
  /** Everything is on one slide, and the lint finds nothing. */
  readonly fits: boolean;
  /** Slides of the file that it takes. */
  readonly slides: number;
  /** Points; the smallest that are used. Absent where the slide has no such text. */
  readonly sizes: { readonly title?: number; readonly body?: number };
  /**
   * For a person or a model: `Fits on one slide, text at 22 pt.` or `Needs 2 slides: 14 bullets, room for 9 at 14 pt.`,
   * then what the lint finds, such as a title of three lines.
   */
  readonly text: string;
}

/** Lays one slide out as the deck would, so that the answer is what the file will show. */
export function fitSlide(slide: SlideSpec, options: { readonly theme?: ThemeName } = {}): SlideFit {
  // What it lists depends on the deck.
  if (slide.kind === "sources")
    return {
      fits: true,
      slides: 1,
      sizes: {},
      text: "Lists what the deck cites, on as many slides as it takes.",
    };
  const spec = deckSpecSchema.parse({
    v: 1,
    title: "Deck",
    sourcesSlide: false,
    slides: [slide],
    ...(options.theme === undefined ? {} : { theme: options.theme }),
  });
  const layout = layoutDeck(spec);
  const problems = lintLayout(layout, themeNamed(spec.theme));
  const sizes = sizesOf(layout.slides);
  const text = [describe(layout.slides, sizes), ...new Set(problems.map(adviceOf))].join(" ");
  const slides = layout.slides.length;
  return { fits: slides === 1 && problems.length === 0, slides, sizes, text };
}

function describe(slides: readonly LaidSlide[], sizes: SlideFit["sizes"]): string {
  const room = slides[0]?.room;
  if (slides.length > 1) return `Needs ${slides.length} slides${room === undefined ? "" : `: ${room}`}.`;
  return `Fits on one slide${sizes.body === undefined ? "" : `, text at ${sizes.body} pt`}.`;
}

const adviceOf = ({ rule, message }: LintProblem): string =>
  rule === "title-lines"
    ? `${message} Shorten it to ${RULES.maxTitleLines} lines, about 100 characters.`
    : message;

function sizesOf(slides: readonly LaidSlide[]): SlideFit["sizes"] {
  const smallest = (sizes: readonly number[]): number | undefined =>
    sizes.length === 0 ? undefined : Math.min(...sizes);
  const elements = slides.flatMap((slide) => slide.elements);
  const title = smallest(elements.flatMap((e) => (e.kind === "text" && e.role === "title" ? [e.size] : [])));
  const body = smallest(
    elements.flatMap((e) => (e.kind === "table" || (e.kind === "text" && e.role === "body") ? [e.size] : [])),
  );
  return { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
}
