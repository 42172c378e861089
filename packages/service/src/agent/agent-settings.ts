import { responseModeSchema } from "@troupe/core";
import { z } from "zod";

import { authSettings, mcpTokenSetting } from "../auth/auth-settings.ts";
import { loopSettings } from "../config/middleware-settings.ts";
import {
  mcpServersSetting,
  modelSettings,
  portSetting,
  processSettings,
} from "../config/process-settings.ts";
import { servedSettings } from "../config/served-settings.ts";
import { jsonSetting, setting } from "../config/setting.ts";

/** Settings of an agent's process, with its own default port. */
export function agentSettings(port: number) {
  return z.object({
    ...processSettings,
    ...modelSettings,
    port: portSetting(port),
    ...servedSettings,
    response_mode: setting(responseModeSchema.optional(), {
      env: "TROUPE_RESPONSE_MODE",
      flag: "response-mode",
      description: "How answers are delivered: finish, marker or structured; as the agent says when not set",
    }),
    mcp_servers: mcpServersSetting,
    mcp_token: mcpTokenSetting,
    mcp_tokens: setting(jsonSetting(z.record(z.string(), z.string().min(1))).default({}), {
      env: "TROUPE_MCP_TOKENS",
      secret: true,
      description: "JSON object of server name to the bearer token it asks for, where that is another",
    }),
    orchestrator_url: setting(z.url({ protocol: /^https?$/ }).optional(), {
      env: "TROUPE_ORCHESTRATOR_URL",
      description:
        "Address of the orchestrator at which an agent starts workflows; none are started when not set",
    }),
    ...authSettings,
    ...loopSettings,
  });
}

export type AgentSettings = z.output<ReturnType<typeof agentSettings>>;
