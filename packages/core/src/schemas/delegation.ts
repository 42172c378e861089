import { z } from "zod";

import type {
  Abridged,
  Delegation,
  EarlierContext,
  Limits,
  SharedContext,
  StepResult,
  UnreadFile,
} from "../ports/delegation.ts";
import { jsonObjectSchema } from "./json.ts";
import {
  artifactRefSchema,
  citationSchema,
  errorInfoSchema,
  outcomeSchema,
  responseDataSchema,
  sentenceCheckSchema,
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

const count = z.number().int().nonnegative();

const abridgedSchema = z.object({
  answerChars: count.exactOptional(),
  answer: artifactRefSchema.exactOptional(),
  citations: count.exactOptional(),
  charts: count.exactOptional(),
  tables: count.exactOptional(),
  files: count.exactOptional(),
  data: z.array(z.string()).exactOptional(),
  rest: artifactRefSchema.exactOptional(),
}) satisfies z.ZodType<Abridged>;

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
  checks: z.array(sentenceCheckSchema).exactOptional(),
  abridged: abridgedSchema.exactOptional(),
  provenance: z.object({
    taskId: z.string().exactOptional(),
    runId: z.string().exactOptional(),
    attempt: z.number().int().positive(),
    startedAt: z.number(),
    endedAt: z.number(),
  }),
}) satisfies z.ZodType<StepResult>;

export const sharedContextSchema = z.object({
  v: z.literal(1),
  results: z.record(z.string(), stepResultSchema),
}) satisfies z.ZodType<SharedContext>;

export const earlierContextSchema = z.object({
  v: z.literal(1),
  turns: z.array(
    z.object({
      turn: z.number().int().positive(),
      runId: z.string(),
      asked: z.string(),
      outcome: outcomeSchema.exactOptional(),
    }),
  ),
  results: z.record(z.string(), stepResultSchema),
}) satisfies z.ZodType<EarlierContext>;

export const unreadFileSchema = z.object({
  name: z.string(),
  url: z.string(),
}) satisfies z.ZodType<UnreadFile>;

export const delegationSchema = z.object({
  v: z.literal(1),
  objective: z.string(),
  instruction: z.string(),
  expectedOutput: z.string(),
  outputSchema: jsonObjectSchema.exactOptional(),
  allowedTools: z.array(z.string()),
  limits: limitsSchema,
  userId: z.string().exactOptional(),
  collectionId: z.string().exactOptional(),
  depth: count.exactOptional(),
  results: z.record(z.string(), stepResultSchema),
  unreadFiles: z.array(unreadFileSchema).exactOptional(),
  images: z.array(artifactRefSchema).exactOptional(),
  earlier: earlierContextSchema.exactOptional(),
}) satisfies z.ZodType<Delegation>;
