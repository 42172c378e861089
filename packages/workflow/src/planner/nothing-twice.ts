import { InputError } from "@troupe/core";

import { resolveSteps } from "../schema/resolve-steps.ts";
import type { Workflow } from "../schema/workflow-schema.ts";

/**
 * A planner that asks an agent the same twice has lost count: both would find the same, and be paid for.
 * Whoever writes a file may mean it, to compare two answers. Throws an `InputError` that names both steps.
 */
export function assertNothingTwice(workflow: Workflow): void {
  const seen = new Map<string, string>();
  for (const { label, step, dependsOn } of resolveSteps(workflow)) {
    if (step.kind === "human") continue;
    const asked = JSON.stringify([
      step.agent,
      step.instruction.trim(),
      step.collection,
      dependsOn.toSorted(),
    ]);
    const before = seen.get(asked);
    if (before !== undefined)
      throw new InputError(
        "input.invalid",
        `steps "${before}" and "${label}" ask agent "${step.agent ?? ""}" the same; leave one out, or say in what they differ`,
      );
    seen.set(asked, label);
  }
}
