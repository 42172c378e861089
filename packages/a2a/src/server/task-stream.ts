import type { StreamResponse } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";

import type { FollowedEvent } from "./runtime/follow-found.ts";
import type { SubscribeOptions } from "./runtime/turn-readers.ts";
import { goneOf } from "./presence.ts";
import { positionOf } from "./stream-position.ts";
import { trimHistory } from "./trim-history.ts";

/** A task as a stream of updates: from where its reader left off, or with a snapshot first. */
export async function* taskStream(
  follow: (options: SubscribeOptions) => AsyncGenerator<FollowedEvent, void, undefined>,
  context: ServerCallContext,
  historyLength: number | undefined,
): AsyncGenerator<StreamResponse, void, undefined> {
  const position = positionOf(context);
  const signal = goneOf(context);
  for await (const { id, event } of follow({ signal, lastEventId: position?.lastEventId })) {
    if (event.$case === "task") trimHistory(event.value, historyLength);
    if (position !== undefined) position.id = id;
    yield { payload: event };
  }
}
