import { systemRandom, type Log, type ModelError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import type { CallPolicy } from "./stream-call.ts";

/** What every model behind a network can be told about its calls. */
export interface CallOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long the first content may take, connecting included, in milliseconds. 60,000 by default. */
  readonly firstTokenTimeoutMs?: number;
  /** How long the stream may be silent after that, in milliseconds. 30,000 by default. */
  readonly idleTimeoutMs?: number;
  /** False where the model takes no images: it gets a text in their place. True by default. */
  readonly vision?: boolean;
  /** Attempts after the first, while nothing has been yielded. 2 by default. */
  readonly maxRetries?: number;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random?: () => number;
  /** How each call went, once it has: undefined where the model answered. An aborted call went no way. */
  readonly onOutcome?: (failure: ModelError | undefined) => void;
}

export function callPolicy(options: CallOptions): CallPolicy {
  const { clock, log, firstTokenTimeoutMs = 60_000, idleTimeoutMs = 30_000, maxRetries = 2 } = options;
  return {
    clock,
    log,
    firstTokenTimeoutMs,
    idleTimeoutMs,
    maxRetries,
    random: options.random ?? systemRandom,
    onOutcome: options.onOutcome ?? (() => undefined),
  };
}
