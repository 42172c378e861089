import type { AgentConfig } from "../config/agent-config.ts";
import type { Limits } from "../ports/delegation.ts";
import { limitsSchema } from "../schemas/delegation.ts";

const NAMES = Object.keys(limitsSchema.shape) as (keyof Limits)[];

/** The lower of two limits each: whoever adds one narrows and never widens. */
export function narrowLimits(given: Limits, asked: Limits): Limits {
  const limits: { -readonly [name in keyof Limits]: number } = {};
  for (const name of NAMES) {
    const least = Math.min(given[name] ?? Infinity, asked[name] ?? Infinity);
    if (least !== Infinity) limits[name] = least;
  }
  return limits;
}

/** What the configuration and a delegation allow together. */
export function effectiveLimits(
  { limits, max_iterations }: AgentConfig,
  asked: Limits,
): Limits & { readonly maxIterations: number } {
  const narrowed = narrowLimits(limits, asked);
  return { ...narrowed, maxIterations: Math.min(max_iterations, narrowed.maxIterations ?? Infinity) };
}
