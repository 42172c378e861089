import type { Log } from "@troupe/core";
import { agentSettings, startAgent, type AgentSettings } from "@troupe/service/agent";
import type { Running } from "@troupe/service";

import { ragAgent } from "./agent.ts";

export const settings: ReturnType<typeof agentSettings> = agentSettings(8101);

/** Serves the agent over A2A until it is closed. */
export function start(config: AgentSettings, tools: { readonly log: Log }): Promise<Running> {
  return startAgent(ragAgent, config, tools);
}
