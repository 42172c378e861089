import type { Json, JsonObject } from "@troupe/stream";

/**
 * Arguments of an earlier call as an object, which every API wants in the history. Text that is no
 * JSON object is kept readable under one key, so that the model sees what it wrote.
 */
export function callArguments(raw: string): JsonObject {
  if (raw.trim() === "") return {};
  try {
    const value = JSON.parse(raw) as Json;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Broken JSON is what this function is for.
  }
  return { invalid_json: raw };
}
