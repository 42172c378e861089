import { z } from "zod";

import type { Delegation, Limits, SharedContext, StepResult } from "../ports/delegation.ts";
import {
  artifactRefSchema,
  citationSchema,
  errorInfoSchema,
  outcomeSchema,
  responseDataSchema,
  usageSchema,
} from "./response.ts";

export const limitsSchema = z.object({
  maxIterations: z.number().int().positive().exactOptional(),
  timeoutMs: z.number().int().positive().exactOptional(),
  maxOutputTokens: z.number().int().positive().exactOptional(),
  maxTotalTokens: z.number().int().positive().exactOptional(),
  maxCostUsd: z.number().positive().exactOptional(),
  maxToolCalls: z.number().int().nonnegative().exactOptional(),
}) satisfies z.ZodType<Limits>;

export const stepResultSchema = z.object({
  stepId: z.string(),
  agent: z.string(),
  outcome: z.union([outcomeSchema, z.literal("skipped")]),
  answer: z.string(),
  data: responseDataSchema.nullable(),
  citations: z.array(citationSchema),
  artifacts: z.array(artifactRefSchema),
  usage: usageSchema,
  error: errorInfoSchema.exactOptional(),
  provenance: z.object({
    taskId: z.string().exactOptional(),
    attempt: z.number().int().positive(),
    startedAt: z.number(),
    endedAt: z.number(),
  }),
}) satisfies z.ZodType<StepResult>;

export const sharedContextSchema = z.object({
  v: z.literal(1),
  results: z.record(z.string(), stepResultSchema),
}) satisfies z.ZodType<SharedContext>;

export const delegationSchema = z.object({
  v: z.literal(1),
  objective: z.string(),
  instruction: z.string(),
  expectedOutput: z.string(),
  allowedTools: z.array(z.string()),
  limits: limitsSchema,
  userId: z.string().exactOptional(),
  collectionId: z.string().exactOptional(),
  results: z.record(z.string(), stepResultSchema),
}) satisfies z.ZodType<Delegation>;
