import { artifactRefSchema, outcomeSchema, usageSchema } from "@troupe/core";
import type { ResponseData } from "@troupe/stream";
import { z } from "zod";

const stepReportSchema = z.object({
  id: z.string(),
  agent: z.string(),
  /** `pending` and `in_progress` in the report of an interrupted run only. */
  outcome: z.union([outcomeSchema, z.enum(["skipped", "pending", "in_progress"])]),
  reason: z.string().optional(),
  /** The run that found its result, where it was not this one; `usage` is that run's. */
  keptFrom: z.string().optional(),
  /** Wall clock of all attempts, waiting included. Of an interrupted run it is not known. */
  ms: z.number().optional(),
  usage: usageSchema.optional(),
});

const reportSchema = z.object({
  steps: z.array(stepReportSchema).default([]),
  artifacts: z.array(artifactRefSchema.extend({ stepId: z.string().optional() })).default([]),
  /** The run has not ended: it goes on when the orchestrator is started again. */
  interrupted: z.boolean().default(false),
});

/** What a run says of its steps and files, in `response.data` of its end. */
export type RunReport = z.output<typeof reportSchema>;

/** Reads it back; empty where another server sent none. */
export function readRunReport(data: ResponseData | null): RunReport {
  const parsed = reportSchema.safeParse(data ?? {});
  return parsed.success ? parsed.data : { steps: [], artifacts: [], interrupted: false };
}
