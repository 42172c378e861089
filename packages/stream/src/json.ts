/** Any value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Levels a value from outside may have. */
export const MAX_JSON_DEPTH = 100;

/**
 * True when lists and objects stand more than `levels` deep in each other. Asked where a value comes
 * in: `JSON.parse` takes any depth, and whatever is recursive after it, `JSON.stringify` included,
 * ends in a stack overflow.
 */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isTooDeep(child, levels - 1));
}
