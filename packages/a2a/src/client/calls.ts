import { ClientCallContext, type RequestOptions } from "@a2a-js/sdk/client";
import { AgentError, isTroupeError, type Caller, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { AgentGate } from "./agent-gate.ts";
import { attempted, type AttemptPolicy } from "./attempts.ts";
import type { CallHeaders } from "./call-headers.ts";
import type { ResolvedLimits } from "./call-limits.ts";
import { CallTimeout } from "./call-timeout.ts";
import type { CallOptions } from "./connection.ts";
import { traceKey } from "./trace-interceptor.ts";
import { linkedSignal } from "./linked-signal.ts";

export interface CallsOptions {
  readonly gate: AgentGate;
  readonly limits: ResolvedLimits;
  /** Headers for each request. */
  readonly headers: (caller: Caller | undefined) => ReturnType<CallHeaders>;
  /** The agent in words, to begin a sentence with. */
  readonly where: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** One request of a call. */
export interface Request {
  /** Until `run` resolves, in milliseconds. */
  readonly ms: number;
  /** What has begun by then may take longer. */
  readonly begun?: () => boolean;
  /** What it is late with, such as `did not answer`. */
  readonly late: string;
  readonly resendable: boolean;
}

/** What goes along with one request. */
export type How = RequestOptions & { readonly signal: AbortSignal };

/** One call, which may take several requests. */
export interface Call {
  /** Aborts with the caller's, and when the call as a whole takes too long. */
  readonly signal: AbortSignal;
  /** One request under the policy; a stream is resolved with what came first. */
  request<T>(request: Request, run: (how: How) => Promise<T>): Promise<T>;
  /** One attempt of it, for who repeats by rules of its own. */
  once<T>(request: Omit<Request, "resendable">, run: (how: How) => Promise<T>): Promise<T>;
  /** Aborts what is still open, connections with it. */
  abandon(): void;
  /** Gives its place back and ends what is still open. */
  close(): void;
}

/** Calls to one agent: each under its deadlines, with a place among those at the same time. */
export function createCalls(options: CallsOptions): {
  /** Throws `agent.busy` when too many wait. A call that is `urgent` waits for nobody. */
  open(callOptions: CallOptions, more?: { readonly urgent?: boolean }): Promise<Call>;
} {
  const { gate, limits, where, clock } = options;
  const policy: AttemptPolicy = { ...options, ...limits };

  const place = async (signal: AbortSignal): Promise<() => void> => {
    try {
      return await gate.places.acquire(signal);
    } catch (error) {
      if (!isTroupeError(error) || error.code !== "limiter.full") throw error;
      throw new AgentError(
        "agent.busy",
        `${where} is called from here too often at the same time: ${error.message}. Try again a little later.`,
        { cause: error, retryable: true },
      );
    }
  };

  return {
    async open(callOptions, { urgent = false } = {}) {
      const whole = linkedSignal(callOptions.signal);
      const { signal } = whole;
      const stop = after(clock, limits.totalMs, (ms) =>
        whole.abort(new CallTimeout(where, "did not end", ms)),
      );
      let leave: () => void = () => undefined;
      const close = (): void => {
        stop();
        leave();
        whole.release();
      };
      try {
        if (!urgent) leave = await place(signal);
      } catch (error) {
        close();
        throw error;
      }
      const once: Call["once"] = async ({ ms, late, begun }, run) => {
        // Of its own: one that is late is given up without the whole call.
        const part = linkedSignal(signal);
        const stopPart = after(clock, ms, () => {
          if (begun?.() !== true) part.abort(new CallTimeout(where, late, ms));
        });
        try {
          const { caller, trace } = callOptions;
          return await run({
            signal: part.signal,
            serviceParameters: { ...(await options.headers(caller)) },
            ...(trace === undefined ? {} : { context: ClientCallContext.create(traceKey.set(trace)) }),
          });
        } catch (error) {
          part.release();
          throw part.signal.aborted ? part.signal.reason : error;
        } finally {
          stopPart();
        }
      };
      return {
        signal,
        once,
        request: (request, run) =>
          attempted(policy, { signal, resendable: request.resendable }, () => once(request, run)),
        abandon: () => whole.abort(new DOMException("The call is over.", "AbortError")),
        close,
      };
    },
  };
}

function after(clock: Clock, ms: number | undefined, then: (ms: number) => void): () => void {
  return ms === undefined || ms === Infinity ? () => undefined : clock.schedule(ms, () => then(ms));
}
