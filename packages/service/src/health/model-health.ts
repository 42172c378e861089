import { isTroupeError, type Model, type ModelError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** Whether an agent's model answers, known from its calls first and from asking it only where there were none. */
export interface ModelHealth {
  /** How a call went; undefined where the model answered. */
  onOutcome(failure: ModelError | undefined): void;
  /** Why the model cannot be used just now; empty when it can, or nothing is known. Never fails, and ends within 2 s. */
  unanswered(model: Model): Promise<readonly string[]>;
}

/** For how long an answer counts. */
const FRESH_MS = 60_000;
/** For how long a failure counts: then it is seen again, or the next call may try. */
const FAILED_MS = 10_000;
/** How long the model may take to say that it is there. */
const CHECK_MS = 2_000;
/** Calls in a row that end badly before the model counts as away; a key that is refused counts at once. */
const FAILURES = 3;

/** What says that the model is away, rather than that it did not like a request or has much to do. */
const AWAY: ReadonlySet<string> = new Set([
  "model.overloaded",
  "model.unreachable",
  "model.first-token-timeout",
  "model.idle-timeout",
  "model.stream-broken",
]);

export function createModelHealth(clock: Clock): ModelHealth {
  let reasons: readonly string[] = [];
  let knownUntil = -Infinity;
  let failures = 0;
  let slow = 0;

  const know = (why: readonly string[]): void => {
    reasons = why;
    knownUntil = clock.now() + (why.length === 0 ? FRESH_MS : FAILED_MS);
  };
  const ask = async (check: NonNullable<Model["check"]>): Promise<void> => {
    const call = new AbortController();
    const stop = clock.schedule(CHECK_MS, () => call.abort());
    try {
      await untilAborted(check({ signal: call.signal }), call.signal);
      slow = 0;
      know([]);
    } catch (error) {
      if (!call.signal.aborted) know([isTroupeError(error) ? error.message : "The model does not answer."]);
      // Once may be the network's breath.
      else know(++slow > 1 ? [`The model does not answer within ${CHECK_MS / 1_000} s.`] : []);
    } finally {
      stop();
    }
  };

  return {
    onOutcome(failure) {
      const away = failure !== undefined && AWAY.has(failure.code);
      failures = away ? failures + 1 : 0;
      if (failure?.code === "model.auth" || failures >= FAILURES) know([failure?.message ?? ""]);
      else if (!away) know([]);
    },
    async unanswered(model) {
      if (clock.now() >= knownUntil) {
        // Without a way to ask, the next call is the way.
        if (model.check === undefined) know([]);
        else await ask((options) => model.check?.(options) ?? Promise.resolve());
      }
      return reasons;
    },
  };
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  return Promise.race([work, promise]);
}
