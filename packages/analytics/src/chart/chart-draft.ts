import type { ChartField, ChartKind, ChartRow } from "@troupe/stream";

import type { Dimension } from "../shape/shape.ts";

/** A chart before it has an id and a provenance. */
export interface ChartDraft {
  /** From the columns, such as `Revenue by quarter`. */
  readonly title: string;
  readonly kind: ChartKind;
  readonly x?: ChartField;
  readonly series: readonly ChartField[];
  readonly rows: readonly ChartRow[];
  readonly stacked?: boolean;
  /** Dimensions of the rows: the axis, then the one that gives the colours. None for figures, bins and clouds. */
  readonly by: readonly Dimension[];
  /** Names of the columns whose figures are shown. */
  readonly measures: readonly string[];
  /** Points were left out or put together. */
  readonly reduced?: boolean;
  /** Why this kind, in a sentence. */
  readonly reason: string;
}
