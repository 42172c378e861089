import type { QueryResult } from "../types/result.ts";

const MAX_RESULTS = 100;
const MAX_CELLS = 2_000_000;

export interface ResultStore {
  add(result: QueryResult): void;
  get(id: string): QueryResult | undefined;
}

/** Keeps results within a bound of number and size; the ones longest unused go first. */
export function createResultStore(): ResultStore {
  const kept = new Map<string, QueryResult>();
  let cells = 0;
  const size = (result: QueryResult): number => result.rows.length * result.columns.length;
  return {
    add(result) {
      kept.set(result.id, result);
      cells += size(result);
      for (const [id, oldest] of kept) {
        if (kept.size === 1 || (kept.size <= MAX_RESULTS && cells <= MAX_CELLS)) break;
        kept.delete(id);
        cells -= size(oldest);
      }
    },
    get(id) {
      const result = kept.get(id);
      if (result === undefined) return undefined;
      kept.delete(id);
      kept.set(id, result);
      return result;
    },
  };
}
