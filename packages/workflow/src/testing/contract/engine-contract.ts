import type { ContractCase } from "./harness.ts";
import { replayCases } from "./replay-cases.ts";
import { runCases } from "./run-cases.ts";
import { signalCases } from "./signal-cases.ts";
import { stepCases } from "./step-cases.ts";

/**
 * What every `WorkflowEngine` keeps. Framework-free: give each case to the test runner at hand,
 * with a harness of its own; a case that fails throws.
 */
export function workflowEngineContract(): readonly ContractCase[] {
  return [...runCases, ...signalCases, ...stepCases, ...replayCases];
}
