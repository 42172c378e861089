import type {
  AgentResponse,
  ArtifactRef,
  ChartField,
  ChartRow,
  ChartSpec,
  CheckFinding,
  Citation,
  ErrorInfo,
  FoundBy,
  InputField,
  Outcome,
  ResponseData,
  ResultTable,
  SentenceCheck,
  Usage,
} from "@troupe/stream";
import { z } from "zod";

import { jsonSchema } from "./json.ts";

/** Rows a chart may carry; more belongs in a result, not in a message. */
export const MAX_CHART_ROWS = 500;
export const MAX_TABLE_ROWS = 500;

const count = z.number().int().nonnegative();

const foundBySchema = z.object({
  step: z.string(),
  agent: z.string(),
  at: z.number().nonnegative(),
  runId: z.string().exactOptional(),
}) satisfies z.ZodType<FoundBy>;

export const citationSchema = z.object({
  id: z.string().min(1),
  document: z.string(),
  source: z.string(),
  page: z.number().int().positive().exactOptional(),
  pageLabel: z.string().exactOptional(),
  section: z.string().exactOptional(),
  collection: z.string(),
  chunkId: z.string(),
  quote: z.string(),
  passage: z.string().exactOptional(),
  start: count,
  end: count,
  foundBy: foundBySchema.exactOptional(),
}) satisfies z.ZodType<Citation>;

export const artifactRefSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  mediaType: z.string(),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: z.string(),
}) satisfies z.ZodType<ArtifactRef>;

const chartFieldSchema = z.object({
  field: z.string().min(1),
  label: z.string(),
  type: z.enum(["category", "date", "number"]),
  unit: z.string().exactOptional(),
  decimals: z.number().int().min(0).max(6).exactOptional(),
}) satisfies z.ZodType<ChartField>;

const chartRowSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.null()]),
) satisfies z.ZodType<ChartRow>;

export const chartSpecSchema = z.object({
  v: z.literal(1),
  id: z.string().min(1),
  kind: z.enum(["bar", "column", "line", "area", "pie", "scatter", "number"]),
  title: z.string(),
  x: chartFieldSchema.exactOptional(),
  series: z.array(chartFieldSchema).min(1),
  stacked: z.boolean().exactOptional(),
  highlight: z.array(z.string()).exactOptional(),
  labels: z.boolean().exactOptional(),
  rows: z.array(chartRowSchema).max(MAX_CHART_ROWS),
  truncated: z.boolean().exactOptional(),
  provenance: z.object({ resultId: z.string(), query: z.string(), source: z.string() }),
  foundBy: foundBySchema.exactOptional(),
}) satisfies z.ZodType<ChartSpec>;

export const inputFieldSchema = z.object({
  field_name: z.string().min(1),
  field_label: z.string(),
  field_description: z.string(),
  field_type: z.enum(["text", "select", "multiselect", "boolean", "number", "url", "email"]),
  field_values: z.array(z.string()),
  default_value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
  placeholder: z.string(),
  required: z.boolean(),
}) satisfies z.ZodType<InputField>;

export const usageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  modelCalls: count,
  costUsd: z.number().nonnegative().exactOptional(),
}) satisfies z.ZodType<Usage>;

export const errorInfoSchema = z.object({
  code: z.string(),
  message: z.string(),
}) satisfies z.ZodType<ErrorInfo>;

export const outcomeSchema = z.enum([
  "completed",
  "partial",
  "failed",
  "canceled",
  "input-required",
]) satisfies z.ZodType<Outcome>;

export const resultTableSchema = z.object({
  id: z.string().min(1),
  number: z.string().exactOptional(),
  title: z.string().exactOptional(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).max(MAX_TABLE_ROWS),
  total: count.exactOptional(),
  query: z.string().exactOptional(),
  source: z.string().exactOptional(),
}) satisfies z.ZodType<ResultTable>;

const findingSchema = z.object({
  kind: z.enum([
    "unknown",
    "uncited",
    "figure",
    "unit",
    "date",
    "name",
    "page",
    "figure-in-no-result",
    "quote",
    "contradicted",
    "not-there",
  ]),
  detail: z.string(),
}) satisfies z.ZodType<CheckFinding>;

export const sentenceCheckSchema = z.object({
  sentence: z.string(),
  status: z.enum(["verified", "derived", "finding"]),
  finding: findingSchema.exactOptional(),
}) satisfies z.ZodType<SentenceCheck>;

export const responseDataSchema = z
  .object({
    charts: z.array(chartSpecSchema).exactOptional(),
    tables: z.array(resultTableSchema).exactOptional(),
  })
  .catchall(jsonSchema) satisfies z.ZodType<ResponseData>;

const responseMetadataSchema = z
  .object({
    // Up to version 0.1 it was the question itself.
    user_input: z.union([z.boolean(), z.string()]),
    question: z.string().exactOptional(),
    input_fields: z.array(inputFieldSchema),
  })
  .transform(({ user_input, question, input_fields }) => ({
    user_input: typeof user_input === "string" ? user_input !== "" : user_input,
    question: question ?? (typeof user_input === "string" ? user_input : ""),
    input_fields,
  })) satisfies z.ZodType<AgentResponse["metadata"]>;

export const agentResponseSchema = z.object({
  is_task_complete: z.boolean(),
  require_user_input: z.boolean(),
  content: z.string(),
  metadata: responseMetadataSchema,
  citations: z.array(citationSchema),
  data: responseDataSchema.nullable(),
  checks: z.array(sentenceCheckSchema).exactOptional(),
}) satisfies z.ZodType<AgentResponse>;
