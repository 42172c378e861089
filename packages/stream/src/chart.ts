import type { FoundBy } from "./found-by.ts";

/** How a chart is drawn. `bar` is horizontal, `column` vertical; `number` is one big figure. */
export type ChartKind = "bar" | "column" | "line" | "area" | "pie" | "scatter" | "number";

export interface ChartField {
  /** Key into each row. */
  readonly field: string;
  /** What a reader sees. */
  readonly label: string;
  readonly type: "category" | "date" | "number";
  /** Unit for display, such as `EUR` or `%`. */
  readonly unit?: string;
  /** Decimals that every figure of it is shown with, 0 to 6; as many as it has when absent. */
  readonly decimals?: number;
}

export type ChartRow = { readonly [field: string]: string | number | null };

/**
 * A chart with the rows it shows (at most 500). It carries its numbers, so a picture, a native
 * pptx chart and a table all show the same ones; `provenance` says where they came from.
 */
export interface ChartSpec {
  readonly v: 1;
  /** Unique within a run, such as `chart-1`. */
  readonly id: string;
  readonly kind: ChartKind;
  readonly title: string;
  /** Category or x axis. Absent for `number`. */
  readonly x?: ChartField;
  /** One or more measures; all have type `number`. */
  readonly series: readonly ChartField[];
  readonly stacked?: boolean;
  /** Values of the axis, or labels of series, that stand out from the others. */
  readonly highlight?: readonly string[];
  /** Whether figures stand beside their marks; where they have room when absent. */
  readonly labels?: boolean;
  readonly rows: readonly ChartRow[];
  /** True when the query had more rows than are carried here. */
  readonly truncated?: boolean;
  readonly provenance: {
    readonly resultId: string;
    /** The statement that produced the rows. */
    readonly query: string;
    /** Name of the data source, such as a CSV file. */
    readonly source: string;
  };
  /** In the answer of a workflow. */
  readonly foundBy?: FoundBy;
}
