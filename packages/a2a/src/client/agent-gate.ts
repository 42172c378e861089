import { createBreaker, createLimiter, type Breaker, type Limiter } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { resolveLimits, type CallLimits } from "./call-limits.ts";

/**
 * What calls to one agent share, whichever connection they go through: its breaker, and the places
 * for calls at the same time.
 */
export interface AgentGate {
  readonly breaker: Breaker;
  readonly places: Limiter;
}

/** Longest time an agent that fails is left alone before the next trial, in milliseconds. */
const LONGEST_REST_MS = 10_000;

export function createAgentGate(
  limits: CallLimits,
  options: { readonly clock: Clock; readonly onOpen?: () => void },
): AgentGate {
  const { failures, restMs, maxConcurrent, maxWaiting } = resolveLimits(limits, { ours: true });
  return {
    breaker: createBreaker({
      ...options,
      threshold: failures,
      cooldownMs: restMs,
      maxCooldownMs: Math.max(restMs, LONGEST_REST_MS),
    }),
    places: createLimiter(maxConcurrent, { maxWaiting }),
  };
}
