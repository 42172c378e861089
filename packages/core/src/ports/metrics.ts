/**
 * Counts what happened. Names are those of Prometheus: `troupe_artifacts_total`. Attribute values come
 * from a small set that the code knows, never from a model, a person or an id: each combination is
 * kept for as long as the process lives.
 */
export interface Metrics {
  /** Adds `by`, which is not negative. */
  count(name: string, by?: number, attributes?: { readonly [key: string]: string }): void;
}

/** For where nobody counts. */
export const silentMetrics: Metrics = { count: () => undefined };
