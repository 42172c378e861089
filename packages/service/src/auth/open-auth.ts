import type { Authenticate, CardSecurity, SecuritySchemeJson } from "@troupe/a2a/server";
import { agentScope, InputError, type Fetch, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { audienceOf } from "./audience.ts";
import type { AuthSettings } from "./auth-settings.ts";
import { createAuthenticator } from "./create-authenticator.ts";
import { openKeyRing } from "./key-ring.ts";
import { remoteKeys } from "./remote-keys.ts";

/** How a process asks who calls, and what its card says of that: both from the same settings. */
export interface Auth {
  readonly authenticate: Authenticate;
  /** For the card of the agent of this name. */
  security(agent: string): CardSecurity;
}

export interface AuthOptions {
  readonly settings: AuthSettings;
  /** Its API keys are good here. */
  readonly home: string;
  /** Where this process is reached; asked at each call, as it is not known before it listens. */
  readonly addresses: () => readonly string[];
  /** Fetches the keys of issuers. */
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "now" | "schedule">;
  readonly log: Log;
}

/**
 * Undefined where authentication is off. Throws an `InputError` for settings that go with it and would
 * have no effect, or only half of one: nobody is to believe a door shut that is open.
 */
export function openAuth(options: AuthOptions): Auth | undefined {
  const { settings, home, addresses, clock, log } = options;
  checkSettings(settings);
  if (settings.auth === "off") return undefined;
  const keysAt = (url: string) => remoteKeys({ url, fetch: options.fetch, clock, log });
  const provider = providerOf(settings);
  const delegates = new Map(
    Object.entries(settings.trusted_issuers).map(
      ([issuer, url]) => [audienceOf(issuer) ?? issuer, keysAt(url)] as const,
    ),
  );
  const authenticate = createAuthenticator({
    keys: openKeyRing({ home, clock, log }),
    ...(provider === undefined
      ? {}
      : {
          provider: {
            issuer: provider.issuer,
            audience: provider.audience,
            keys: keysAt(provider.url),
            scopes: {
              claim: settings.jwt_scope_claim,
              ...(settings.jwt_scopes === undefined ? {} : { map: settings.jwt_scopes }),
            },
          },
        }),
    delegates,
    audiences: () => [...addresses(), ...settings.audiences].flatMap((url) => audienceOf(url) ?? []),
    clock,
    log,
  });
  return { authenticate, security: (agent) => securityOf(agent, settings) };
}

function checkSettings(settings: AuthSettings): void {
  const { auth, jwt_issuer, jwt_audience, jwt_jwks_url, trusted_issuers } = settings;
  const provider = [jwt_issuer, jwt_audience, jwt_jwks_url].filter((value) => value !== undefined);
  if (auth === "off" && (provider.length > 0 || Object.keys(trusted_issuers).length > 0))
    throw new InputError(
      "input.invalid",
      "There are settings for tokens, but authentication is off, so nobody would be asked for one. Set TROUPE_AUTH=on, or take them away.",
    );
  if (provider.length > 0 && provider.length < 3)
    throw new InputError(
      "input.invalid",
      "TROUPE_JWT_ISSUER, TROUPE_JWT_AUDIENCE and TROUPE_JWT_JWKS_URL belong together: set all three or none.",
    );
  if (jwt_issuer !== undefined && Object.hasOwn(trusted_issuers, jwt_issuer))
    throw new InputError(
      "input.invalid",
      `"${jwt_issuer}" is the identity provider and a trusted issuer too. One that may call in anybody's name is an agent; take it out of one of them.`,
    );
}

function providerOf({ jwt_issuer: issuer, jwt_audience: audience, jwt_jwks_url: url }: AuthSettings) {
  if (issuer === undefined || audience === undefined || url === undefined) return undefined;
  return { issuer, audience, url };
}

function securityOf(agent: string, settings: AuthSettings): CardSecurity {
  const bearer = (bearerFormat: string, description: string): SecuritySchemeJson => ({
    httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat, description },
  });
  const { jwt_issuer: issuer, jwt_audience: audience } = settings;
  const schemes = {
    apiKey: bearer("API key", "A key that whoever runs this agent hands out."),
    ...(issuer === undefined ? {} : { jwt: bearer("JWT", `A token of ${issuer} for "${audience ?? ""}".`) }),
    ...(Object.keys(settings.trusted_issuers).length === 0
      ? {}
      : { delegation: bearer("JWT", "A token that a trusted agent makes for one call in somebody's name.") }),
  };
  const scopes = [agentScope(agent)];
  return { schemes, requirements: Object.keys(schemes).map((scheme) => ({ [scheme]: scopes })) };
}
