import { isTroupeError, readAtMost, type Fetch } from "@troupe/core";
import { retryAfterMs, type Breaker, type Pass } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { CallFailure } from "./call-failure.ts";
import { CallTimeout } from "./call-timeout.ts";
import { MAX_REFUSAL_BYTES, reasonIn } from "./refusals.ts";

/**
 * fetch as calls to one agent see it: the breaker lets a request through and is told how it went, and
 * an answer that is not the protocol's but of the way to it (429, 502, 503, 504) is a `CallFailure`.
 * What the protocol refuses says nothing about the agent's health.
 */
export function callFetch(fetchImpl: Fetch, { breaker, clock }: { breaker: Breaker; clock: Clock }): Fetch {
  return async (input, init) => {
    const pass = breaker.enter();
    if (pass === undefined)
      throw new CallFailure("resting", "It failed too often just now.", breaker.retryInMs());
    const response = await answered(fetchImpl(input, init), pass, init?.signal ?? undefined);
    if (isSick(response.status)) pass.failed();
    else pass.succeeded();
    return passed(response, clock);
  };
}

async function answered(
  answer: Promise<Response>,
  pass: Pass,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    // That the caller has gone says nothing; that its patience was ours does.
    const left = signal?.aborted === true && !(signal.reason instanceof CallTimeout);
    // Nor does a request say anything that was not made.
    const refused = isTroupeError(error) && error.code === "network.refused";
    if (left || refused) pass.released();
    else pass.failed();
    throw error;
  }
}

/** What an agent does not implement (501) or not in that version of HTTP (505) is no failure of its health. */
function isSick(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

async function passed(response: Response, clock: Clock): Promise<Response> {
  const { status } = response;
  const kind =
    status === 429 || status === 503 ? "busy" : status === 502 || status === 504 ? "gateway" : undefined;
  if (kind === undefined) return response;
  const wait = retryAfterMs(response.headers, clock.now());
  const said = reasonIn(await readAtMost(response, MAX_REFUSAL_BYTES).catch(() => ""));
  throw new CallFailure(kind, said || `HTTP ${status}`, wait);
}
