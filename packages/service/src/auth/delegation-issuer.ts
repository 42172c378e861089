import { narrowScopes, type Caller } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { SignJWT, type JSONWebKeySet } from "jose";

import type { DelegationKey } from "./delegation-key.ts";
import { DELEGATION_ALGORITHM, DELEGATION_TYPE } from "./delegation-terms.ts";

/** A call to another agent, in somebody's name. */
export interface DelegatedCall {
  readonly caller: Caller;
  /** The agent that is called, by its name. */
  readonly agent: string;
  /** Where it is, as `audienceOf` has it: not what its card says, which may name somebody else's. */
  readonly audience: string;
}

/** Makes the tokens with which an agent calls others for somebody. */
export interface DelegationIssuer {
  tokenFor(call: DelegatedCall): Promise<string>;
  /** What the tokens are checked with; it stands at `/.well-known/jwks.json`. */
  readonly jwks: JSONWebKeySet;
}

export interface DelegationIssuerOptions {
  readonly key: DelegationKey;
  /** The agent that calls. */
  readonly actor: string;
  /** Under which others know its keys. Waited for: the address is not known before the process listens. */
  readonly issuer: string | Promise<string>;
  readonly clock: Pick<Clock, "now">;
  readonly newId: () => string;
}

/** How long a token is good for, in seconds: for one call, and a clock that is a little off. */
const LIFETIME_SECONDS = 120;

/**
 * Each token is for one agent, and grants no more than the right to use it, if the person has that: so
 * whoever is called in somebody's name has never more rights than they, and none elsewhere.
 */
export function delegationIssuer(options: DelegationIssuerOptions): DelegationIssuer {
  const { key, actor, clock, newId } = options;
  // That there will be none is told to whoever asks for a token.
  Promise.resolve(options.issuer).catch(() => undefined);
  return {
    async tokenFor({ caller, agent, audience }) {
      const issuer = await options.issuer;
      const now = Math.floor(clock.now() / 1_000);
      // Who acted before stands below, as RFC 8693 has it.
      const act = { sub: actor, ...(caller.actor === undefined ? {} : { act: { sub: caller.actor } }) };
      return new SignJWT({ scope: narrowScopes(caller.scopes, agent).join(" "), act })
        .setProtectedHeader({ alg: DELEGATION_ALGORITHM, typ: DELEGATION_TYPE, kid: key.kid })
        .setIssuer(issuer)
        .setSubject(caller.id)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .setJti(newId())
        .sign(key.privateKey);
    },
    jwks: { keys: [key.publicJwk] },
  };
}
