/** An object as a model wrote it. */
export interface LooseObject {
  readonly [key: string]: unknown;
}

const TRUE = new Set(["true", "t", "yes", "y", "on", "1"]);
const FALSE = new Set(["false", "f", "no", "n", "off", "0"]);

/** True or false, also as the words and numbers that models write for them. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value !== 0 && value !== 1 && typeof value !== "string") return undefined;
  const word = String(value).trim().toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : undefined;
}

export function looseObject(value: unknown): LooseObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

const NONE = /^(?:none|null|n\/a|-)?$/i;

/** A list, also as the JSON text that models write for it; empty for nothing, or a word for it. Anything else as it is. */
export function listOf(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (NONE.test(text)) return [];
  if (!text.startsWith("[")) return value;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return value;
  }
}
