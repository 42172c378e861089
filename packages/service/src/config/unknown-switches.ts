import { nearestNames } from "@troupe/core";
import type { z } from "zod";

import { loopSettings } from "./middleware-settings.ts";
import { servedSettings } from "./served-settings.ts";
import type { SettingMeta } from "./setting.ts";

const PREFIX = "ENABLE_";

/** Switches of other frameworks that have nothing to switch here, and why. */
const WITHOUT_EFFECT: { readonly [name: string]: string } = {
  ENABLE_DETERMINISTIC_TASK_MIDDLEWARE: "plans are made by the orchestrator, not by a middleware",
};

/**
 * One sentence for each `ENABLE_...` variable that no process reads, with the nearest name: a switch that is
 * misspelled would otherwise leave on what somebody meant to turn off.
 */
export function unknownSwitches(env: { readonly [name: string]: string | undefined }): readonly string[] {
  const known = Object.values<z.ZodType>({ ...loopSettings, ...servedSettings }).flatMap((setting) => {
    const { env: name = "", envAliases = [] } = (setting.meta() ?? {}) as SettingMeta;
    return [name, ...envAliases].filter((one) => one.startsWith(PREFIX));
  });
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && (env[name] ?? "") !== "" && !known.includes(name))
    .toSorted()
    .map((name) => {
      const why = WITHOUT_EFFECT[name];
      if (why !== undefined) return `${name} has no effect: ${why}.`;
      const [near] = nearestNames(name, known);
      const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
      return `${name} has no effect: there is no such setting.${hint}`;
    });
}
