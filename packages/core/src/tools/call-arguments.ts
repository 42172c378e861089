import { isTooDeep, type Json, type JsonObject } from "@troupe/stream";

/**
 * Arguments of an earlier call as an object, which every API wants in the history. Text that is no
 * JSON object, or one too deep to be sent, is kept readable under one key, so that the model sees
 * what it wrote. Half a surrogate pair, which an escape can hide in the text, becomes U+FFFD.
 */
export function callArguments(raw: string): JsonObject {
  if (raw.trim() === "") return {};
  try {
    const value = JSON.parse(raw, (_key, entry: Json) =>
      typeof entry === "string" ? entry.toWellFormed() : entry,
    ) as Json;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && !isTooDeep(value)) return value as JsonObject;
  } catch {
    // Broken JSON is what this function is for.
  }
  return { invalid_json: raw };
}
