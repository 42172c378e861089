import {
  agentEventSchema,
  agentResponseSchema,
  artifactRefSchema,
  citationSchema,
  errorInfoSchema,
  InputError,
  jsonSchema,
  limitsSchema,
  outcomeSchema,
  parseBounded,
  usageSchema,
} from "@troupe/core";
import { isTooDeep, MAX_JSON_DEPTH, type AgentEvent, type Json } from "@troupe/stream";
import { z } from "zod";

import type { JournalEntry, Settlement } from "../engine/recorded-run.ts";
import type { LoggedEvent } from "../engine/run-log.ts";
import { runInputSchema, stepOutcomeSchema, type RunInput, type RunOutcome } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import { MAX_STEPS, plainName, STEP_ID } from "../schema/workflow-schema.ts";

/**
 * A run as one JSON file: for somebody who looks into it elsewhere. It holds what the engine recorded and
 * what everybody told, without what is secret or only of use where it ran; files are named, not held.
 * A later version only adds keys that may be absent, or has another `v`.
 */
export interface RunExport {
  readonly v: 1;
  readonly kind: "troupe.run";
  readonly run: {
    readonly runId: string;
    /** Of its workflow. */
    readonly name: string;
    readonly objective: string;
    /** Milliseconds since the Unix epoch. */
    readonly createdAt: number;
  };
  readonly spec: DagSpec;
  readonly input: RunInput;
  /** In the order the driver saw them. Absent where the engine does not tell: such a run is shown, not replayed. */
  readonly journal?: readonly JournalEntry[];
  /** What was answered, by the name of the signal. */
  readonly signals: { readonly [name: string]: Json };
  readonly events: readonly LoggedEvent[];
  /** Null when it had not ended. */
  readonly outcome: RunOutcome | null;
}

/** Bytes of such a file at most. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/**
 * What fits a schema, as it stands: keys of a later version stay, because the driver is compared with
 * what was recorded word for word.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what the schema says
function asItStands<T>(schema: z.ZodType): z.ZodType<T> {
  return z.custom<T>().superRefine((value, context) => {
    for (const issue of schema.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: "custom", path: issue.path, message: issue.message });
  });
}

const id = z.string().min(1).max(200);
/** What a `Date` can hold, from the Unix epoch on. */
const moment = z.number().int().min(0).max(8.64e15);
const stepSchema = z.looseObject({
  id: z.string().regex(STEP_ID),
  kind: z.enum(["agent", "human"]),
  agent: z.string(),
  instruction: z.string(),
  dependsOn: z.array(z.string()).max(MAX_STEPS),
  expectedOutput: z.string(),
  allowedTools: z.array(z.string()),
  limits: limitsSchema.extend({ timeoutMs: z.number().positive() }),
  retry: z.looseObject({ attempts: z.number().int().positive(), backoffMs: z.number().nonnegative() }),
  onFailure: z.enum(["fail", "skip", "continue"]),
});
const specSchema = z.looseObject({
  v: z.literal(1),
  name: z.string(),
  steps: z.array(stepSchema).max(MAX_STEPS),
  maxParallel: z.number().int().positive().exactOptional(),
  final: z.enum(["passthrough", "synthesize"]),
});
const settlementSchema = z.discriminatedUnion("ok", [
  z.looseObject({ ok: z.literal(true), value: jsonSchema }),
  z.looseObject({
    ok: z.literal(false),
    error: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
  }),
]);
const outcomeOfRunSchema = z.looseObject({
  v: z.literal(1),
  runId: id,
  outcome: outcomeSchema.exclude(["input-required"]),
  response: agentResponseSchema,
  steps: z.array(stepOutcomeSchema).max(MAX_STEPS),
  citations: z.array(citationSchema),
  artifacts: z.array(artifactRefSchema.extend({ stepId: z.string() })),
  usage: usageSchema,
  error: errorInfoSchema.exactOptional(),
});

/** The shape of the file. What it lets through is data of a stranger all the same. */
export const runExportSchema: z.ZodType<RunExport> = z.object({
  v: z.literal(1),
  kind: z.literal("troupe.run"),
  run: z.object({ runId: plainName.max(200), name: z.string(), objective: z.string(), createdAt: moment }),
  spec: asItStands<DagSpec>(specSchema),
  input: asItStands<RunInput>(runInputSchema),
  journal: z
    .array(z.object({ name: z.string(), value: asItStands<Settlement>(settlementSchema) }))
    .exactOptional(),
  signals: z.record(z.string(), jsonSchema),
  events: z.array(
    z.object({
      position: z.number().int().nonnegative(),
      key: z.string(),
      at: moment,
      event: asItStands<AgentEvent>(agentEventSchema),
    }),
  ),
  outcome: asItStands<RunOutcome>(outcomeOfRunSchema).nullable(),
});

/** Reads the text of such a file, which may be anybody's. Throws an `InputError` that says what is wrong with it. */
export function parseRunExport(text: string): RunExport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError("input.invalid", "The export of a run is JSON; this is not.", { cause });
  }
  const { v, kind } = (value ?? {}) as { readonly v?: unknown; readonly kind?: unknown };
  if (kind !== "troupe.run")
    throw new InputError("input.invalid", 'This is no export of a run: its "kind" is not "troupe.run".');
  if (v !== 1)
    throw new InputError(
      "input.unsupported",
      `This export has version ${JSON.stringify(v)?.slice(0, 20)}; this program reads version 1. Use the program that wrote it.`,
    );
  if (isTooDeep(value))
    throw new InputError("input.invalid", `The export is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  const parsed = parseBounded(runExportSchema, value, "export");
  if (parsed.ok) return parsed.value;
  const { issues } = parsed;
  throw new InputError("input.invalid", `This export of a run cannot be used: ${issues.join("; ")}`, {
    issues,
  });
}
