import { silentLog } from "@troupe/core";
import { instantClock } from "@troupe/core/testing";
import type { Clock, Json } from "@troupe/stream";
import { brokenRun, type DagDriver, type DagSpec } from "@troupe/workflow";
import { memoryEventLog, outcomeOf } from "@troupe/workflow/testing";

import { RestateEngine } from "../restate-engine.ts";
import { runHandlers } from "../run-handlers.ts";
import { memoryRestate, type MemoryRestate } from "./memory-restate.ts";

export const SPEC: DagSpec = { v: 1, name: "one", steps: [], final: "passthrough" };

/** Engines over one Restate in memory, one after the other. */
export function engines({
  restate = memoryRestate(),
  beatMs = 2,
  clock = instantClock,
}: { restate?: MemoryRestate; beatMs?: number; clock?: Clock } = {}) {
  const events = memoryEventLog();
  let ids = 0;
  const parts = { ...restate, events, clock, log: silentLog, newId: () => `id-${++ids}` };
  const open = async () =>
    new RestateEngine({
      ...parts,
      serve: async (driver, onCutOff) => {
        const handlers = runHandlers({ ...parts, driver, beatMs, onCutOff });
        return { url: "http://127.0.0.1:1", served: restate.serve(handlers) };
      },
    });
  return { restate, events, open };
}

/** An engine that drives runs so, and the run `r` for it to begin; told how it is closed. */
export async function started(onEnd: (close: () => Promise<void>) => void, driver: DagDriver, clock?: Clock) {
  const { restate, events, open } = engines(clock === undefined ? {} : { clock });
  const engine = await open();
  onEnd(() => engine.close());
  await engine.register(driver);
  const begin = () => engine.start(SPEC, { objective: "o" }, { runId: "r" });
  return { restate, events, engine, begin };
}

/** Ends with what it is answered. */
export const waiting: DagDriver = async (ctx) => {
  const got = await ctx.next([ctx.waitSignal("go")]);
  return outcomeOf(ctx, got.ok ? JSON.stringify(got.value) : got.error.code);
};

/** The end of a run, as its driver tells it. */
export function end(runId: string, content: string): Json {
  const { event } = brokenRun(runId);
  const told = { ...event, outcome: "completed", response: { ...event.response, content } };
  return JSON.parse(JSON.stringify(told)) as Json;
}
