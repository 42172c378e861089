import type { StepOutcome } from "../engine/run.ts";
import type { DagStep } from "../schema/spec.ts";

/** Why a dependent of this step cannot run, or undefined when it can. `partial` is good enough. */
export function blockedBy(result: StepOutcome, policy: DagStep["onFailure"]): string | undefined {
  const { outcome, stepId, reason } = result;
  if (outcome === "completed" || outcome === "partial") return undefined;
  if (outcome === "skipped") return reason ?? `step "${stepId}" was skipped`;
  if (policy === "continue") return undefined;
  const what = outcome === "canceled" ? "was canceled" : "failed";
  return `step "${stepId}" ${what}${reason === undefined ? "" : `: ${reason}`}`;
}
