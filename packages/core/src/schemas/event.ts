import {
  EVENT_VERSION,
  type AgentEvent,
  type AgentEventType,
  type Plan,
  type StepState,
} from "@troupe/stream";
import { z } from "zod";

import { answeredSchema, inputFormSchema, inputRequestSchema } from "./form.ts";
import { jsonSchema } from "./json.ts";
import {
  agentResponseSchema,
  artifactRefSchema,
  citationSchema,
  errorInfoSchema,
  outcomeSchema,
  usageSchema,
} from "./response.ts";

export const stepStateSchema = z.enum([
  "pending",
  "in_progress",
  "completed",
  "partial",
  "failed",
  "skipped",
  "canceled",
  "input_required",
]) satisfies z.ZodType<StepState>;

export const planSchema = z.object({
  name: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["agent", "human"]),
      agent: z.string(),
      instruction: z.string(),
      dependsOn: z.array(z.string()),
      form: inputFormSchema.exactOptional(),
      earlier: z.array(z.string()).exactOptional(),
    }),
  ),
  answerStep: z.string().exactOptional(),
  approval: answeredSchema.exactOptional(),
  revisions: z
    .array(
      z.object({
        reason: z.string(),
        steps: z.array(z.string()),
        approval: answeredSchema.exactOptional(),
        refused: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
}) satisfies z.ZodType<Plan>;

const position = {
  v: z.literal(EVENT_VERSION),
  runId: z.string(),
  seq: z.number().int().nonnegative(),
  attempt: z.number().int().positive(),
  stepId: z.string().exactOptional(),
  agent: z.string(),
};

const itemId = z.string();
const settledRole = z.enum(["narration", "answer"]);

/** One object schema per type; the record does not compile until a new type stands in it. */
const byType = {
  "text-start": z.object({
    ...position,
    type: z.literal("text-start"),
    itemId,
    role: z.enum(["open", "answer"]),
  }),
  "text-delta": z.object({ ...position, type: z.literal("text-delta"), itemId, delta: z.string() }),
  "text-role": z.object({ ...position, type: z.literal("text-role"), itemId, role: settledRole }),
  "text-end": z.object({ ...position, type: z.literal("text-end"), itemId }),
  "tool-start": z.object({
    ...position,
    type: z.literal("tool-start"),
    callId: z.string(),
    tool: z.string(),
    arguments: jsonSchema,
  }),
  "tool-end": z.object({
    ...position,
    type: z.literal("tool-end"),
    callId: z.string(),
    tool: z.string(),
    status: z.enum(["ok", "error", "not-run", "canceled"]),
    summary: z.string(),
    ms: z.number().nonnegative(),
  }),
  "plan-update": z.object({ ...position, type: z.literal("plan-update"), plan: planSchema }),
  "step-status": z.object({
    ...position,
    type: z.literal("step-status"),
    step: z.string(),
    state: stepStateSchema,
    reason: z.string().exactOptional(),
    answered: answeredSchema.exactOptional(),
  }),
  artifact: z.object({ ...position, type: z.literal("artifact"), artifact: artifactRefSchema }),
  citation: z.object({ ...position, type: z.literal("citation"), citation: citationSchema }),
  usage: z.object({ ...position, type: z.literal("usage"), model: z.string(), usage: usageSchema }),
  "attempt-start": z.object({
    ...position,
    type: z.literal("attempt-start"),
    reason: z.string(),
    items: z.array(z.string()).exactOptional(),
  }),
  "input-required": z.object({ ...position, type: z.literal("input-required"), request: inputRequestSchema }),
  finish: z.object({
    ...position,
    type: z.literal("finish"),
    outcome: outcomeSchema,
    response: agentResponseSchema,
    answerItems: z.array(z.string()),
    error: errorInfoSchema.exactOptional(),
    rejected: z.literal(true).exactOptional(),
    result: z.object({ name: z.string(), data: jsonSchema.exactOptional() }).exactOptional(),
  }),
} satisfies { [T in AgentEventType]: z.ZodType<Extract<AgentEvent, { type: T }>> };

export const agentEventSchema = z.discriminatedUnion("type", [
  byType["text-start"],
  byType["text-delta"],
  byType["text-role"],
  byType["text-end"],
  byType["tool-start"],
  byType["tool-end"],
  byType["plan-update"],
  byType["step-status"],
  byType.artifact,
  byType.citation,
  byType.usage,
  byType["attempt-start"],
  byType["input-required"],
  byType.finish,
]) satisfies z.ZodType<AgentEvent>;
