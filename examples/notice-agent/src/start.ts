import { join } from "node:path";

import type { Log } from "@troupe/core";
import type { Running } from "@troupe/service";
import { agentSettings, startAgent, type AgentSettings } from "@troupe/service/agent";

import { noticeAgent } from "./agent.ts";

export const settings = agentSettings(8111);

/** Serves the agent over A2A until it is closed. */
export function start(config: AgentSettings, tools: { readonly log: Log }): Promise<Running> {
  return startAgent(noticeAgent(join(config.home, "notices.txt")), config, tools);
}
