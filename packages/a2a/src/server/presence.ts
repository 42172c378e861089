import type { ServerResponse } from "node:http";

import type { ServerCallContext } from "@a2a-js/sdk/server";

/** Whether whoever made a call is still there. */
export interface Presence {
  /** Resolves when they have left before they had all. */
  readonly left: Promise<void>;
  /** Fires then; made when it is asked for, because a short call has no use for it. */
  gone(): AbortSignal;
}

const KEY = "troupe.presence";
const NEVER = new AbortController().signal;

/** Of whoever waits for this response. */
export function presenceAt(res: ServerResponse): Presence {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  if (res.closed) resolve();
  // Closed after all was sent is no leaving.
  res.on("close", () => {
    if (!res.writableFinished) resolve();
  });
  return presenceUntil(left);
}

/** The presence of a caller that is gone once `left` resolves. */
export function presenceUntil(left: Promise<void>): Presence {
  let controller: AbortController | undefined;
  return {
    left,
    gone() {
      if (controller === undefined) {
        const made = (controller = new AbortController());
        void left.then(() => made.abort());
      }
      return controller.signal;
    },
  };
}

export function setPresence(context: ServerCallContext, presence: Presence): void {
  context.state.set(KEY, presence);
}

/** Fires when the caller is gone; never where the binding cannot tell. */
export function goneOf(context: ServerCallContext): AbortSignal {
  return presenceOf(context)?.gone() ?? NEVER;
}

/** Waits, but not for a caller that has left. */
export async function settledOrLeft(settled: Promise<void>, context: ServerCallContext): Promise<void> {
  const presence = presenceOf(context);
  await (presence === undefined ? settled : Promise.race([settled, presence.left]));
}

function presenceOf({ state }: ServerCallContext): Presence | undefined {
  return state.get(KEY) as Presence | undefined;
}
