import type { GrpcBinding, ServeAgentOptions } from "@troupe/a2a/server";

import type { Auth } from "../auth/open-auth.ts";
import type { ServedSettings } from "../config/served-settings.ts";
import { loadGrpc } from "./load-grpc.ts";

/**
 * How an agent is served, as the settings of its process say. `agent` is its name, for what its card
 * says of who may call. Throws an `InputError` for gRPC without its packages.
 */
export async function serveOptions(
  settings: ServedSettings & { readonly host: string; readonly port: number },
  { auth, agent }: { readonly auth: Auth | undefined; readonly agent: string },
): Promise<Omit<ServeAgentOptions, "agent">> {
  const { public_url: publicUrl, push, server_limits } = settings;
  const { connections, connectionsPerAddress, ...limits } = server_limits;
  const grpc = await openGrpc(settings);
  return {
    host: settings.host,
    port: settings.port,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    limits,
    connectionLimits: { connections, connectionsPerAddress },
    whenBusy: settings.when_busy,
    push: push && { allow: settings.allowed_origins },
    structuredOutput: settings.structured_output,
    ...(grpc === undefined ? {} : { grpc }),
    ...(auth === undefined ? {} : { authenticate: auth.authenticate, security: auth.security(agent) }),
  };
}

/** The binding for gRPC, where a port is set. Its packages are loaded only then. */
async function openGrpc({
  grpc_port: port,
  grpc_public_url: publicUrl,
}: ServedSettings): Promise<GrpcBinding | undefined> {
  if (port === undefined) return undefined;
  const { grpcBinding } = await loadGrpc(`grpc_port is ${port}`);
  return grpcBinding({ port, ...(publicUrl === undefined ? {} : { publicUrl }) });
}
