import { InputError } from "@troupe/core";
import type { InputForm } from "@troupe/stream";

import { resolveSteps, type ResolvedStep } from "./resolve-steps.ts";
import { sinksOf, type DagSpec, type DagStep } from "./spec.ts";
import { tellIssues } from "./tell-issues.ts";
import { checkStructure, describeIssue, validateWorkflow, type WorkflowIssue } from "./validate.ts";
import type { Workflow, WorkflowStep } from "./workflow-schema.ts";

const STEP_TIMEOUT_MS = 300_000;

/** What the driver runs. Throws an `InputError` that names each step and rule broken. */
export function normalizeWorkflow(
  workflow: Workflow,
  options: {
    readonly file?: string;
    /** For questions of which the workflow does not say itself how long they may be answered. */
    readonly questionsExpireMs?: number;
    /** For one attempt of a step without `timeout_seconds`; 300,000 when absent. */
    readonly stepTimeoutMs?: number;
  } = {},
): DagSpec {
  throwIssues(checkStructure(workflow), workflow, options.file);
  const expiresMs = milliseconds(workflow.expires_seconds) ?? options.questionsExpireMs;
  // Agents take whole milliseconds.
  const stepTimeoutMs = Math.round(options.stepTimeoutMs ?? STEP_TIMEOUT_MS);
  const steps = resolveSteps(workflow).map((step) => toStep(step, { expiresMs, stepTimeoutMs }));
  const { max_replans: maxReplans = 0 } = workflow;
  const passes = maxReplans === 0 && sinksOf(steps).length === 1;
  const final = workflow.final ?? (passes ? "passthrough" : "synthesize");
  return {
    v: 1,
    name: workflow.name,
    steps,
    ...(workflow.max_parallel === undefined ? {} : { maxParallel: workflow.max_parallel }),
    final,
    ...(maxReplans === 0 ? {} : { maxReplans }),
    ...(workflow.deadline_seconds === undefined
      ? {}
      : { deadlineMs: Math.max(1, Math.round(workflow.deadline_seconds * 1_000)) }),
    ...(workflow.limits === undefined ? {} : { limits: toRunLimits(workflow.limits) }),
  };
}

/** Throws an `InputError` that names the file, each step and rule broken, when there is any. */
export function assertWorkflow(
  workflow: Workflow,
  agents: readonly string[],
  options: { readonly file?: string } = {},
): void {
  throwIssues(validateWorkflow(workflow, agents), workflow, options.file);
}

function throwIssues(issues: readonly WorkflowIssue[], workflow: Workflow, file: string | undefined): void {
  if (issues.length === 0) return;
  const lines = tellIssues(issues.map(describeIssue));
  const where = file ?? `workflow "${workflow.name}"`;
  throw new InputError(
    "input.invalid",
    `${where} cannot be run:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    {
      issues: lines,
    },
  );
}

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.round(seconds * 1_000);

interface Times {
  readonly expiresMs: number | undefined;
  readonly stepTimeoutMs: number;
}

function toStep({ id, label, step, dependsOn }: ResolvedStep, times: Times): DagStep {
  const human = step.kind === "human";
  const expiresMs = milliseconds(step.expires_seconds) ?? times.expiresMs;
  return {
    id: id ?? label,
    kind: step.kind,
    agent: human ? "" : (step.agent ?? ""),
    instruction: step.instruction,
    dependsOn: [...new Set(dependsOn)],
    ...(step.earlier === undefined || step.earlier.length === 0
      ? {}
      : { earlier: [...new Set(step.earlier)] }),
    expectedOutput: step.expected_output,
    ...(step.output_schema === undefined ? {} : { outputSchema: step.output_schema }),
    allowedTools: step.allowed_tools,
    limits: toLimits(step, times.stepTimeoutMs),
    ...(human || step.timeout_seconds !== undefined ? {} : { timeoutByDefault: true as const }),
    ...(step.collection === undefined ? {} : { collection: step.collection }),
    retry: { attempts: step.retry.attempts, backoffMs: Math.round(step.retry.backoff_seconds * 1_000) },
    onFailure: step.on_failure,
    ...(human && step.form ? { form: toForm(step.form, step, id ?? label) } : {}),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(step.on_expiry === "default" ? { onExpiry: "default" } : {}),
  };
}

function toLimits({ limits, timeout_seconds }: WorkflowStep, stepTimeoutMs: number): DagStep["limits"] {
  const { max_iterations, max_output_tokens, max_total_tokens, max_cost_usd, max_tool_calls } = limits;
  return {
    timeoutMs: milliseconds(timeout_seconds) ?? stepTimeoutMs,
    ...(max_iterations === undefined ? {} : { maxIterations: max_iterations }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(max_total_tokens === undefined ? {} : { maxTotalTokens: max_total_tokens }),
    ...(max_cost_usd === undefined ? {} : { maxCostUsd: max_cost_usd }),
    ...(max_tool_calls === undefined ? {} : { maxToolCalls: max_tool_calls }),
  };
}

function toRunLimits({
  max_total_tokens,
  max_cost_usd,
}: NonNullable<Workflow["limits"]>): NonNullable<DagSpec["limits"]> {
  return {
    ...(max_total_tokens === undefined ? {} : { maxTotalTokens: max_total_tokens }),
    ...(max_cost_usd === undefined ? {} : { maxCostUsd: max_cost_usd }),
  };
}

function toForm(form: NonNullable<WorkflowStep["form"]>, step: WorkflowStep, id: string): InputForm {
  return {
    title: form.title ?? id,
    description: form.description ?? step.instruction,
    fields: form.fields.map((field) => ({ ...field, field_label: field.field_label ?? field.field_name })),
  };
}
