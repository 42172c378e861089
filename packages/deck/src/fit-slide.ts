import type { LaidSlide } from "./layout/element.ts";
import { layoutDeck } from "./layout/layout-deck.ts";
import { lintLayout } from "./lint/lint-layout.ts";
import { deckSpecSchema } from "./spec/deck-spec.ts";
import type { SlideSpec } from "./spec/slide-schema.ts";
import { themeNamed, type ThemeName } from "./spec/theme.ts";

/** How one slide of a spec fits on the slides of the file. */
export interface SlideFit {
  /** Everything stands on one slide, and nothing about it has to be mended. */
  readonly fits: boolean;
  /** Slides of the file that it takes; 0 where there is nothing to show. */
  readonly slides: number;
  /** Points; the smallest that are used. Absent where the slide has no such text. */
  readonly sizes: { readonly title?: number; readonly body?: number };
  /**
   * One or two sentences for a person or a model: `Fits on one slide, text at 22 pt.` or
   * `Needs 2 slides: 14 bullets, room for 9 at 14 pt.` Ends with what to do where `fits` is false.
   */
  readonly text: string;
}

/** Measures one slide as the file will show it. A list of sources depends on the deck and always fits. */
export function fitSlide(slide: SlideSpec, options: { readonly theme?: ThemeName } = {}): SlideFit {
  if (slide.kind === "sources")
    return {
      fits: true,
      slides: 1,
      sizes: {},
      text: "Lists what the deck cites; takes as many slides as it needs.",
    };
  const spec = deckSpecSchema.parse({
    v: 1,
    title: "-",
    sourcesSlide: false,
    slides: [slide],
    ...(options.theme === undefined ? {} : { theme: options.theme }),
  });
  const layout = layoutDeck(spec);
  const problems = lintLayout(layout, themeNamed(spec.theme)).map(({ message }) => message);
  const count = layout.slides.length;
  const sizes = sizesOf(layout.slides);
  const fits = count === 1 && problems.length === 0;
  const taken = count === 1 ? "Fits on one slide" : `Needs ${count} slides`;
  const size = sizes.body === undefined ? "" : `, text at ${sizes.body} pt`;
  return { fits, slides: count, sizes, text: [`${taken}${size}.`, ...problems].join(" ") };
}

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
