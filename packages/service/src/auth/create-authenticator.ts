import type { Authenticate } from "@troupe/a2a/server";
import { isTroupeError, type Caller, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { decodeJwt, type JWTVerifyGetKey } from "jose";

import { KEY_PREFIX } from "./api-key.ts";
import type { ScopeRules } from "./claims.ts";
import type { KeyRing } from "./key-ring.ts";
import { verifyDelegation, verifyToken } from "./verify-token.ts";

export interface AuthenticatorOptions {
  readonly keys: KeyRing;
  /** An identity provider whose tokens people bring. */
  readonly provider?: {
    readonly issuer: string;
    readonly audience: string;
    readonly keys: JWTVerifyGetKey;
    readonly scopes: ScopeRules;
  };
  /** Keys of the agents that may call in somebody's name, by their issuer. */
  readonly delegates: ReadonlyMap<string, JWTVerifyGetKey>;
  /** Every address this process is reached at, as `audienceOf` has it. */
  readonly audiences: () => readonly string[];
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** More is no token, and not worth reading. */
const MAX_TOKEN = 8_192;

/**
 * One door for keys and tokens: `Authorization: Bearer`, once. What a token says of its issuer only
 * chooses who checks it, and each issuer has one kind of token that it may make. It throws an `AgentError`
 * that can be tried again where nobody can tell just now who calls.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { keys, provider, delegates, audiences, clock, log } = options;
  const whose = async (token: string): Promise<Caller | undefined> => {
    if (token.startsWith(KEY_PREFIX)) return keys.find(token);
    const issuer = decodeJwt(token).iss ?? "";
    if (provider !== undefined && issuer === provider.issuer)
      return verifyToken(token, { ...provider, clock });
    const delegate = delegates.get(issuer);
    if (delegate === undefined) return undefined;
    return verifyDelegation(token, { issuer, keys: delegate, audiences: audiences(), clock });
  };
  return async (headers) => {
    const token = bearerOf(headers["authorization"]);
    if (token === undefined) return undefined;
    try {
      return await whose(token);
    } catch (error) {
      // Nobody is refused for good because their issuer is away.
      if (isTroupeError(error) && error.retryable) throw error;
      // Its words are of the reason, never of the token.
      log.info("a token was refused", { reason: error instanceof Error ? error.message : "unknown" });
      return undefined;
    }
  };
}

/** The token of an Authorization header; two of them, or one that is none, are nobody's. */
export function bearerOf(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string" || header.length > MAX_TOKEN) return undefined;
  return /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1];
}
