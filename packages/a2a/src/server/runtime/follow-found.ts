import type { TaskStatus } from "@a2a-js/sdk";

import type { WireEvent } from "../../wire/parts.ts";
import { isSettled, isTerminal } from "../../wire/state.ts";
import type { ToldEvent } from "./event-log.ts";
import { snapshotOf, type Found } from "./found.ts";
import type { SubscribeOptions } from "./turn-readers.ts";

/** An update, with an id where a reader can come back to it. */
export type FollowedEvent = Pick<ToldEvent, "event"> & Partial<Pick<ToldEvent, "id">>;

/**
 * Follows a task until it is at rest. Whoever names the last update it had gets what came after it,
 * where that is still kept; anybody else a snapshot first.
 */
export function followFound(
  found: Found,
  options: SubscribeOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  if ("run" in found) return found.run.subscribe(options);
  if ("elsewhere" in found) return found.elsewhere.subscribe(options);
  const { events } = found;
  const { lastEventId, signal } = options;
  const had = lastEventId === undefined ? undefined : events?.positionOf(lastEventId);
  return events === undefined || had === undefined ? asItIs(found) : events.read(had, signal);
}

async function* asItIs({
  task,
  events,
}: Extract<Found, { readonly task: unknown }>): AsyncGenerator<FollowedEvent, void, undefined> {
  yield {
    event: { $case: "task", value: task },
    ...(events === undefined ? {} : { id: events.idOf(events.last) }),
  };
}

/** Resolves when the task no longer has this status; undefined when nobody waits for it any more. */
export type NextStatus = (known: TaskStatus) => Promise<Found | undefined>;

/**
 * Follows a task over all of its turns until it has ended for good. While it waits for a person nothing is sent;
 * a turn that begins with the reply starts with a snapshot. Ends early with a reader that is too slow.
 */
export async function* followToEnd(
  first: Found,
  options: SubscribeOptions,
  next: NextStatus,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let found: Found | undefined = first;
  let { lastEventId } = options;
  while (found !== undefined) {
    let status: TaskStatus | undefined;
    for await (const followed of followFound(found, { ...options, lastEventId })) {
      status = statusIn(followed.event) ?? status;
      yield followed;
    }
    if (options.signal?.aborted === true) return;
    if (status === undefined && lastEventId !== undefined) {
      // A reader that is up to date gets the task as it is, so that it knows what is waited for.
      const task = snapshotOf(found);
      if (!isSettled(task.status?.state) || isTerminal(task.status?.state)) return;
      status = task.status;
      yield { event: { $case: "task", value: task } };
    }
    if (status === undefined || !isSettled(status.state) || isTerminal(status.state)) return;
    lastEventId = undefined;
    found = await next(status);
  }
}

function statusIn(event: WireEvent): TaskStatus | undefined {
  return event.$case === "task" || event.$case === "statusUpdate" ? event.value.status : undefined;
}
