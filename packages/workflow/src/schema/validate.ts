import { checkFormValues, suggestNames } from "@troupe/core";

import { resolveSteps, type ResolvedStep } from "./resolve-steps.ts";
import { schemaProblem } from "./output-schema.ts";
import { findCycle, sinksOf } from "./spec.ts";
import { MAX_TOLD, quoted } from "./tell-issues.ts";
import { EARLIER_NAME, STEP_ID, type Workflow, type WorkflowStep } from "./workflow-schema.ts";

export type WorkflowRule =
  | "empty-steps"
  | "agent-missing"
  | "unknown-agent"
  | "id-needed"
  | "duplicate-id"
  | "missing-dependency"
  | "self-dependency"
  | "cycle"
  | "instruction-missing"
  | "form-missing"
  | "form-unexpected"
  | "form-field"
  | "expiry"
  | "output-schema"
  | "passthrough-sink"
  | "replans";

export interface WorkflowIssue {
  /** Id of the step, or its number where it has none; absent when the whole workflow is meant. */
  readonly step?: string;
  readonly rule: WorkflowRule;
  /** One sentence that quotes the input and says what to do. */
  readonly message: string;
}

/** `step "data" (unknown-agent): ...` */
export function describeIssue(issue: WorkflowIssue): string {
  const step = issue.step === undefined ? "" : `step ${quoted(issue.step)} `;
  return `${step}(${issue.rule}): ${issue.message}`;
}

/** Everything that spans several steps. `agents` are the names that can be called. Empty when valid. */
export function validateWorkflow(workflow: Workflow, agents: readonly string[]): readonly WorkflowIssue[] {
  return [...checkStructure(workflow), ...checkAgents(workflow, agents)];
}

/** What can be checked without knowing which agents there are. */
export function checkStructure(workflow: Workflow): readonly WorkflowIssue[] {
  if (workflow.steps.length === 0)
    return [{ rule: "empty-steps", message: `workflow "${workflow.name}" has no steps; add at least one` }];
  const steps = resolveSteps(workflow);
  const ids = steps.flatMap((step) => step.id ?? []);
  // A name is compared with every other one: only for what is told.
  let suggested = 0;
  const suggest = (name: string): string => (suggested++ < MAX_TOLD ? suggestNames(name, ids) : "");
  const issues = [
    ...steps.flatMap(checkStep),
    ...checkIds(steps),
    ...steps.flatMap((step) => checkDependencies(step, new Set(ids), suggest)),
  ];
  // A broken graph has no meaningful cycles or sinks: those come when the names are right.
  return issues.length > 0 ? issues : [...checkCycle(steps), ...checkFinal(workflow, steps)];
}

function checkAgents(workflow: Workflow, agents: readonly string[]): readonly WorkflowIssue[] {
  return resolveSteps(workflow).flatMap(({ label, step }): readonly WorkflowIssue[] => {
    if (step.agent === undefined || step.kind === "human" || agents.includes(step.agent)) return [];
    const message = `there is no agent ${quoted(step.agent)}.${suggestNames(step.agent, agents)}`;
    return [{ step: label, rule: "unknown-agent", message }];
  });
}

function checkStep({ label, step }: ResolvedStep): readonly WorkflowIssue[] {
  const issue = (rule: WorkflowRule, message: string): WorkflowIssue => ({ step: label, rule, message });
  const problem = outputProblem(step);
  const issues = problem === undefined ? [] : [issue("output-schema", problem)];
  if (step.kind === "human")
    return [...issues, ...checkForm(step.form?.fields, issue), ...checkExpiry(step, issue)];
  if (step.on_expiry === "default")
    issues.push(issue("expiry", "only a human step has a form of its own; remove on_expiry: default"));
  if (step.agent === undefined) issues.push(issue("agent-missing", "an agent step needs an agent"));
  if (step.instruction.trim() === "")
    issues.push(issue("instruction-missing", "an agent step needs an instruction"));
  if (step.form !== undefined)
    issues.push(issue("form-unexpected", "only a human step has a form; set kind: human or remove it"));
  return issues;
}

function outputProblem({ kind, output_schema }: WorkflowStep): string | undefined {
  if (output_schema === undefined) return undefined;
  return kind === "human" ? "only an agent step has an output_schema" : schemaProblem(output_schema);
}

