import type { Limits } from "@troupe/core";
import type { ErrorInfo } from "@troupe/stream";

type Budget = Pick<Limits, "maxTotalTokens" | "maxCostUsd">;

/** What the run may use is used up: said in one way wherever it is noticed. */
export function budgetError(reason: string, { maxTotalTokens, maxCostUsd }: Budget): ErrorInfo {
  const keys = [
    ...(maxTotalTokens === undefined ? [] : ["max_total_tokens"]),
    ...(maxCostUsd === undefined ? [] : ["max_cost_usd"]),
  ];
  const whole = reason.replace(/\.?$/, ".");
  const message = `${whole} What was finished before is kept; raise ${keys.join(" and ")} in the limits of the workflow, or ask for less, and run it again.`;
  return { code: "workflow.budget", message };
}

/**
 * The error of an attempt, told as the run's where the agent used up what it was lent of the run's limits, and
 * not what the step may use anyway.
 * @param lent what the attempt was handed
 * @param own the limits of the step
 */
export function ofRunsBudget(error: ErrorInfo, lent: Budget, own: Budget): ErrorInfo {
  const tokens = lent.maxTotalTokens === own.maxTotalTokens ? undefined : lent.maxTotalTokens;
  const dollars = lent.maxCostUsd === own.maxCostUsd ? undefined : lent.maxCostUsd;
  if (error.code !== "agent.budget" || (tokens === undefined && dollars === undefined)) return error;
  return budgetError(error.message, {
    ...(tokens === undefined ? {} : { maxTotalTokens: tokens }),
    ...(dollars === undefined ? {} : { maxCostUsd: dollars }),
  });
}
