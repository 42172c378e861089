import type { EventLog } from "@troupe/core";

import type { EngineContext } from "../engine/port.ts";

/**
 * The same context, whose steps end once the events they told of are kept: what the journal takes for done
 * is not run again, and what it told in memory alone would be lost with the process.
 */
export function keepEvents(ctx: EngineContext, log: Pick<EventLog, "kept">): EngineContext {
  if (log.kept === undefined) return ctx;
  return {
    runId: ctx.runId,
    ...(ctx.takenUpAt === undefined ? {} : { takenUpAt: ctx.takenUpAt }),
    step: (id, fn) =>
      ctx.step(id, async (a) => {
        try {
          return await fn(a);
        } finally {
          await log.kept?.();
        }
      }),
    waitSignal: (name) => ctx.waitSignal(name),
    timer: (id, ms) => ctx.timer(id, ms),
    next: (running) => ctx.next(running),
    abort: (pending) => ctx.abort(pending),
    emit: (key, event) => ctx.emit(key, event),
  };
}
