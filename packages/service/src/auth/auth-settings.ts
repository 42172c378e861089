import { z } from "zod";

import { jsonSetting, setting } from "../config/setting.ts";
import { isScope } from "./caller-id.ts";

const scope = z.string().refine(isScope, 'is no scope; write "*", "agent:NAME" or "metrics"');

/** Whether a process asks who calls. */
export const authSetting = setting(z.enum(["off", "on"]).default("off"), {
  env: "TROUPE_AUTH",
  flag: "auth",
  description: "on: whoever calls shows an API key or a token; off: anybody on this machine may call",
});

/** The secret between agents and MCP servers. */
export const mcpTokenSetting = setting(z.string().min(32).optional(), {
  env: "TROUPE_MCP_TOKEN",
  secret: true,
  description:
    "With TROUPE_AUTH=on, what agents show to the MCP servers of their machine; that of the home folder when not set",
});

/** Who may call an agent or the orchestrator. Spread into the process's own schema. */
export const authSettings = {
  auth: authSetting,
  jwt_issuer: setting(z.string().min(1).optional(), {
    env: "TROUPE_JWT_ISSUER",
    description: "The `iss` of tokens that people bring from an identity provider",
  }),
  jwt_audience: setting(z.string().min(1).optional(), {
    env: "TROUPE_JWT_AUDIENCE",
    description: "The `aud` that such tokens must be for",
  }),
  jwt_jwks_url: setting(z.url().optional(), {
    env: "TROUPE_JWT_JWKS_URL",
    description: "Where the provider's public keys stand",
  }),
  jwt_scope_claim: setting(z.string().min(1).default("scope"), {
    env: "TROUPE_JWT_SCOPE_CLAIM",
    description: "The claim that holds rights, such as `scope`, `scp` or `realm_access.roles`",
  }),
  jwt_scopes: setting(jsonSetting(z.record(z.string(), z.array(scope))).optional(), {
    env: "TROUPE_JWT_SCOPES",
    description:
      'JSON object of what a value of that claim grants, such as {"analyst":["agent:orchestrator","agent:data-agent"]}; scopes by themselves when not set',
  }),
  trusted_issuers: setting(jsonSetting(z.record(z.string(), z.url())).default({}), {
    env: "TROUPE_TRUSTED_ISSUERS",
    description:
      'JSON object of the agents that may call in somebody\'s name: address to that of its keys, such as {"https://troupe.example":"https://troupe.example/.well-known/jwks.json"}',
  }),
  audiences: setting(jsonSetting(z.array(z.url())).default([]), {
    env: "TROUPE_AUDIENCES",
    description: "JSON list of further addresses that other agents call this process by",
  }),
};

export type AuthSettings = z.output<z.ZodObject<typeof authSettings>>;
