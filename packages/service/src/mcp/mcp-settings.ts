import { z } from "zod";

import { authSetting, mcpTokenSetting } from "../auth/auth-settings.ts";
import { portSetting, processSettings } from "../config/process-settings.ts";
import { setting, toggle } from "../config/setting.ts";

/** Settings of an MCP server's process, with its own default port. */
export function mcpSettings(port: number) {
  return z.object({
    ...processSettings,
    port: portSetting(port),
    auth: authSetting,
    mcp_token: mcpTokenSetting,
    legacy_sse: setting(toggle.default(false), {
      env: "TROUPE_LEGACY_SSE",
      flag: "legacy-sse",
      isSwitch: true,
      description: "Serve the older HTTP+SSE transport too, at /sse",
    }),
    stdio: setting(toggle.default(false), {
      flag: "stdio",
      isSwitch: true,
      description: "Speak the protocol on stdin and stdout instead of HTTP",
    }),
  });
}

export type McpSettings = z.output<ReturnType<typeof mcpSettings>>;
