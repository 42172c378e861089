import { usedUpLimit, type Limits, type SharedLimit } from "@troupe/core";
import type { ErrorInfo } from "@troupe/stream";

type Budget = Pick<Limits, SharedLimit>;

const KEYS = { maxTotalTokens: "max_total_tokens", maxCostUsd: "max_cost_usd" } as const satisfies {
  readonly [limit in SharedLimit]: string;
};
const ALL: readonly SharedLimit[] = ["maxTotalTokens", "maxCostUsd"];

/**
 * What the run may use is used up: said in one way wherever it is noticed.
 * @param limits those that are used up
 */
export function budgetError(reason: string, limits: readonly SharedLimit[]): ErrorInfo {
  const whole = reason.replace(/\.?$/, ".");
  const keys = limits.map((limit) => KEYS[limit]).join(" and ");
  const message = `${whole} What was finished before is kept; raise ${keys} in the limits of the workflow, or ask for less, and run it again.`;
  return { code: "workflow.budget", message };
}

/** The limits that an `agent.budget` error is about, of those that were set; all of them where it names none. */
export function shortLimits(message: string, set: Budget): readonly SharedLimit[] {
  const named = usedUpLimit(message);
  return ALL.filter((limit) => set[limit] !== undefined && (named === undefined || named === limit));
}

/**
 * The error of an attempt, told as the run's where the agent used up what it was lent of the run's limits, and
 * not what the step may use anyway.
 * @param lent what the attempt was handed
 * @param own the limits of the step
 */
export function ofRunsBudget(error: ErrorInfo, lent: Budget, own: Budget): ErrorInfo {
  if (error.code !== "agent.budget") return error;
  const short = shortLimits(error.message, lent).filter((limit) => lent[limit] !== own[limit]);
  return short.length === 0 ? error : budgetError(error.message, short);
}
