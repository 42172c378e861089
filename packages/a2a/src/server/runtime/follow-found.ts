import type { ToldEvent } from "./event-log.ts";
import type { Found } from "./found.ts";
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
