import type { Log } from "@troupe/core";
import { backoffMs, type Breaker, type Limiter, type Pass } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { startDeadline, type Deadline } from "../wire/deadline.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { toFailure } from "./classify.ts";
import { LinkFailure, POLICY } from "./failure.ts";

/** What a call needs of the way to its server; `Connection` is anything that can be dropped. */
export interface CallTarget<C> {
  get(): Promise<C>;
  /** Whether a connection was ever open. */
  connectedBefore(): boolean;
  drop(connection: C): void;
}

export interface CallPolicy<C> {
  readonly link: CallTarget<C>;
  readonly breaker: Breaker;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Pause before the first retry, doubled for each further one up to 8 s, in milliseconds. */
  readonly backoffMs: number;
  /** Uniform in [0, 1), for the jitter of pauses. */
  readonly random: () => number;
}

export interface Call<C, T> {
  /** Harmless to run twice. */
  readonly idempotent: boolean;
  /** The caller's own end; its reason is thrown as it is. */
  readonly signal: AbortSignal;
  work(connection: C, deadline: Deadline): Promise<T>;
  /** Called when the call waits for a server that may be restarting. */
  onWait?(): void;
}

const MOST_PAUSE_MS = 8_000;
/** How long a call waits for a server that was connected before and is unreachable now, in milliseconds. */
const RESTART_MS = 10_000;
const MAX_RESTART_PAUSE_MS = 2_000;

/** The breaker let nobody through. */
export class BreakerOpen extends Error {
  readonly retryInMs: number;

  constructor(retryInMs: number) {
    super("breaker open");
    this.retryInMs = retryInMs;
  }
}

/**
 * Runs one call to its end within one deadline. It is tried again only when it certainly did not
 * run, or may run twice; a forgotten session is opened again once, without counting as a try. A
 * server that was connected before and is unreachable now is given 10 s to restart.
 * Throws a `LinkFailure`, `BreakerOpen`, or the caller's own reason.
 */
export async function callWithPolicy<C, T>(policy: CallPolicy<C>, call: Call<C, T>): Promise<T> {
  const { breaker, clock } = policy;
  const deadline = startDeadline(clock, policy.timeoutMs, call.signal);
  let leave: (() => void) | undefined;
  let pass: Pass | undefined;
  let began = false;
  const work = (connection: C): Promise<T> => {
    began = true;
    return untilAborted(call.work(connection, deadline), deadline.signal);
  };
  try {
    leave = await policy.limiter.acquire(deadline.signal);
    pass = breaker.enter();
    if (!pass) throw new BreakerOpen(breaker.retryInMs());
    const result = await tryUntilSettled(policy, { ...call, work }, deadline);
    pass.succeeded();
    return result;
  } catch (error) {
    if (call.signal.aborted) {
      pass?.released();
      throw call.signal.reason;
    }
    if (error instanceof BreakerOpen) throw error;
    const failure = deadline.expired() ? timedOut(began, policy.timeoutMs, error) : toFailure(error);
    if (POLICY[failure.kind].counts) pass?.failed();
    else pass?.succeeded();
    throw failure;
  } finally {
    leave?.();
    deadline.dispose();
  }
}

/** Time that ran out in line or while connecting cannot have run anything. */
function timedOut(began: boolean, ms: number, cause: unknown): LinkFailure {
  return began
    ? new LinkFailure("timeout", `no answer within ${ms} ms`, { cause })
    : new LinkFailure("no-answer", `its turn did not come within ${ms} ms`, { cause });
}

type Attempt<C, T> = Pick<Call<C, T>, "idempotent" | "onWait"> & { work(connection: C): Promise<T> };

async function tryUntilSettled<C, T>(
  policy: CallPolicy<C>,
  call: Attempt<C, T>,
  deadline: Deadline,
): Promise<T> {
  let reopened = false;
  let retries = 0;
  let waitedMs = 0;
  for (;;) {
    let connection: C | undefined;
    try {
      connection = await untilAborted(policy.link.get(), deadline.signal);
      return await call.work(connection);
    } catch (error) {
      if (deadline.signal.aborted) throw error;
      const failure = toFailure(error);
      if (failure.kind === "session-lost" && connection !== undefined) {
        policy.link.drop(connection);
        if (!reopened) {
          reopened = true;
          continue;
        }
      }
      const restarting =
        failure.kind === "unreachable" && policy.maxRetries > 0 && policy.link.connectedBefore();
      const pause = backoffMs(retries + 1, {
        firstMs: policy.backoffMs,
        mostMs: restarting ? MAX_RESTART_PAUSE_MS : MOST_PAUSE_MS,
        random: policy.random,
      });
      if (
        (restarting ? waitedMs + (pause ?? 0) > RESTART_MS : retries >= policy.maxRetries) ||
        !mayRepeat(failure, call.idempotent) ||
        pause === undefined ||
        pause >= deadline.remaining()
      ) {
        throw failure;
      }
      retries++;
      if (restarting) {
        waitedMs += pause;
        call.onWait?.();
      }
      policy.log.debug("mcp call is tried again", {
        try: retries + 1,
        reason: failure.detail,
        pauseMs: pause,
      });
      await policy.clock.sleep(pause, deadline.signal);
    }
  }
}

function mayRepeat(failure: LinkFailure, idempotent: boolean): boolean {
  const { repeat } = POLICY[failure.kind];
  return repeat === "always" || (repeat === "if-idempotent" && idempotent);
}
