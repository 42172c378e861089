import type { ChartSpec } from "@troupe/stream";

import type { Box } from "./grid.ts";

/** Text of one look inside a paragraph. */
export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Six hex digits. */
  readonly color?: string;
  /** A raised source mark such as `[1]`. */
  readonly raised?: boolean;
}

/** What a text is for: lint and words are counted by it. */
export type TextRole = "title" | "body" | "figure" | "source" | "decor";

/** One paragraph in a box without insets, so that what was measured is what is drawn. */
export interface TextElement {
  readonly kind: "text";
  readonly role: TextRole;
  /** Shown in the selection pane and to screen readers. */
  readonly name: string;
  readonly box: Box;
  readonly runs: readonly Run[];
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly align: "left" | "center" | "right";
  readonly valign: "top" | "middle" | "bottom";
}

/** A rectangle without text: panels, bars, hairlines. */
export interface ShapeElement {
  readonly kind: "shape";
  readonly name: string;
  readonly box: Box;
  readonly fill: string;
}

export interface TableElement {
  readonly kind: "table";
  readonly name: string;
  readonly box: Box;
  /** Empty where the table has no header row. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly altText: string;
  readonly columnWidths: readonly number[];
  readonly rowHeights: readonly number[];
  readonly align: readonly ("left" | "right")[];
  readonly size: number;
  /** Inches kept free in a cell: left and right, top and bottom. */
  readonly pad: { readonly x: number; readonly y: number };
}

export interface ChartElement {
  readonly kind: "chart";
  readonly name: string;
  readonly box: Box;
  readonly chart: ChartSpec;
}

export type Element = TextElement | ShapeElement | TableElement | ChartElement;

/** Which slide layout of the file a slide uses. */
export type LayoutName = "Cover" | "Section" | "Content" | "Plain";

export interface LaidSlide {
  readonly layout: LayoutName;
  readonly title: string;
  readonly elements: readonly Element[];
  readonly notes: string;
  /** On the first of the slides of a spec slide that takes several: why, such as `14 bullets, room for 9 at 14 pt`. */
  readonly room?: string;
  /** Index of the slide in the spec; absent for one that the composer added. */
  readonly from?: number;
}

export interface DeckLayout {
  readonly title: string;
  readonly slides: readonly LaidSlide[];
  /** Slides that the spec does not name and the composer added, in order. */
  readonly added: readonly AddedSlide[];
}

/** Slides of one kind that the composer added; `slides` is how many it takes. */
export interface AddedSlide {
  readonly kind: "sources";
  readonly slides: number;
}
