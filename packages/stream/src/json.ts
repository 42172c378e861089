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
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isTooDeep(child, levels - 1));
  // No list of its values is made: that of a large object takes longer than looking at them.
  for (const key in value)
    if (isTooDeep((value as { readonly [key: string]: unknown })[key], levels - 1)) return true;
  return false;
}
