import {
  authSettings,
  jsonSetting,
  modelSettings,
  portSetting,
  processSettings,
  servedSettings,
  setting,
} from "@troupe/service";
import { z } from "zod";

import { agentCallsSetting } from "./agent-calls.ts";

/** Settings of the orchestrator's process. */
export const settings = z.object({
  ...processSettings,
  ...modelSettings,
  port: portSetting(8100),
  ...servedSettings,
  agents: setting(
    jsonSetting(z.array(z.url())).default([
      "http://127.0.0.1:8101",
      "http://127.0.0.1:8102",
      "http://127.0.0.1:8103",
    ]),
    { env: "TROUPE_AGENTS", description: "JSON list of the agents' addresses" },
  ),
  agent_calls: agentCallsSetting,
  issuer: setting(z.url().optional(), {
    env: "TROUPE_ISSUER",
    description:
      "Address that agents know the tokens of this process by; the one it is reached at when not set",
  }),
  ...authSettings,
});

export type OrchestratorSettings = z.output<typeof settings>;
