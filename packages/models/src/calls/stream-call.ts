import { ModelError, type Log, type ModelEvent } from "@troupe/core";
import { backoffMs } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { explainFailure, type Endpoint } from "./explain-failure.ts";
import { withoutCredentials } from "./secrets.ts";
import { createWatchdog, type Stall, type Watchdog, type WatchdogLimits } from "./watchdog.ts";

/** Turns the pieces of one answer into events. Made anew for every attempt. */
export interface Decoder<Chunk> {
  decode(chunk: Chunk): readonly ModelEvent[];
  /** The model has begun, though there may be nothing to show yet (thinking). */
  started(): boolean;
  /** The provider has said how the answer ends. */
  complete(): boolean;
  /** Closes what is open; the last event is `stop`. Only after `complete`. */
  end(): readonly ModelEvent[];
  /** Tokens counted so far, of an answer that broke off. */
  usage(): ModelEvent | undefined;
}

/** Between attempts, in milliseconds. */
const FIRST_MS = 500;
const MOST_MS = 8_000;
/** Bytes any answer may have. */
const MIN_MAX_BYTES = 8 * 1024 * 1024;
/** Enough for a frame of its own for every token, and what servers put around it. */
const BYTES_PER_TOKEN = 512;

export interface CallPolicy extends Omit<WatchdogLimits, "maxBytes"> {
  readonly clock: Clock;
  readonly log: Log;
  /** Attempts after the first, while nothing has been yielded yet. */
  readonly maxRetries: number;
  /** Uniform in [0, 1), for jitter. */
  readonly random: () => number;
  readonly onOutcome: (failure: ModelError | undefined) => void;
}

export interface Call<Chunk> {
  readonly endpoint: Endpoint;
  /** What the model was told, if anything: its answer may have 8 MiB, or 512 bytes for each token. */
  readonly maxOutputTokens: number | undefined;
  /** Sends the request once, without retries of its own; resolves when the response has begun. */
  open(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<AsyncIterable<Chunk>>;
  decoder(): Decoder<Chunk>;
  /** Leaves out what the endpoint refused. True when something was, so that another try makes sense. */
  degrade(error: unknown): boolean;
}

/**
 * One model call: attempts until the first event, then the stream to its end. All waiting goes
 * through the clock and ends at once when `signal` aborts.
 *
 * @throws the signal's reason when aborted, else a `ModelError`.
 */
export async function* streamCall<Chunk>(
  call: Call<Chunk>,
  policy: CallPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    const attempt = new Attempt(call, policy, signal);
    try {
      yield* attempt.events();
      policy.onOutcome(undefined);
      return;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!attempt.opened && call.degrade(error)) continue;
      const failure = explainFailure(error, call.endpoint, attempt.opened, policy.clock.now());
      policy.onOutcome(failure);
      if (attempt.yielded || !worthRetrying(failure) || failures >= policy.maxRetries) throw failure;
      failures++;
      const wait = backoffMs(failures, {
        firstMs: FIRST_MS,
        mostMs: MOST_MS,
        askedMs: failure.retryAfterMs,
        random: policy.random,
      });
      if (wait === undefined) throw failure;
      policy.log.warn("model call failed, trying again", {
        model: call.endpoint.model,
        code: failure.code,
        attempt: failures,
        waitMs: wait,
      });
      await policy.clock.sleep(wait, signal);
    }
  }
}

/** A first token that does not come costs a minute each time: whether to wait again is the caller's. */
function worthRetrying(failure: ModelError): boolean {
  return failure.retryable && failure.code !== "model.first-token-timeout";
}

/** One request and its stream. */
class Attempt<Chunk> {
  opened = false;
  yielded = false;
  readonly #call: Call<Chunk>;
  readonly #policy: CallPolicy;
  readonly #signal: AbortSignal;

  constructor(call: Call<Chunk>, policy: CallPolicy, signal: AbortSignal) {
    this.#call = call;
    this.#policy = policy;
    this.#signal = signal;
  }

  get #maxBytes(): number {
    return Math.max(MIN_MAX_BYTES, BYTES_PER_TOKEN * (this.#call.maxOutputTokens ?? 0));
  }

  async *events(): AsyncGenerator<ModelEvent, void, undefined> {
    const limits = { ...this.#policy, maxBytes: this.#maxBytes };
    const watchdog = createWatchdog(this.#policy.clock, this.#signal, limits);
    const decoder = this.#call.decoder();
    try {
      yield* this.#read(watchdog, decoder);
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      // What follows the end of an answer is not worth failing it for.
      if (!decoder.complete()) {
        const usage = this.yielded ? decoder.usage() : undefined;
        if (usage) yield usage;
        const stalled = watchdog.stalled();
        throw stalled ? this.#stalled(stalled) : error;
      }
    } finally {
      watchdog.dispose();
    }
    yield* decoder.end();
  }

  async *#read(watchdog: Watchdog, decoder: Decoder<Chunk>): AsyncGenerator<ModelEvent, void, undefined> {
    const chunks = await this.#call.open(watchdog.signal, (bytes) => watchdog.alive(bytes));
    this.opened = true;
    for await (const chunk of chunks) {
      const events = decoder.decode(chunk);
      if (decoder.started()) watchdog.started();
      if (events.length === 0) continue;
      this.yielded = true;
      watchdog.pause();
      yield* events;
      watchdog.resume();
    }
    // Both SDKs end an aborted stream, and one that was closed early, as if it were complete.
    if (this.#signal.aborted) throw this.#signal.reason;
    const stalled = watchdog.stalled();
    if (stalled) throw this.#stalled(stalled);
    if (!decoder.complete()) throw new Error("the stream ended before the answer did");
  }

  #stalled(why: Stall): ModelError {
    const { address, model, provider } = this.#call.endpoint;
    if (why === "first-token") {
      return new ModelError(
        "model.first-token-timeout",
        `${provider} (${model}) sent nothing for ${this.#policy.firstTokenTimeoutMs / 1_000} s. Try again, or raise TROUPE_FIRST_TOKEN_TIMEOUT_SECONDS for a slow model.`,
        { retryable: true },
      );
    }
    if (why === "endless") {
      return new ModelError(
        "model.stream-broken",
        `${provider} (${model}) sent more than ${this.#maxBytes} bytes for one answer and was cut off. Check what runs at ${withoutCredentials(address)}, or raise maxOutputTokens if such an answer is meant.`,
        { retryable: false },
      );
    }
    return new ModelError(
      "model.idle-timeout",
      `${provider} (${model}) fell silent for ${this.#policy.idleTimeoutMs / 1_000} s in the middle of its answer. What arrived is kept; try again, or raise TROUPE_IDLE_TIMEOUT_SECONDS for a slow model.`,
      { retryable: true },
    );
  }
}
