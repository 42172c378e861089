import type { Denial } from "../guard/gate.ts";
import type { Cell } from "../types/result.ts";

/** How the child is started; one JSON argument. */
export interface ChildSetup {
  readonly file: string;
  /** Tables a statement may read. */
  readonly tables: readonly string[];
  readonly threads: number;
  /** Of the engine's buffers, in MB. */
  readonly engineMb: number;
  /** Resident memory at which the child ends itself, in MB. */
  readonly rssMb: number;
}

export type ToChild =
  | {
      readonly kind: "query";
      readonly id: number;
      readonly sql: string;
      readonly maxRows: number;
      readonly maxBytes: number;
    }
  | { readonly kind: "interrupt" };

export interface RawColumn {
  readonly name: string;
  readonly type: string;
}

export type FromChild =
  | { readonly kind: "ready" }
  | {
      readonly kind: "rows";
      readonly id: number;
      /** Tables the statement reads. */
      readonly tables: readonly string[];
      /** It ends in LIMIT. */
      readonly limited: boolean;
      readonly columns: readonly RawColumn[];
      readonly rows: readonly (readonly Cell[])[];
      /** Rows or parts of cells were left out. */
      readonly cut: boolean;
    }
  /** Comes after `rows`; null when counting was interrupted. */
  | { readonly kind: "total"; readonly id: number; readonly total: number | null }
  | { readonly kind: "denied"; readonly id: number; readonly denial: Denial }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
