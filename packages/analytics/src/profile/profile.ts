import type { Cell } from "../types/result.ts";

/** What one column holds. Numbers are exact; words are made from them by `describeProfile`. */
export interface ColumnProfile {
  readonly name: string;
  readonly role: string;
  readonly nulls: number;
  readonly distinct: number;
  /** Of numbers and dates, else null. */
  readonly min: Cell;
  readonly max: Cell;
  /** Numbers only: null elsewhere, and for a column without a value. */
  readonly mean: number | null;
  readonly quartiles: readonly [number, number, number] | null;
  /** The most frequent values of a category, at most five. */
  readonly top: readonly { readonly value: Cell; readonly count: number }[];
}

/** A number of a finding, as large as its sentence says it: `fell 12 %` has the figure 12. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  /** `%`, `points`, or the currency; absent where there is none. */
  readonly unit?: string;
}

/** One computed statement, with the numbers it is made of. */
export interface Finding {
  readonly kind: "trend" | "peak" | "step" | "leader" | "share" | "mover" | "figure";
  /** A sentence for a person; its numbers are formatted once, here. */
  readonly text: string;
  /** The exact values behind the words. */
  readonly values: { readonly [name: string]: string | number | null };
  /** Every number of `text`, before rounding. */
  readonly figures: readonly Figure[];
}

export interface Profile {
  /** What was looked at: a result id or a table name. */
  readonly of: string;
  readonly rows: number;
  /** Rows the figures were computed over, where not all; findings are then left out. */
  readonly sampled: number | null;
  readonly columns: readonly ColumnProfile[];
  readonly findings: readonly Finding[];
}
