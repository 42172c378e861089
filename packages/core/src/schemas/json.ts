import type { Json, JsonObject } from "@troupe/stream";
import { z } from "zod";

export const jsonSchema = z.json() satisfies z.ZodType<Json>;
export const jsonObjectSchema = z.record(z.string(), jsonSchema) satisfies z.ZodType<JsonObject>;
