import type { AgentConfig } from "../config/agent-config.ts";
import type { Limits } from "../ports/delegation.ts";
import { limitsSchema } from "../schemas/delegation.ts";

const NAMES = Object.keys(limitsSchema.shape) as (keyof Limits)[];

/** A delegation narrows what the configuration allows and never widens it. */
export function effectiveLimits(
  config: AgentConfig,
  asked: Limits,
): Limits & { readonly maxIterations: number } {
  const limits: { -readonly [name in keyof Limits]: number } = {};
  for (const name of NAMES) {
    const least = Math.min(config.limits[name] ?? Infinity, asked[name] ?? Infinity);
    if (least !== Infinity) limits[name] = least;
  }
  return { ...limits, maxIterations: Math.min(config.max_iterations, limits.maxIterations ?? Infinity) };
}
