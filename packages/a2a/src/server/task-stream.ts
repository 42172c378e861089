import type { StreamResponse } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";

import { followFound } from "./runtime/follow-found.ts";
import type { Found } from "./runtime/found.ts";
import { positionOf } from "./stream-position.ts";
import { trimHistory } from "./trim-history.ts";

/** A task as a stream of updates: from where its reader left off, or with a snapshot first. */
export async function* taskStream(
  found: Found,
  context: ServerCallContext,
  options: { readonly historyLength: number | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<StreamResponse, void, undefined> {
  const position = positionOf(context);
  const { historyLength, signal } = options;
  for await (const { id, event } of followFound(found, { signal, lastEventId: position?.lastEventId })) {
    if (event.$case === "task") trimHistory(event.value, historyLength);
    if (position !== undefined) position.id = id;
    yield { payload: event };
  }
}
