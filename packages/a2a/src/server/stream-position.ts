import type { ServerCallContext } from "@a2a-js/sdk/server";

/** Key in `ServerCallContext.state`. */
const POSITION_KEY = "troupe.position";

/**
 * Where the stream of one call stands. The operations hand frames through the SDK's codecs, which
 * have no place for an id: it is set as a frame is taken, and frames are taken one at a time.
 */
export interface StreamPosition {
  /** `Last-Event-ID` of the request: the last update its sender has. */
  readonly lastEventId: string | undefined;
  /** Of the frame taken last. Undefined where a reader could not come back to it. */
  id: string | undefined;
}

export function setPosition(context: ServerCallContext, position: StreamPosition): void {
  context.state.set(POSITION_KEY, position);
}

/** Undefined on a call that does not stream to anybody who could come back. */
export function positionOf(context: ServerCallContext): StreamPosition | undefined {
  return context.state.get(POSITION_KEY) as StreamPosition | undefined;
}
