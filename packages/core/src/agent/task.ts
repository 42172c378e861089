import type { JsonObject } from "@troupe/stream";
import { z } from "zod";

import { jsonObjectSchema } from "../schemas/json.ts";

export const taskStatusSchema = z.enum([
  "pending",
  "in_progress",
  "completed",
  "partial",
  "failed",
  "canceled",
  "input_required",
]);
export type TaskStatus = z.output<typeof taskStatusSchema>;

/** What a person wants done, and how far it is, as the library gives it back. */
export interface Task {
  readonly task_id: string;
  readonly description: string;
  readonly user_id?: string;
  readonly collection_id?: string;
  /** The caller's own: kept with the run and given back, shown to no agent. */
  readonly metadata: JsonObject;
  readonly status: TaskStatus;
}

export const taskSchema = z.strictObject({
  task_id: z.string().min(1),
  description: z.string().min(1),
  user_id: z.string().exactOptional(),
  collection_id: z.string().min(1).max(256).exactOptional(),
  metadata: jsonObjectSchema,
  status: taskStatusSchema,
}) satisfies z.ZodType<Task>;

/** A task as it is asked: a whole one too, of which `status` is not for the caller to say. */
export const taskInputSchema = taskSchema.extend({
  task_id: taskSchema.shape.task_id.exactOptional(),
  metadata: jsonObjectSchema.exactOptional(),
  status: taskStatusSchema.exactOptional(),
});
