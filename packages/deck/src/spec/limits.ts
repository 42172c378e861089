/** Bounds on what a spec may hold. Specs are written by models, so every list and text has one. */
export const LIMITS = {
  slides: 100,
  titleChars: 300,
  /** A statement. */
  bulletChars: 4_000,
  /** A subtitle, heading, name or address, which never continues on another slide. */
  lineChars: 300,
  nameChars: 200,
  figureChars: 24,
  bullets: 20,
  more: 60,
  agendaItems: 20,
  notesChars: 10_000,
  sources: 40,
  origins: 6,
  columns: 12,
  rows: 100,
  cellChars: 400,
  quoteChars: 4_000,
  citationQuoteChars: 8_000,
} as const;

/** Rules every laid-out slide keeps; the lint measures the same ones. */
export const RULES = {
  minFontPt: 12,
  maxTitleLines: 2,
  /** WCAG AA: 4.5, or 3 for large text. */
  minContrast: 4.5,
  minContrastLarge: 3,
  largeTextPt: 18,
} as const;
