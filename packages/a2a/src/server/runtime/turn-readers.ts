import type { Task } from "@a2a-js/sdk";

import type { WireEvent } from "../../wire/parts.ts";
import type { EventLog, ToldEvent } from "./event-log.ts";

export interface SubscribeOptions {
  readonly signal?: AbortSignal | undefined;
  /** `Last-Event-ID`, as whoever comes back names it. */
  readonly lastEventId?: string | undefined;
}

/** How a turn stands at the moment somebody begins to follow it. */
interface Now {
  readonly snapshot: () => Task;
  /** Updates that the snapshot holds. The last of a turn is applied before it is told. */
  readonly applied: number;
  /** Nothing more comes. */
  readonly over: boolean;
}

/** Those who follow one turn. Before there is one, no update need be kept for whoever comes back. */
export class TurnReaders {
  readonly #events: EventLog;
  #followed = false;

  /** @param events empty; this turn's own */
  constructor(events: EventLog) {
    this.#events = events;
  }

  get followed(): boolean {
    return this.#followed;
  }

  tell(event: WireEvent): void {
    if (this.#followed) this.#events.push(event);
    else this.#events.skip();
  }

  /** Its place and its snapshot are taken in one synchronous step; see `TaskRun.subscribe`. */
  subscribe({ lastEventId, signal }: SubscribeOptions, now: Now): AsyncGenerator<ToldEvent, void, undefined> {
    this.#followed = true;
    const events = this.#events;
    const had = lastEventId === undefined ? undefined : events.positionOf(lastEventId);
    if (had !== undefined) return events.read(had, signal);
    const snapshot = { $case: "task", value: now.snapshot() } as const;
    const first = { id: events.idOf(now.applied), event: snapshot };
    return firstThen(first, now.over ? undefined : events.read(now.applied, signal));
  }
}

async function* firstThen(
  first: ToldEvent,
  rest: AsyncGenerator<ToldEvent, void, undefined> | undefined,
): AsyncGenerator<ToldEvent, void, undefined> {
  yield first;
  if (rest !== undefined) yield* rest;
}
