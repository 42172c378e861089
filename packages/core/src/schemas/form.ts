import type {
  AccessRequest,
  Answered,
  Decision,
  FormValues,
  InputForm,
  InputReply,
  InputRequest,
  PendingCall,
} from "@troupe/stream";
import { z } from "zod";

import { dictionary } from "./dictionary.ts";
import { jsonSchema } from "./json.ts";
import { inputFieldSchema } from "./response.ts";

/** No address but a web page: it is shown as a link. */
const accessSchema = z.object({
  service: z.string(),
  url: z
    .string()
    .regex(/^https?:\/\//i)
    .exactOptional(),
  scopes: z.array(z.string()).exactOptional(),
}) satisfies z.ZodType<AccessRequest>;

export const inputFormSchema = z.object({
  title: z.string(),
  description: z.string(),
  fields: z.array(inputFieldSchema),
  access: accessSchema.exactOptional(),
}) satisfies z.ZodType<InputForm>;

const pendingCallSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  arguments: jsonSchema,
}) satisfies z.ZodType<PendingCall>;

const asked = { requestId: z.string(), expiresAt: z.number().exactOptional() };

export const inputRequestSchema = z.discriminatedUnion("kind", [
  z.object({ ...asked, kind: z.literal("form"), form: inputFormSchema }),
  z.object({ ...asked, kind: z.literal("approval"), calls: z.array(pendingCallSchema) }),
]) satisfies z.ZodType<InputRequest>;

export const answeredSchema = z.object({
  requestId: z.string(),
  by: z.string().exactOptional(),
  at: z.number(),
  through: z.string(),
}) satisfies z.ZodType<Answered>;

const formValuesSchema = dictionary(
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
) satisfies z.ZodType<FormValues>;

const decisionSchema = z.discriminatedUnion("type", [
  z.object({ callId: z.string(), type: z.literal("approve") }),
  z.object({ callId: z.string(), type: z.literal("edit"), arguments: jsonSchema }),
  z.object({ callId: z.string(), type: z.literal("reject"), reason: z.string() }),
]) satisfies z.ZodType<Decision>;

const formReplySchema = z.strictObject({ requestId: z.string(), values: formValuesSchema });
const approvalReplySchema = z.strictObject({ requestId: z.string(), decisions: z.array(decisionSchema) });

export const inputReplySchema = z.union([
  formReplySchema,
  approvalReplySchema,
]) satisfies z.ZodType<InputReply>;

/** The schema a reply means to keep to, which says more of what is wrong with it than that of both. */
export function replySchemaFor(value: object): z.ZodType<InputReply> {
  return "decisions" in value ? approvalReplySchema : formReplySchema;
}
