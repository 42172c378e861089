import { readFileSync } from "node:fs";

import { loadConfig, readConfigFile } from "@troupe/service";
import { z } from "zod";

import { settings } from "../server/settings.ts";
import type { CliContext } from "./context.ts";
import { configPath } from "./load-settings.ts";

const known = z.object({ auth: settings.shape.auth });

/** Whether servers that are started here ask who calls. */
export function authIsOn(context: Pick<CliContext, "env">): boolean {
  const { value } = loadConfig(known, {
    env: context.env,
    file: readConfigFile(configPath(context.env), "orchestrator"),
    readSecret: (path) => readFileSync(path, "utf8"),
  });
  return value.auth === "on";
}
