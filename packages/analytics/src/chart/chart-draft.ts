import type { ChartField, ChartKind, ChartRow } from "@troupe/stream";

/** A chart before it has an id and a provenance. */
export interface ChartDraft {
  /** From the columns, such as `Revenue by quarter`. */
  readonly title: string;
  readonly kind: ChartKind;
  readonly x?: ChartField;
  readonly series: readonly ChartField[];
  readonly rows: readonly ChartRow[];
  readonly stacked?: boolean;
  /** Points were left out or put together. */
  readonly reduced?: boolean;
  /** Why this kind, in a sentence. */
  readonly reason: string;
}
