import type { Task } from "@a2a-js/sdk";
import type { Log } from "@troupe/core";
import type { AgentEvent, Clock } from "@troupe/stream";

import { createDecoder, type Decoder } from "../wire/decode/decoder.ts";
import type { WireEvent } from "../wire/parts.ts";
import { isSettled } from "../wire/state.ts";
import { pauseMs } from "./attempts.ts";
import type { ResolvedLimits } from "./call-limits.ts";
import { isAway, isTooLarge, protocolError } from "./errors.ts";
import type { StreamPlace } from "./event-ids.ts";
import type { OpenStream } from "./open-stream.ts";

export interface FollowerOptions {
  /** Name for the events of an agent that does not send its own. */
  readonly agent: string;
  /** The agent's subscriptions lose and double nothing, as those of our servers. */
  readonly gapFree: boolean;
  readonly onTask?: (taskId: string) => void;
  readonly getTask: (taskId: string) => Promise<Task>;
  /** With the id of an event the agent tells what came after it, or begins with the task as it is. */
  readonly subscribe: (taskId: string, lastEventId: string | undefined) => Promise<OpenStream>;
  /** How far the streams came that were taken. */
  readonly place: StreamPlace;
  readonly limits: Pick<ResolvedLimits, "awayMs" | "waitMs">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Before a stream that just ended is taken up again, in milliseconds. */
const AGAIN_MS = 100;
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
  /** It cannot be read as a stream: the task is looked at now and then instead. */
  #polls = false;
  /** Since when the agent has not been heard of, and how often it was asked meanwhile. */
  #awaySince: number | undefined;
  #failures = 0;

  #streaming = false;

  constructor(options: FollowerOptions, taskId = "") {
    this.#options = options;
    this.#taskId = taskId;
  }

  /** Empty until the agent named it. */
  get taskId(): string {
    return this.#taskId;
  }

  /** A stream is open that the agent will not end soon: its task waits for a reply, or its reader left. */
  get streaming(): boolean {
    return this.#streaming;
  }

  get finished(): boolean {
    return this.#decoder?.finished() === true;
  }

  /** Takes a stream to its end, or to the finish. Tells whether the task itself has come to rest. */
  async *take(
    { first, rest }: OpenStream,
    { resumed }: { readonly resumed: boolean },
  ): AsyncGenerator<AgentEvent, boolean, undefined> {
    // A subscription with gaps must not be believed about the end: the whole task is read instead.
    const distrusted = resumed && !this.#options.gapFree;
    this.#streaming = true;
    try {
      for (let next = first; next.done !== true; next = await rest.next()) {
        const { payload } = next.value;
        if (payload === undefined) continue;
        this.#awaySince = undefined;
        if (distrusted && payload.$case === "statusUpdate" && isSettled(payload.value.status?.state))
          return true;
        // Not by yield*, which makes three promises of each event.
        let waits = false;
        for (const event of this.push(payload)) {
          waits = event.type === "finish" && event.outcome === "input-required";
          yield event;
        }
        if (!this.finished) continue;
        // Only a subscription stays open while its task waits. Other streams end, and their connection is kept.
        this.#streaming = resumed && waits;
        return true;
      }
      this.#streaming = false;
      return false;
    } finally {
      await rest.return(undefined);
    }
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

  /** How long to wait for the agent to be back; throws when it has been away for too long. */
  #patience(error: unknown, began: number): number {
    const { clock, limits, random, place } = this.#options;
    // While its stream was open it was there, however long ago that was asked for. One without heartbeats
    // may be silent as it works, so silence too is no more than a reason to ask.
    const since = place.open ? clock.now() : began;
    if (this.#awaySince === undefined) [this.#awaySince, this.#failures] = [since, 0];
    const wait = pauseMs(error, ++this.#failures, { ...limits, random });
    if (wait === undefined || clock.now() - this.#awaySince >= limits.awayMs) throw error;
    return wait;
  }

  /** Takes the task up, again if need be, until it has finished or the agent stays away. */
  async *resume(): AsyncGenerator<AgentEvent, void, undefined> {
    const { clock, signal, log, getTask, subscribe, gapFree, place } = this.#options;
    let refusals = 0;
    while (!this.finished) {
      let wait = gapFree && !this.#polls ? AGAIN_MS : POLL_MS;
      const began = clock.now();
      const lastEventId = gapFree ? this.#takePlace() : undefined;
      place.open = false;
      try {
        if (lastEventId === undefined || this.#polls) {
          const task = await getTask(this.#taskId);
          this.#awaySince = undefined;
          const whole = isSettled(task.status?.state) || !gapFree || this.#polls;
          if (whole) yield* this.push({ $case: "task", value: task });
          if (this.finished) return;
        }
        if (!this.#polls) {
          const stream = await subscribe(this.#taskId, lastEventId);
          if (yield* this.take(stream, { resumed: true })) continue;
        }
      } catch (error) {
        if (signal.aborted) throw error;
        if (isAway(error)) {
          wait = this.#patience(error, began);
          place.lastEventId ??= lastEventId;
        } else if (isTooLarge(error)) this.#polls = true;
        else if (protocolError(error)?.name.includes("UnsupportedOperation") !== true) throw error;
        // It may have ended just now; only an agent that cannot be subscribed to is polled.
        else if (refusals++ === 0) continue;
        log.debug("stream ended early; taking the task up again", { taskId: this.#taskId });
      }
      await clock.sleep(wait, signal);
    }
  }
}

function taskIdOf(event: WireEvent): string {
  return event.$case === "task" ? event.value.id : event.value.taskId;
}
