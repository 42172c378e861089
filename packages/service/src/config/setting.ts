import { z } from "zod";

/** How a setting can be given, kept in the zod schema's metadata. */
export interface SettingMeta {
  readonly env?: string;
  /** Names the same variable has in other frameworks; read where `env` is not set. */
  readonly envAliases?: readonly string[];
  readonly flag?: string;
  /** Never shown or logged; also read from `<ENV>_FILE`. */
  readonly secret?: boolean;
  /** The flag stands alone, without a value. */
  readonly isSwitch?: boolean;
  readonly description?: string;
}

/** Attaches the ways a setting can be given. Call it last, after `.default()` and `.optional()`. */
export function setting<S extends z.ZodType>(schema: S, meta: SettingMeta): S {
  return schema.meta({ ...meta });
}

/** A port; 0 takes a free one. Flags and environment give strings. */
export const portNumber = z.coerce.number().int().min(0).max(65_535);

/** `true`/`false` as such, or as the words people write in an environment. */
export const toggle = z.union([z.boolean(), z.stringbool()], {
  error: "write on or off; true, false, yes, no, 1 and 0 are taken too",
});

/** A structured value; flags and environment give it as JSON text. */
export function jsonSetting<S extends z.ZodType>(schema: S): z.ZodPreprocess<S> {
  return z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
  }, schema);
}
