export { backoffMs, type BackoffOptions } from "./backoff.ts";
export { createBreaker, type Breaker, type BreakerOptions, type BreakerState, type Pass } from "./breaker.ts";
export { insist, type InsistOptions } from "./insist.ts";
export { createLimiter, type Limiter, type LimiterOptions } from "./limiter.ts";
export { retryAfterMs } from "./retry-after.ts";
