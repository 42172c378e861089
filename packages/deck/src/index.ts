export type {
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
export { deckSpecSchema, type DeckInput, type DeckSpec } from "./spec/deck-spec.ts";
export { LIMITS, RULES } from "./spec/limits.ts";
export {
  pointSchema,
  slideSchema,
  type Point,
  type SlideInput,
  type SlideKind,
  type SlideOf,
  type SlideSpec,
} from "./spec/slide-schema.ts";
export { THEME_NAMES, themeNamed, type Theme, type ThemeName } from "./spec/theme.ts";
export { cleanLine, cleanText } from "./text/clean.ts";
export { PPTX_MEDIA_TYPE, writeDeck, type WrittenDeck } from "./write/write-deck.ts";
