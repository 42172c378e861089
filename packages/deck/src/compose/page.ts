import type { ChartSpec } from "@troupe/stream";

/** A statement with the numbers of its sources. */
export interface Marked {
  /** Without its lead. */
  readonly text: string;
  /** What the spec marks as lead, such as `Owner:`; shown in bold before the text. */
  readonly lead?: string;
  readonly figure?: string;
  readonly marks: readonly number[];
}

export interface Column {
  readonly heading?: string;
  readonly points: readonly Marked[];
}

/** What stands on one slide below its title. */
export type Content =
  | { readonly form: "cover"; readonly subtitle?: string; readonly byline?: string }
  | { readonly form: "agenda"; readonly items: readonly string[]; readonly first: number }
  | { readonly form: "section"; readonly number?: number; readonly subtitle?: string }
  | { readonly form: "points"; readonly points: readonly Marked[] }
  | {
      readonly form: "figures";
      readonly points: readonly Marked[];
      readonly caption?: string;
      /** What the figures mean, below them. */
      readonly remarks?: readonly Marked[];
    }
  | { readonly form: "columns"; readonly columns: readonly [Column, Column] }
  | {
      readonly form: "chart";
      readonly chart: ChartSpec;
      /** Title and unit above it. */ readonly caption: string;
      readonly points: readonly Marked[];
    }
  | {
      readonly form: "table";
      readonly header: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      /** It lists the sources of the deck. */
      readonly ofSources?: true;
    }
  | {
      readonly form: "quote";
      readonly quote: string;
      readonly by?: string;
      readonly marks: readonly number[];
    }
  | { readonly form: "closing"; readonly points: readonly Marked[]; readonly contact?: string };

export interface Cell {
  readonly text: string;
  readonly number: boolean;
}

/** One slide to be: everything is clean, numbered and fits; only its place is open. */
export interface Page {
  readonly title: string;
  readonly content: Content;
  /** `[1] AI Strategy 2026, p. 4` and the data source, at the foot of the slide. */
  readonly sourceLine?: string;
  readonly notes: string;
  /** On the first of several slides: why they are several, such as `14 bullets, room for 9 at 14 pt`. */
  readonly room?: string;
  /** Index of the slide in the spec it came from; undefined for one that was generated. */
  readonly from?: number;
}
