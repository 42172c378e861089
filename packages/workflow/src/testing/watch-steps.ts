import type { DagDriver, EngineContext } from "../engine/port.ts";

export interface StepWatch {
  readonly driver: DagDriver;
  /** Steps whose function was called, once a call: `run/step`. */
  readonly calls: readonly string[];
  /** Those that were called although their value had been handed out before. */
  readonly redone: readonly string[];
}

/** A driver whose steps are counted, over all attempts in this process. */
export function watchSteps(driver: DagDriver): StepWatch {
  const calls: string[] = [];
  const redone: string[] = [];
  const delivered = new Set<string>();
  return {
    calls,
    redone,
    driver: (ctx, spec, input) => {
      const key = (id: string): string => `${ctx.runId}/${id}`;
      const watched: EngineContext = {
        runId: ctx.runId,
        ...(ctx.takenUpAt === undefined ? {} : { takenUpAt: ctx.takenUpAt }),
        step: (id, fn) =>
          ctx.step(id, (given) => {
            calls.push(key(id));
            if (delivered.has(key(id))) redone.push(key(id));
            return fn(given);
          }),
        waitSignal: (name) => ctx.waitSignal(name),
        timer: (id, ms) => ctx.timer(id, ms),
        abort: (pending) => ctx.abort(pending),
        emit: (eventKey, event) => ctx.emit(eventKey, event),
        async next(running) {
          const settled = await ctx.next(running);
          delivered.add(key(settled.id));
          return settled;
        },
      };
      return driver(watched, spec, input);
    },
  };
}
