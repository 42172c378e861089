import type { StreamResponse, Task } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";
import type { AgentEvent, Clock } from "@troupe/stream";

import { createDecoder, type Decoder } from "../wire/decode/decoder.ts";
import type { WireEvent } from "../wire/parts.ts";
import { isSettled } from "../wire/state.ts";
import type { StreamPlace } from "./event-ids.ts";
import { isConnectionError, protocolError } from "./errors.ts";

export interface FollowerOptions {
  /** Name for the events of an agent that does not send its own. */
  readonly agent: string;
  /** The agent's subscriptions lose and double nothing, as those of our servers. */
  readonly gapFree: boolean;
  readonly onTask?: (taskId: string) => void;
  readonly getTask: (taskId: string) => Promise<Task>;
  /** With the id of an event the agent tells what came after it, or begins with the task as it is. */
  readonly subscribe: (
    taskId: string,
    lastEventId: string | undefined,
  ) => Promise<AsyncIterable<StreamResponse>>;
  /** How far the streams came that were taken. */
  readonly place: StreamPlace;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Milliseconds before a broken connection is tried again, by failure in a row; then it is given up. */
const RETRY_AFTER_MS = [100, 500, 2_000];
/** Between two looks at a task that cannot be followed as a stream. */
const POLL_MS = 500;

/**
 * Follows one task over any number of streams: what a new stream repeats is not handed on twice,
 * what an old one missed is made up for. Errors are those of the SDK, to be translated above.
 */
export class TaskFollower {
  readonly #options: FollowerOptions;
  #decoder: Decoder | undefined;
  #taskId: string;
  /** Connections in a row that brought nothing. */
  #failures = 0;

  constructor(options: FollowerOptions, taskId = "") {
    this.#options = options;
    this.#taskId = taskId;
  }

  /** Empty until the agent named it. */
  get taskId(): string {
    return this.#taskId;
  }

  get finished(): boolean {
    return this.#decoder?.finished === true;
  }

  /** Takes a stream to its end, or to the finish. Tells whether the task itself has come to rest. */
  async *take(
    stream: AsyncIterable<StreamResponse>,
    { resumed }: { readonly resumed: boolean },
  ): AsyncGenerator<AgentEvent, boolean, undefined> {
    // A subscription with gaps must not be believed about the end: the whole task is read instead.
    const distrusted = resumed && !this.#options.gapFree;
    for await (const { payload } of stream) {
      if (payload === undefined) continue;
      this.#failures = 0;
      if (distrusted && payload.$case === "statusUpdate" && isSettled(payload.value.status?.state))
        return true;
      // Not by yield*, which makes three promises of each event.
      for (const event of this.push(payload)) yield event;
      if (this.finished) return true;
    }
    return false;
  }

  push(event: WireEvent): readonly AgentEvent[] {
    if (this.#taskId === "") {
      this.#taskId = taskIdOf(event);
      if (this.#taskId !== "") this.#options.onTask?.(this.#taskId);
    }
    this.#decoder ??= createDecoder({ agent: this.#options.agent, runId: this.#taskId });
    return this.#decoder.push(event);
  }

  /** Good for once: where nothing more comes by it, the task itself is asked for. */
  #takePlace(): string | undefined {
    const { place } = this.#options;
    const { lastEventId } = place;
    place.lastEventId = undefined;
    return lastEventId;
  }

  /** Takes the task up, again if need be, until it has finished or the agent stays away. */
  async *resume(): AsyncGenerator<AgentEvent, void, undefined> {
    const { clock, signal, log, getTask, subscribe, gapFree, place } = this.#options;
    let refusals = 0;
    while (!this.finished) {
      let wait = gapFree ? RETRY_AFTER_MS[0] : POLL_MS;
      const lastEventId = gapFree ? this.#takePlace() : undefined;
      try {
        if (lastEventId === undefined) {
          const task = await getTask(this.#taskId);
          this.#failures = 0;
          if (isSettled(task.status?.state) || !gapFree) yield* this.push({ $case: "task", value: task });
          if (this.finished) return;
        }
        const stream = await subscribe(this.#taskId, lastEventId);
        if (yield* this.take(stream, { resumed: true })) continue;
      } catch (error) {
        if (signal.aborted) throw error;
        if (isConnectionError(error)) {
          wait = RETRY_AFTER_MS[this.#failures++];
          if (wait === undefined) throw error;
          place.lastEventId ??= lastEventId;
        } else if (protocolError(error)?.name.includes("UnsupportedOperation") !== true) throw error;
        // It may have ended just now; only an agent that cannot be subscribed to is polled.
        else if (refusals++ === 0) continue;
        log.debug("stream ended early; taking the task up again", { taskId: this.#taskId });
      }
      await clock.sleep(wait ?? POLL_MS, signal);
    }
  }
}

function taskIdOf(event: WireEvent): string {
  return event.$case === "task" ? event.value.id : event.value.taskId;
}
