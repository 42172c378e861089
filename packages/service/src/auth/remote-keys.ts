import { AgentError, readAtMost, type Fetch, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";

export interface RemoteKeysOptions {
  /** Where the key set stands. */
  readonly url: string;
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "now" | "schedule">;
  readonly log: Log;
}

/** Keys are asked for again after so long, in milliseconds. */
const FRESH_MS = 10 * 60_000;
/** Where its server is away, keys of before are believed for so long; then nobody's are. */
const STALE_MS = 24 * 60 * 60_000;
/** Between two looks for a key that was not there: tokens are written by strangers. */
const UNKNOWN_COOLDOWN_MS = 30_000;
/** Between two tries where the server does not answer. */
const FAILURE_COOLDOWN_MS = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Secret keys have no place among public ones; what is not understood is left to jose. */
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

/**
 * The keys of an issuer, fetched when they are needed, kept, and fetched again when they are old or a
 * token names one that is not among them. Throws what `jwtVerify` passes on: an `AgentError` that can be tried
 * again where there are no keys to judge by, and otherwise the token is not good.
 */
export function remoteKeys(options: RemoteKeysOptions): JWTVerifyGetKey {
  const { url, clock, log } = options;
  let keys: JWTVerifyGetKey | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failed = false;
  let fetching: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    triedAt = clock.now();
    try {
      keys = createLocalJWKSet(await fetchKeys(options));
      fetchedAt = triedAt;
      failed = false;
    } catch (error) {
      failed = true;
      log.warn("the keys of an issuer could not be fetched", { url, error });
    }
  };
  const mayTry = (cooldownMs: number): boolean =>
    fetching !== undefined || clock.now() - triedAt >= (failed ? FAILURE_COOLDOWN_MS : cooldownMs);
  const fetchOnce = (): Promise<void> =>
    (fetching ??= refresh().finally(() => {
      fetching = undefined;
    }));

  return async (header, token) => {
    if (clock.now() - fetchedAt >= FRESH_MS && mayTry(0)) await fetchOnce();
    if (keys === undefined || clock.now() - fetchedAt >= STALE_MS)
      throw new AgentError("agent.unreachable", `The keys at ${url} cannot be fetched.`, { retryable: true });
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayTry(UNKNOWN_COOLDOWN_MS)) throw error;
      await fetchOnce();
      return keys(header, token);
    }
  };
}

async function fetchKeys({ url, fetch, clock }: RemoteKeysOptions): Promise<JSONWebKeySet> {
  const late = new AbortController();
  const stop = clock.schedule(TIMEOUT_MS, () => late.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)));
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      signal: late.signal,
      redirect: "error",
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`HTTP ${response.status}`);
    }
    const text = await readAtMost(response, MAX_BYTES);
    if (text === "") throw new Error(`nothing, or more than ${MAX_BYTES} bytes`);
    const { keys } = keySetSchema.parse(JSON.parse(text));
    return { keys: keys.filter(({ kty }) => kty !== "oct") };
  } finally {
    stop();
  }
}
