import type { Delegation } from "@troupe/core";

import type { DagStep } from "../../schema/spec.ts";
import { earlierFor } from "./earlier-for.ts";
import type { StepHost } from "../host.ts";

/**
 * What an agent is asked for a step, with what was wrong with its answer before. It is never given more time
 * than the run has left.
 */
export function delegationOf(
  host: StepHost,
  step: DagStep,
  { limits, problem }: { readonly limits: DagStep["limits"]; readonly problem: string | undefined },
): Delegation {
  const { input, leftMs = limits.timeoutMs } = host;
  const collectionId = step.collection ?? input.collectionId;
  return {
    v: 1,
    objective: input.objective,
    instruction:
      problem === undefined
        ? step.instruction
        : `${step.instruction}\n\nYour answer before was not taken: ${problem}`,
    expectedOutput: step.expectedOutput,
    ...(step.outputSchema === undefined ? {} : { outputSchema: step.outputSchema }),
    allowedTools: step.allowedTools,
    limits: { ...limits, timeoutMs: Math.max(1, Math.min(limits.timeoutMs, leftMs)) },
    ...(input.userId === undefined ? {} : { userId: input.userId }),
    ...(collectionId === undefined ? {} : { collectionId }),
    ...(input.depth === undefined ? {} : { depth: input.depth }),
    ...(input.unreadFiles === undefined ? {} : { unreadFiles: input.unreadFiles }),
    ...(input.images === undefined ? {} : { images: input.images }),
    results: host.resultsFor(step),
    ...earlierFor(step, input),
  };
}
