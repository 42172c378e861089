import { readFileSync } from "node:fs";

import { loadConfig, readConfigFile } from "@troupe/service";
import { z } from "zod";

import { settings } from "../server/settings.ts";
import type { CliContext } from "./context.ts";

const known = z.object({ engine: settings.shape.engine });

/** Whether runs of servers that are started here stand in no file of the home folder. */
export function journaledElsewhere(context: Pick<CliContext, "env">): boolean {
  const { value } = loadConfig(known, {
    env: context.env,
    file: readConfigFile(context.env["TROUPE_CONFIG"] ?? "troupe.config.json", "orchestrator"),
    readSecret: (path) => readFileSync(path, "utf8"),
  });
  return value.engine === "restate";
}
