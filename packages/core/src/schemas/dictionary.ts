import { z } from "zod";

const values = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** What the entries of a dictionary keep to; undefined for any other schema. */
export function dictionaryValue(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return values.get(schema);
}

/** As `z.record` of strings, which drops a key `__proto__` without a word: people and models choose what keys are called. */
export function dictionary<T>(value: z.ZodType<T>): z.ZodType<{ readonly [key: string]: T }> {
  const schema = z.unknown().transform((given, context): { readonly [key: string]: T } => {
    const read = new Map<string, T>();
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      context.issues.push({ code: "invalid_type", expected: "record", input: given });
      return z.NEVER;
    }
    for (const [key, entry] of Object.entries(given)) {
      const parsed = value.safeParse(entry);
      if (parsed.success) read.set(key, parsed.data);
      else
        for (const { path, message } of parsed.error.issues)
          context.issues.push({ code: "custom", message, input: entry, path: [key, ...path] });
    }
    return Object.fromEntries(read);
  });
  values.set(schema, value);
  return schema;
}
