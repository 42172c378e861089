import type { Log } from "@troupe/core";
import type { Running } from "@troupe/service";
import { agentSettings, startAgent, type AgentSettings } from "@troupe/service/agent";

import { unitsAgent } from "./agent.ts";

export const settings = agentSettings(8110);

/** Serves the agent over A2A until it is closed. */
export function start(config: AgentSettings, tools: { readonly log: Log }): Promise<Running> {
  return startAgent(unitsAgent, config, tools);
}
