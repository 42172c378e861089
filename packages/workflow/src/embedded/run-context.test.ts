import { expect, it } from "vitest";
import { virtualClock } from "@troupe/core/testing";

import { toJson } from "../engine/json.ts";
import type { DagDriver, EngineContext } from "../engine/port.ts";
import { brokenRun } from "../engine/broken-run.ts";
import { memoryEngine, memoryEventLog, memoryJournal, outcomeOf } from "../testing/index.ts";

const SPEC = { v: 1, name: "w", steps: [], final: "passthrough" } as const;

/** A run taken up by a journal with these entries. */
async function takenUp(entries: readonly string[], driver: DagDriver) {
  const clock = virtualClock();
  const journal = memoryJournal();
  const events = memoryEventLog();
  await journal.addRun({ runId: "r", spec: SPEC, input: { objective: "o" } }, 0);
  for (const [seq, name] of entries.entries())
    await journal.addEntry("r", seq, name, JSON.stringify({ ok: true, value: name }));
  const engine = memoryEngine({ clock, journal, events });
  await engine.register(driver);
  const ended = engine.result("r").catch((error: unknown) => error);
  await clock.advance(0);
  return { clock, journal, events, engine, ended };
}

const one = (ctx: EngineContext) => ctx.next([ctx.step("a", async () => "a")]);

it.each<[string, DagDriver]>([
  [
    "its end is told",
    async (ctx) => {
      await one(ctx);
      ctx.emit("finish", toJson(brokenRun("r").event));
      return outcomeOf(ctx, "done");
    },
  ],
  [
    "it tells no end",
    async (ctx) => {
      await one(ctx);
      return outcomeOf(ctx, "done");
    },
  ],
])(
  "leaves a run open whose journal has steps done that the driver never asks for: %s",
  async (_when, driver) => {
    const { engine, events, ended } = await takenUp(["a", "b"], driver);
    expect(await ended).toMatchObject({
      code: "workflow.journal-mismatch",
      message: expect.stringContaining('"b" next, the driver has come to its end'),
    });
    expect(await engine.recorded("r")).toMatchObject({ outcome: null });
    expect(events.events("r")).toEqual([]);
  },
);

it("ends a run whose journal has more signals and timers, or a step that was asked for and given up", async () => {
  const { ended } = await takenUp(["a", "signal:late", "timer:late", "given-up"], async (ctx) => {
    const step = ctx.step("given-up", async () => "late");
    await one(ctx);
    ctx.abort(step);
    return outcomeOf(ctx, "done");
  });
  expect(await ended).toMatchObject({ response: { content: "done" } });
});
