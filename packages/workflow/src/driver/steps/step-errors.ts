import type { SettledError } from "../../engine/settled-error.ts";
import type { DagStep } from "../../schema/spec.ts";

export function timeoutError({ agent, limits, timeoutByDefault }: DagStep): SettledError {
  const hint = timeoutByDefault === true ? "; raise TROUPE_STEP_TIMEOUT_SECONDS for slow models" : "";
  const message = `agent "${agent}" gave no result within ${limits.timeoutMs / 1_000} s${hint}`;
  return { code: "agent.timeout", message, retryable: true };
}

export function protocolError({ agent }: DagStep, what: string): SettledError {
  return { code: "agent.protocol", message: `agent "${agent}" ${what}`, retryable: false };
}

export function outputError({ agent }: DagStep, issues: string): SettledError {
  const message = `the answer of agent "${agent}" does not fit the output_schema of the step: ${issues}`;
  return { code: "workflow.output-invalid", message, retryable: true };
}
