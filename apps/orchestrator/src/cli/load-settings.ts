import { readFileSync } from "node:fs";

import { loadConfig, readConfigFile } from "@troupe/service";

import { settings } from "../server/settings.ts";
import type { CliContext } from "./context.ts";

/** The settings of an orchestrator started in this environment. */
export function loadSettings({ env }: Pick<CliContext, "env">) {
  return loadConfig(settings, {
    env,
    file: readConfigFile(configPath(env), "orchestrator"),
    readSecret: (path) => readFileSync(path, "utf8"),
  });
}

export const configPath = (env: CliContext["env"]): string => env["TROUPE_CONFIG"] ?? "troupe.config.json";
