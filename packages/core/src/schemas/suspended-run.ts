import { z } from "zod";

import { responseModeSchema } from "../config/agent-config.ts";
import { StoreError } from "../errors/store-error.ts";
import type { ModelImage, ModelMessage, ModelToolResult } from "../ports/model.ts";
import type { EvidenceState, SuspendedRun } from "../ports/suspended-runs.ts";
import { describeIssues } from "../tools/define-tool.ts";
import { delegationSchema } from "./delegation.ts";
import { inputRequestSchema } from "./form.ts";
import { jsonObjectSchema } from "./json.ts";
import {
  artifactRefSchema,
  chartSpecSchema,
  citationSchema,
  resultTableSchema,
  usageSchema,
} from "./response.ts";

const imageSchema = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int().nonnegative(),
}) satisfies z.ZodType<ModelImage>;

const toolResultSchema = z.object({
  callId: z.string(),
  name: z.string(),
  text: z.string(),
  isError: z.boolean(),
  images: z.array(imageSchema).exactOptional(),
}) satisfies z.ZodType<ModelToolResult>;

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string(), images: z.array(imageSchema).exactOptional() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    toolCalls: z.array(z.object({ callId: z.string(), name: z.string(), arguments: z.string() })),
  }),
  z.object({ role: z.literal("tool"), results: z.array(toolResultSchema) }),
]) satisfies z.ZodType<ModelMessage>;

const evidenceSchema = z.object({
  citations: z.array(citationSchema),
  charts: z.array(chartSpecSchema),
  artifacts: z.array(artifactRefSchema),
  chartFiles: z.record(z.string(), artifactRefSchema).exactOptional(),
  revisions: z.record(z.string(), artifactRefSchema).exactOptional(),
  tables: z.array(resultTableSchema).exactOptional(),
  citedTables: z.array(resultTableSchema).exactOptional(),
  given: z.array(z.string()).exactOptional(),
  data: jsonObjectSchema,
}) satisfies z.ZodType<EvidenceState>;

/**
 * The state of a waiting run as it is stored. A state that was released must load for ever: what is
 * added later is optional, what changes its meaning gets another `v`.
 */
export const suspendedRunSchema = z.object({
  v: z.literal(1),
  origin: z.object({
    contextId: z.string().exactOptional(),
    userId: z.string().exactOptional(),
    collectionId: z.string().exactOptional(),
    delegation: delegationSchema.exactOptional(),
    responseMode: responseModeSchema.exactOptional(),
    metadata: jsonObjectSchema.exactOptional(),
  }),
  request: inputRequestSchema,
  messages: z.array(messageSchema),
  results: z.array(toolResultSchema),
  evidence: evidenceSchema,
  images: z.array(artifactRefSchema).exactOptional(),
  usage: usageSchema,
  spent: usageSchema.exactOptional(),
  delegated: usageSchema.exactOptional(),
  iteration: z.number().int().nonnegative(),
  calls: z.array(z.object({ tool: z.string(), status: z.enum(["ok", "error", "not-run", "canceled"]) })),
  elapsedMs: z.number().nonnegative(),
  draft: z.string().exactOptional(),
  answer: z.string().exactOptional(),
  refused: z
    .object({ answer: z.string(), citations: z.array(z.string()), charts: z.array(z.string()) })
    .exactOptional(),
  gate: z
    .object({ opened: z.boolean(), trimming: z.boolean(), held: z.string(), before: z.string() })
    .exactOptional(),
}) satisfies z.ZodType<SuspendedRun>;

/**
 * Checks a stored state and returns it as it stands: a copy by the schema would leave out keys such as
 * `__proto__`, and the call that runs must be the call that was approved, to the letter. Throws a
 * `StoreError` (`store.corrupt`) for what is none.
 */
export function parseSuspendedRun(value: unknown): SuspendedRun {
  const parsed = suspendedRunSchema.safeParse(value);
  if (parsed.success) return value as SuspendedRun;
  const issues = describeIssues(parsed.error, "state").slice(0, 5);
  throw new StoreError(
    "store.corrupt",
    `The state of a waiting run cannot be read (${issues.join("; ")}). Ask for the work again.`,
  );
}
