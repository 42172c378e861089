import { agentScope, type Caller } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { errors, jwtVerify, type JWTVerifyGetKey } from "jose";

import { isCallerId } from "./caller-id.ts";
import { scopesIn, type ScopeRules } from "./claims.ts";
import { DELEGATION_ALGORITHM, DELEGATION_TYPE, MAX_DELEGATION_SECONDS } from "./delegation-terms.ts";

export interface TokenRules {
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  readonly clock: Pick<Clock, "now">;
}

/** Signatures that whoever only checks them cannot make. Neither `none` nor a shared secret is among them. */
const ASYMMETRIC = [
  "EdDSA",
  "Ed25519",
  ...["ES", "RS", "PS"].flatMap((family) => [`${family}256`, `${family}384`, `${family}512`]),
];
/** How far clocks may be apart, in seconds. */
const SKEW_SECONDS = 30;

/**
 * Who a token of an identity provider names, and what it grants them. Throws where it is not good: of
 * somebody else, for somebody else, too late, too early, or by a key that is not the issuer's.
 */
export async function verifyToken(
  token: string,
  rules: TokenRules & { readonly audience: string; readonly scopes: ScopeRules },
): Promise<Caller> {
  const { payload } = await jwtVerify(token, rules.keys, {
    algorithms: ASYMMETRIC,
    audience: rules.audience,
    ...common(rules),
  });
  return { id: subjectOf(payload.sub), scopes: scopesIn(payload, rules.scopes) };
}

/**
 * In whose name an agent calls, by the token it made for this call. Throws where that is not good;
 * for another agent is not good either, so one that was passed on opens no other door.
 *
 * @param audiences every address that this process is reached at, as `audienceOf` has it
 */
export async function verifyDelegation(
  token: string,
  rules: TokenRules & { readonly audiences: readonly string[] },
): Promise<Caller> {
  const { payload } = await jwtVerify(token, rules.keys, {
    algorithms: [DELEGATION_ALGORITHM],
    typ: DELEGATION_TYPE,
    audience: [...rules.audiences],
    maxTokenAge: MAX_DELEGATION_SECONDS,
    ...common(rules),
  });
  const { exp = 0, iat = 0 } = payload;
  if (exp - iat > MAX_DELEGATION_SECONDS) throw new errors.JWTInvalid("it is good for too long");
  // To use agents, and nothing beyond, whatever its issuer writes into it.
  const scopes = scopesIn(payload, { claim: "scope" }).filter((scope) => scope.startsWith(agentScope("")));
  return { id: subjectOf(payload.sub), scopes, actor: subjectOf(actorOf(payload["act"])) };
}

function common({ issuer, clock }: TokenRules) {
  return {
    issuer,
    currentDate: new Date(clock.now()),
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ["sub", "exp"],
  };
}

/** RFC 8693: who acts stands at the top, those it acts for in turn below it. */
function actorOf(act: unknown): unknown {
  return typeof act === "object" && act !== null && "sub" in act ? act.sub : undefined;
}

function subjectOf(value: unknown): string {
  if (typeof value !== "string" || !isCallerId(value)) throw new errors.JWTInvalid("it names nobody");
  return value;
}
