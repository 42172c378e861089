import type { Usage } from "@troupe/stream";

/** More than any call takes; sums of it stay whole numbers. */
const MAX_COUNT = 1e12;

/**
 * What an endpoint reports, as counts. One that reports less than nothing must not buy a run more, and
 * what is no number must not spoil the sum.
 */
export function countedUsage(reported: Usage): Usage {
  return {
    inputTokens: count(reported.inputTokens),
    outputTokens: count(reported.outputTokens),
    cacheReadTokens: count(reported.cacheReadTokens),
    cacheWriteTokens: count(reported.cacheWriteTokens),
    modelCalls: count(reported.modelCalls),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.min(Math.round(value), MAX_COUNT) : 0;
}
