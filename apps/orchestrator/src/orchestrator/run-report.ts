import { artifactRefSchema, outcomeSchema, usageSchema } from "@troupe/core";
import type { ResponseData } from "@troupe/stream";
import { z } from "zod";

const stepReportSchema = z.object({
  id: z.string(),
  agent: z.string(),
  outcome: z.union([outcomeSchema, z.literal("skipped")]),
  reason: z.string().optional(),
  /** Wall clock of all attempts, waiting included. */
  ms: z.number(),
  usage: usageSchema,
});

const reportSchema = z.object({
  steps: z.array(stepReportSchema).default([]),
  artifacts: z.array(artifactRefSchema.extend({ stepId: z.string().optional() })).default([]),
});

/** What a run says of its steps and files, in `response.data` of its end. */
export type RunReport = z.output<typeof reportSchema>;

/** Reads it back; empty where another server sent none. */
export function readRunReport(data: ResponseData | null): RunReport {
  const parsed = reportSchema.safeParse(data ?? {});
  return parsed.success ? parsed.data : { steps: [], artifacts: [] };
}
