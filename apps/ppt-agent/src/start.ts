import type { Log } from "@troupe/core";
import { agentSettings, startAgent, type AgentSettings } from "@troupe/service/agent";
import type { Running } from "@troupe/service";

import { pptAgent } from "./agent.ts";

export const settings: ReturnType<typeof agentSettings> = agentSettings(8102);

/** Serves the agent over A2A until it is closed. */
export function start(config: AgentSettings, tools: { readonly log: Log }): Promise<Running> {
  return startAgent(pptAgent, config, tools);
}
