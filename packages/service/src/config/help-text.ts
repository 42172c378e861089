import type { z } from "zod";

import type { SettingMeta } from "./setting.ts";

/** What a process can be told, and how: a line for each setting, those with a flag first. */
export function helpText(name: string, schema: z.ZodObject): string {
  const settings = Object.values(schema.shape).map((part) => lineOf(part as z.ZodType));
  const width = Math.max(...settings.map(({ ways }) => ways.length));
  const lines = [...settings.filter(({ flag }) => flag), ...settings.filter(({ flag }) => !flag)]
    .filter(({ ways }) => ways !== "")
    .map(({ ways, what }) => `  ${ways.padEnd(width)}  ${what}`.trimEnd());
  return [
    `${name} is started with these settings, as flags or in the environment:`,
    "",
    ...lines,
    "",
    "They may also stand in troupe.config.json, or the file that TROUPE_CONFIG names. Flags win, then the environment.",
    "",
  ].join("\n");
}

function lineOf(part: z.ZodType): { readonly flag: boolean; readonly ways: string; readonly what: string } {
  const { flag, env, isSwitch, description = "" } = (part.meta() ?? {}) as SettingMeta;
  const asFlag = flag === undefined ? [] : [isSwitch === true ? `--${flag}` : `--${flag} VALUE`];
  const fallback = part.safeParse(undefined).data;
  const shown = ["string", "number", "boolean"].includes(typeof fallback) ? ` [${String(fallback)}]` : "";
  return {
    flag: flag !== undefined,
    ways: [...asFlag, ...(env === undefined ? [] : [env])].join(", "),
    what: `${description}${shown}`,
  };
}
