import { readFileSync } from "node:fs";

import type { Prices } from "@troupe/core";
import { loadConfig, readConfigFile } from "@troupe/service";
import { agentSettings } from "@troupe/service/agent";

import type { CliContext } from "./context.ts";
import { configPath } from "./load-settings.ts";

const known = agentSettings(0).pick({ prices: true });

/** What models cost, as far as it is set here. */
export function pricesIn({ env }: Pick<CliContext, "env">): Prices {
  const file = readConfigFile(configPath(env), "orchestrator");
  return loadConfig(known, { env, file, readSecret: (path) => readFileSync(path, "utf8") }).value.prices;
}
