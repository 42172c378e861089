import { join } from "node:path";

import { StoreError } from "@troupe/core";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from "jose";
import { z } from "zod";

import { createPrivate, readPrivate } from "../home/private-file.ts";
import { authFolder } from "./auth-folder.ts";
import { DELEGATION_ALGORITHM } from "./delegation-terms.ts";

const keySchema = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
});
const fileSchema = z.object({ v: z.literal(1), key: keySchema });

/** The key an agent signs its calls to others with. */
export interface DelegationKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** What others check it with. */
  readonly publicJwk: JWK;
}

export function delegationKeyFile(home: string): string {
  return join(authFolder(home), "delegation-key.json");
}

/**
 * The key of a home, made where there is none. A file that is taken away is made anew at the next
 * start, and whoever checks tokens learns of it by the new key's id. Throws a `StoreError` where others could have read it.
 */
export async function openDelegationKey(home: string): Promise<DelegationKey> {
  const path = delegationKeyFile(home);
  if (readPrivate(path, { secret: true }) === undefined) {
    const { privateKey } = await generateKeyPair(DELEGATION_ALGORITHM, { extractable: true });
    const { kty, crv, x, d } = await exportJWK(privateKey);
    // Of two that start at once one makes it, and both use that one.
    createPrivate(path, JSON.stringify({ v: 1, key: { kty, crv, x, d } }));
  }
  const jwk = parse(readPrivate(path, { secret: true }) ?? "", path);
  const { d: _, ...publicPart } = jwk;
  const kid = await calculateJwkThumbprint(publicPart);
  const privateKey = await importJWK(jwk, DELEGATION_ALGORITHM);
  if (privateKey instanceof Uint8Array) throw corrupt(path);
  return { kid, privateKey, publicJwk: { ...publicPart, kid, alg: DELEGATION_ALGORITHM, use: "sig" } };
}

function parse(text: string, path: string): z.output<typeof keySchema> {
  try {
    return fileSchema.parse(JSON.parse(text)).key;
  } catch {
    throw corrupt(path);
  }
}

function corrupt(path: string): StoreError {
  return new StoreError(
    "store.corrupt",
    `"${path}" is no delegation key of version 1. Delete it: another is made at the next start.`,
  );
}
