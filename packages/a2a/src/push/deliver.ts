import { isTroupeError, type Fetch } from "@troupe/core";
import { retryAfterMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import type { PushConfig } from "../store/push-configs.ts";
import { headersFor } from "./notification.ts";

/** How one attempt went. `why` holds neither address nor secret, beside the host. */
export type Attempt =
  | { readonly kind: "told" }
  | { readonly kind: "again"; readonly why: string; readonly askedMs?: number | undefined }
  | { readonly kind: "never"; readonly why: string };

/** What may be gone the next time, beside whatever is the other side's fault. */
const PASSING = new Set([408, 425, 429]);

/**
 * Sends one notification once. Nothing of the answer is read but its head, and it is not followed
 * elsewhere: the token was meant for the address it was given with. Throws `signal`'s reason.
 */
export async function deliver(
  config: PushConfig,
  body: string,
  options: {
    readonly fetch: Fetch;
    readonly clock: Clock;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Attempt> {
  const { fetch, clock, timeoutMs, signal } = options;
  const late = new AbortController();
  const stop = clock.schedule(timeoutMs, () => late.abort());
  try {
    const response = await fetch(config.url, {
      method: "POST",
      headers: headersFor(config),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, late.signal]),
    });
    await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    if (response.ok) return { kind: "told" };
    const why = `HTTP ${status}`;
    if (status >= 500 || PASSING.has(status))
      return { kind: "again", why, askedMs: retryAfterMs(response.headers, clock.now()) };
    return { kind: "never", why };
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) return { kind: "again", why: `no answer within ${timeoutMs} ms` };
    if (isTroupeError(error)) return { kind: "never", why: error.message };
    return { kind: "again", why: "it cannot be reached" };
  } finally {
    stop();
  }
}
