import type { JWTPayload } from "jose";

import { isScope } from "./caller-id.ts";

/** How rights are read from the tokens of an issuer. */
export interface ScopeRules {
  /** The claim they stand in, such as `scope` or `realm_access.roles`. */
  readonly claim: string;
  /** What a value of that claim grants; by itself, where it is a scope of ours, when absent. */
  readonly map?: { readonly [value: string]: readonly string[] };
}

/** The scopes that a token grants: of a list, or of words with spaces between. */
export function scopesIn(payload: JWTPayload, { claim, map }: ScopeRules): readonly string[] {
  const value = claimIn(payload, claim);
  const values = typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [];
  const granted = values.flatMap((word: unknown) => {
    if (typeof word !== "string") return [];
    if (map === undefined) return [word];
    return Object.hasOwn(map, word) ? (map[word] ?? []) : [];
  });
  return [...new Set(granted.filter(isScope))];
}

/** By its whole name first: names with dots in them, such as addresses, are common. */
function claimIn(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim];
  let value: unknown = payload;
  for (const key of claim.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string]: unknown })[key];
  }
  return value;
}
