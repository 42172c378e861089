import type { Box } from "../layout/grid.ts";

/** Text as a reader of the file sees it; what the file leaves open is undefined. */
export interface SeenRun {
  readonly text: string;
  readonly size?: number;
  readonly bold: boolean;
  readonly color?: string;
  readonly raised: boolean;
}

export interface SeenText {
  readonly paragraphs: readonly (readonly SeenRun[])[];
  readonly valign: "top" | "middle" | "bottom";
  /** Inches inside the box. */
  readonly insets: { readonly l: number; readonly t: number; readonly r: number; readonly b: number };
  /** The program fits text or box itself, so overflow is not ours to tell. */
  readonly autofit: boolean;
}

export interface SeenShape {
  readonly name: string;
  readonly kind: "text" | "table" | "chart" | "picture" | "other";
  readonly box: Box;
  readonly fill?: string;
  readonly text?: SeenText;
  /** What a screen reader says in place of a picture, a table or a chart. */
  readonly altText?: string;
  readonly placeholder?: string;
  /** Comes from the slide's layout: background, footer. */
  readonly fromLayout: boolean;
}

export interface SeenSlide {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** Back to front. */
  readonly shapes: readonly SeenShape[];
}
