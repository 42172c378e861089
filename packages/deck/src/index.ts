export { fitSlide, type SlideFit } from "./fit-slide.ts";
export type {
  AddedSlide,
  ChartElement,
  DeckLayout,
  Element,
  LaidSlide,
  LayoutName,
  Run,
  ShapeElement,
  TableElement,
  TextElement,
} from "./layout/element.ts";
export { layoutDeck } from "./layout/layout-deck.ts";
export { lintDeck } from "./lint/lint-deck.ts";
export { lintLayout } from "./lint/lint-layout.ts";
export { BREAKING, type LintProblem, type LintRule } from "./lint/problem.ts";
export { deckSpecSchema, type DeckInput, type DeckSpec } from "./spec/deck-spec.ts";
export { LIMITS, RULES } from "./spec/limits.ts";
export {
  chartSchema,
  originSchema,
  pointSchema,
  SLIDE_KINDS,
  slideFields,
  slideSchema,
  sourceSchema,
  type Origin,
  type Point,
  type SlideInput,
  type SlideKind,
  type SlideOf,
  type SlideSpec,
} from "./spec/slide-schema.ts";
export { THEME_NAMES, themeNamed, type Theme, type ThemeName } from "./spec/theme.ts";
export { cleanLine, cleanText } from "./text/clean.ts";
export { PPTX_MEDIA_TYPE, writeDeck, type WrittenDeck } from "./write/write-deck.ts";
