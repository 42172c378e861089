import { z } from "zod";

/** Steps one workflow may have. */
export const MAX_STEPS = 100;

/** Letters, digits, `-` and `_`: an id becomes part of message ids, artifact ids and signal names. */
export const STEP_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const stepId = z
  .string()
  .regex(STEP_ID, "must be 1 to 64 letters, digits, - or _, starting with a letter or digit");
const seconds = z.number().positive().max(86_400);

const formFieldSchema = z.strictObject({
  field_name: z.string().min(1),
  field_label: z.string().optional(),
  field_description: z.string().default(""),
  field_type: z.enum(["text", "select", "multiselect", "boolean", "number", "url", "email"]).default("text"),
  field_values: z.array(z.string()).default([]),
  default_value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]).default(null),
  placeholder: z.string().default(""),
  required: z.boolean().default(true),
});

const formSchema = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  fields: z.array(formFieldSchema).min(1, "a form needs at least one field"),
});

const limitsSchema = z.strictObject({
  max_iterations: z.number().int().min(1).max(1_000).optional(),
  max_output_tokens: z.number().int().positive().optional(),
  max_total_tokens: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  max_tool_calls: z.number().int().nonnegative().optional(),
});

const retrySchema = z.strictObject({
  /** How often the step is tried in all. */
  attempts: z.number().int().min(1).max(10).default(1),
  /** Wait before the second attempt; doubles with each further one. */
  backoff_seconds: z.number().min(0).max(3_600).default(1),
});

const stepSchema = z.strictObject({
  id: stepId.optional(),
  kind: z.enum(["agent", "human"]).default("agent"),
  agent: z.string().min(1).optional(),
  instruction: z.string().default(""),
  depends_on: z.array(z.string()).max(MAX_STEPS).optional(),
  expected_output: z.string().default(""),
  allowed_tools: z.array(z.string().min(1)).default([]),
  limits: limitsSchema.default({}),
  collection: z.string().min(1).optional(),
  timeout_seconds: seconds.default(300),
  retry: retrySchema.default({ attempts: 1, backoff_seconds: 1 }),
  on_failure: z.enum(["fail", "skip", "continue"]).default("fail"),
  form: formSchema.optional(),
});

/**
 * A workflow as files, the API and the planner write it. Unknown keys are errors; `when` and `map`
 * are reserved for a later version. What spans several steps is checked by `validateWorkflow`.
 */
export const workflowSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1).max(200),
  steps: z.array(stepSchema).max(MAX_STEPS),
  mode: z.enum(["sequential", "parallel"]).default("sequential"),
  max_parallel: z.number().int().min(1).max(MAX_STEPS).optional(),
  /** Absent: passthrough where one step is the only sink, else synthesize. */
  final: z.enum(["passthrough", "synthesize"]).optional(),
});

/** A workflow as it is written, defaults left out. */
export type WorkflowInput = z.input<typeof workflowSchema>;
/** A workflow with its defaults filled in. */
export type Workflow = z.output<typeof workflowSchema>;
export type WorkflowStep = Workflow["steps"][number];
