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

/** How long a run may work where nobody says: a tool that never returns must not keep it at work for ever. */
const DEFAULT_TIMEOUT_MS = 60 * 60_000;

/** What the configuration and a delegation allow together. */
export function effectiveLimits(
  { limits, max_iterations }: AgentConfig,
  asked: Limits,
): Limits & { readonly maxIterations: number; readonly timeoutMs: number } {
  const narrowed = narrowLimits(limits, asked);
  return {
    ...narrowed,
    maxIterations: Math.min(max_iterations, narrowed.maxIterations ?? Infinity),
    timeoutMs: narrowed.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
}
