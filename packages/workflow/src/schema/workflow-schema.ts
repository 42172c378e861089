import { jsonObjectSchema } from "@troupe/core";
import { z } from "zod";

/** Steps one workflow may have. */
export const MAX_STEPS = 100;

/** How often the model that writes the answer may add steps to one run. */
export const MAX_REPLANS = 2;

/** A run that waits for a person may do so for weeks. */
const MAX_DEADLINE_SECONDS = 366 * 86_400;

/** Letters, digits, `-` and `_`: an id becomes part of message ids, artifact ids and signal names. */
export const STEP_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** `turn1.research`: a result of an earlier run of the conversation. The dot sets it apart from every step id. */
export const EARLIER_NAME = /^turn[1-9]\d{0,5}\.[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Earlier results one step may build on. */
const MAX_EARLIER = 50;

/** What a terminal does not show as it is: a name with that would be printed as another one. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

/** A name that a person reads, and gives back as it was read. */
export const plainName = z
  .string()
  .min(1)
  .refine((name) => !HIDDEN.test(name), "must have no control characters, such as line breaks");

/** Fields one form may have. */
const MAX_FIELDS = 200;

const stepId = z
  .string()
  .regex(STEP_ID, "must be 1 to 64 letters, digits, - or _, starting with a letter or digit");
const seconds = z.number().positive().max(86_400);
/** A year at most. */
const expires = z.number().positive().max(31_536_000);

const formFieldSchema = z.strictObject({
  field_name: plainName,
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
  fields: z
    .array(formFieldSchema)
    .min(1, "a form needs at least one field")
    .max(MAX_FIELDS, `a form has at most ${MAX_FIELDS} fields; nobody fills in more at once`),
});

const limitsSchema = z.strictObject({
  max_iterations: z.number().int().min(1).max(1_000).optional(),
  max_output_tokens: z.number().int().positive().optional(),
  max_total_tokens: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  max_tool_calls: z.number().int().nonnegative().optional(),
});

const { max_total_tokens, max_cost_usd } = limitsSchema.shape;
const runLimitsSchema = z.strictObject({ max_total_tokens, max_cost_usd });

/** Characters of the JSON of a schema that an answer is to fit. */
const MAX_SCHEMA_CHARS = 20_000;
const outputSchema = jsonObjectSchema.refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_CHARS, {
  error: `must have at most ${MAX_SCHEMA_CHARS} characters`,
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
  earlier: z
    .array(z.string().regex(EARLIER_NAME, 'must name a step of an earlier run, as "turn1.research"'))
    .max(MAX_EARLIER)
    .optional(),
  expected_output: z.string().default(""),
  output_schema: outputSchema.optional(),
  allowed_tools: z.array(z.string().min(1)).default([]),
  limits: limitsSchema.default({}),
  collection: z.string().min(1).max(256).optional(),
  timeout_seconds: seconds.optional(),
  retry: retrySchema.default({ attempts: 1, backoff_seconds: 1 }),
  on_failure: z.enum(["fail", "skip", "continue"]).default("fail"),
  form: formSchema.optional(),
  /** How long each question of this step may be answered; the workflow's when left out. */
  expires_seconds: expires.optional(),
  /** When nobody answered in time: the step fails, or a human step takes its form's own values. */
  on_expiry: z.enum(["fail", "default"]).optional(),
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
  /** How long questions to people may be answered, those of its agents too; for ever when left out. */
  expires_seconds: expires.optional(),
  max_parallel: z.number().int().min(1).max(MAX_STEPS).optional(),
  /** Absent: passthrough where one step is the only sink and `max_replans` is 0, else synthesize. */
  final: z.enum(["passthrough", "synthesize"]).optional(),
  /** How often the model that writes the answer may ask for more steps instead; 0 when left out. */
  max_replans: z.number().int().min(0).max(MAX_REPLANS).optional(),
  /** Of the whole run, by the wall clock. */
  deadline_seconds: z.number().positive().max(MAX_DEADLINE_SECONDS).optional(),
  /** Of all steps together and the writing of the answer. */
  limits: runLimitsSchema.optional(),
});

/** A plain list of steps as a workflow of that name; anything else as it is. */
export function toWorkflow(value: unknown, name = "Workflow"): unknown {
  return Array.isArray(value) ? { version: 1, name, steps: value as readonly unknown[] } : value;
}

/** Reads a value by that schema; of what is required and not there it says so. */
export function safeParseWorkflow(value: unknown): z.ZodSafeParseResult<Workflow> {
  return workflowSchema.safeParse(value, {
    error: (issue) => (issue.input === undefined ? "is missing; add it" : sizeMessage(issue)),
  });
}

/** What zod says of sizes as a plain sentence; undefined for any other problem. */
function sizeMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, origin, inclusive, input } = issue;
  if (code !== "too_big" && code !== "too_small") return undefined;
  const exact = inclusive !== false;
  const limit =
    code === "too_big"
      ? `${exact ? "at most" : "less than"} ${String(issue.maximum)}`
      : `${exact ? "at least" : "more than"} ${String(issue.minimum)}`;
  if (origin === "array" && Array.isArray(input)) return `must have ${limit} entries, not ${input.length}`;
  if (origin === "string" && typeof input === "string")
    return `must have ${limit} characters, not ${input.length}`;
  return `must be ${limit}, not ${String(input)}`;
}

/** A workflow as it is written, defaults left out. */
export type WorkflowInput = z.input<typeof workflowSchema>;
/** A whole workflow, or only its steps. */
export type WorkflowOrSteps = WorkflowInput | WorkflowInput["steps"];
/** A workflow with its defaults filled in. */
export type Workflow = z.output<typeof workflowSchema>;
export type WorkflowStep = Workflow["steps"][number];
