import { ToolError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** A signal that ends at a time or with its parent, whichever is first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when time ran out, false when the parent aborted or nothing has yet. */
  expired(): boolean;
  /** Milliseconds left, never below 0; infinite when there is no limit. */
  remaining(): number;
  /** Lets go of the timer and of the parent. Call it when the work is over. */
  dispose(): void;
}

/** `ms` undefined means no limit of its own. */
export function startDeadline(clock: Clock, ms: number | undefined, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const endsAt = ms === undefined ? Number.POSITIVE_INFINITY : clock.now() + ms;
  let expired = false;

  const onParent = (): void => controller.abort(parent.reason);
  if (parent.aborted) onParent();
  else parent.addEventListener("abort", onParent, { once: true });

  const cancelTimer =
    ms === undefined || controller.signal.aborted
      ? undefined
      : clock.schedule(ms, () => {
          expired = !controller.signal.aborted;
          controller.abort(new ToolError("tool.timeout", "The time for this call is over."));
        });

  return {
    signal: controller.signal,
    expired() {
      return expired;
    },
    remaining: () => Math.max(0, endsAt - clock.now()),
    dispose() {
      cancelTimer?.();
      parent.removeEventListener("abort", onParent);
    },
  };
}