function checkForm(
  fields: NonNullable<Workflow["steps"][number]["form"]>["fields"] | undefined,
  issue: (rule: WorkflowRule, message: string) => WorkflowIssue,
): readonly WorkflowIssue[] {
  if (fields === undefined)
    return [issue("form-missing", "a human step needs a form with the fields to ask")];
  const names = new Set<string>();
  return fields.flatMap((field) => {
    if (names.has(field.field_name))
      return [issue("form-field", `two fields are called ${quoted(field.field_name)}`)];
    names.add(field.field_name);
    const choice = field.field_type === "select" || field.field_type === "multiselect";
    if (choice && field.field_values.length === 0)
      return [
        issue(
          "form-field",
          `field ${quoted(field.field_name)} is a ${field.field_type} and needs field_values`,
        ),
      ];
    return [];
  });
}

/** What is taken in the place of an answer must be one. */
function checkExpiry(
  step: Workflow["steps"][number],
  issue: (rule: WorkflowRule, message: string) => WorkflowIssue,
): readonly WorkflowIssue[] {
  const { fields } = step.form ?? {};
  if (step.on_expiry !== "default" || fields === undefined) return [];
  const named = fields.map((field) => ({ ...field, field_label: field.field_name }));
  const checked = checkFormValues({ title: "", description: "", fields: named }, {});
  if (checked.ok) return [];
  const why = checked.issues.join("; ");
  return [issue("expiry", `on_expiry: default needs a default_value in each required field: ${why}`)];
}

function checkIds(steps: readonly ResolvedStep[]): readonly WorkflowIssue[] {
  return steps.flatMap(({ id, label, step }, index): readonly WorkflowIssue[] => {
    if (id === undefined) {
      if (step.agent === undefined && step.kind === "agent") return [];
      const why =
        step.agent === undefined
          ? "a human step has no agent to be named after"
          : `agent ${quoted(step.agent)} is not a unique name here`;
      return [{ step: label, rule: "id-needed", message: `${why}; give the step an id` }];
    }
    if (!STEP_ID.test(id))
      return [
        {
          step: label,
          rule: "id-needed",
          message: `agent name ${quoted(id)} cannot serve as a step id; give the step an id`,
        },
      ];
    if (steps.findIndex((other) => other.id === id) === index) return [];
    return [
      { step: label, rule: "duplicate-id", message: `two steps have the id "${id}"; ids must be unique` },
    ];
  });
}

function checkDependencies(
  { id, label, dependsOn }: ResolvedStep,
  ids: ReadonlySet<string>,
  suggest: (name: string) => string,
): readonly WorkflowIssue[] {
  return dependsOn.flatMap((name): readonly WorkflowIssue[] => {
    if (name === id)
      return [
        {
          step: label,
          rule: "self-dependency",
          message: `${quoted(name)} depends on itself; remove it from depends_on`,
        },
      ];
    if (ids.has(name)) return [];
    const hint = EARLIER_NAME.test(name)
      ? ` A result of an earlier run is named in "earlier", without depends_on.`
      : suggest(name);
    const message = `depends on ${quoted(name)}, which is no step.${hint}`;
    return [{ step: label, rule: "missing-dependency", message }];
  });
}

const named = (steps: readonly ResolvedStep[]): readonly { id: string; dependsOn: readonly string[] }[] =>
  steps.map(({ id, label, dependsOn }) => ({ id: id ?? label, dependsOn }));

function checkCycle(steps: readonly ResolvedStep[]): readonly WorkflowIssue[] {
  const cycle = findCycle(named(steps));
  if (!cycle) return [];
  const message = `steps wait for each other: ${cycle.join(" -> ")}; remove one of these dependencies`;
  return [{ step: cycle[0] ?? "", rule: "cycle", message }];
}

function checkFinal(workflow: Workflow, steps: readonly ResolvedStep[]): readonly WorkflowIssue[] {
  if (workflow.final === "passthrough" && (workflow.max_replans ?? 0) > 0) {
    const message =
      "with final: passthrough the last step's answer is the answer, so nobody asks for more steps; use final: synthesize or remove max_replans";
    return [{ rule: "replans", message }];
  }
  const sinks = sinksOf(named(steps)).map((step) => step.id);
  if (workflow.final !== "passthrough" || sinks.length === 1 || sinks.length === 0) return [];
  const message = `final: passthrough needs one last step, but ${sinks.join(", ")} all end the workflow; use final: synthesize or add a step that depends on them`;
  return [{ rule: "passthrough-sink", message }];
}
