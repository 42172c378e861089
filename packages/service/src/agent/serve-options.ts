import type { ServeAgentOptions } from "@troupe/a2a/server";

import type { Auth } from "../auth/open-auth.ts";
import type { ServedSettings } from "../config/served-settings.ts";

/**
 * How an agent is served, as the settings of its process say. `agent` is its name, for what its card
 * says of who may call.
 */
export function serveOptions(
  settings: ServedSettings & { readonly host: string; readonly port: number },
  { auth, agent }: { readonly auth: Auth | undefined; readonly agent: string },
): Omit<ServeAgentOptions, "agent"> {
  const { public_url: publicUrl, push, server_limits } = settings;
  const { connections, connectionsPerAddress, ...limits } = server_limits;
  return {
    host: settings.host,
    port: settings.port,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    limits,
    connectionLimits: { connections, connectionsPerAddress },
    whenBusy: settings.when_busy,
    push: push && { allow: settings.allowed_origins },
    structuredOutput: settings.structured_output,
    ...(auth === undefined ? {} : { authenticate: auth.authenticate, security: auth.security(agent) }),
  };
}
