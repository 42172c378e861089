import { StoreError } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import { expect, it } from "vitest";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { memoryEngine } from "../testing/memory-engine.ts";
import { memoryEventLog } from "../testing/memory-event-log.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { scriptedGateway } from "../testing/scripted-gateway.ts";

const HOUR = 3_600_000;
const steps = ["a", "slow"].map((id) => ({ id, agent: id, instruction: "go", timeout_seconds: 60 }));
const workflow = { version: 1, name: "w", mode: "parallel", final: "synthesize", steps };
const spec = normalizeWorkflow(workflowSchema.parse(workflow));

/** A run on a disk that is full when the first of two agents has its result. */
async function stuckRun() {
  const clock = virtualClock();
  const disk = { full: true };
  const kept = memoryJournal();
  const journal: typeof kept = {
    ...kept,
    async addEntry(...args) {
      if (disk.full && args[2] === "a#1/await") throw new StoreError("store.full", "the disk is full");
      return kept.addEntry(...args);
    },
  };
  const gateway = scriptedGateway((_, agent) => ({ ms: agent === "slow" ? HOUR + 30_000 : 1_000 }), clock);
  const engine = memoryEngine({ clock, journal });
  await engine.register(createDagDriver({ gateway, eventLog: engine.events, clock, newId: () => "x" }));
  await engine.start(spec, { objective: "o" }, { runId: "r" });
  const ended = engine.result("r").catch((error: unknown) => error);
  await clock.advance(5_000);
  return { clock, disk, gateway, engine, ended };
}

it("goes on with a run that was stuck, however long that was, and does nothing twice", async () => {
  const { clock, disk, gateway, engine, ended } = await stuckRun();
  expect(await ended).toMatchObject({ code: "store.full" });
  expect((await engine.stuck(["r"])).get("r")).toMatchObject({ code: "store.full" });
  await clock.advance(HOUR);
  disk.full = false;
  expect(await engine.resume("r")).toBe("resumed");
  expect((await engine.stuck(["r"])).get("r")).toBeUndefined();
  const outcome = engine.result("r");
  await clock.advance(30_000);
  expect(await outcome).toMatchObject({ outcome: "completed" });
  expect(gateway.calls).toHaveLength(2);
});

it("says of a run that is stuck again that it is, and of others that there is nothing to resume", async () => {
  const { clock, disk, engine } = await stuckRun();
  expect(await engine.resume("r")).toBe("resumed");
  expect(await engine.resume("r")).toBe("at-work");
  await clock.advance(5_000);
  expect((await engine.stuck(["r"])).get("r")).toMatchObject({ code: "store.full" });
  disk.full = false;
  await engine.resume("r");
  await clock.advance(2 * HOUR);
  expect(await engine.resume("r")).toBe("no-run");
  expect(await engine.resume("another")).toBe("no-run");
});

it("tells what it recorded of a run, ended or not", async () => {
  const { clock, disk, engine } = await stuckRun();
  expect(await engine.recorded("another")).toBeUndefined();
  const open = await engine.recorded("r");
  expect(open).toMatchObject({ spec, input: { objective: "o" }, outcome: null });
  expect(open?.journal?.map(({ name }) => name)).toEqual(["begin", "a#1/send", "slow#1/send"]);
  disk.full = false;
  await engine.resume("r");
  await clock.advance(2 * HOUR);
  expect((await engine.recorded("r"))?.outcome).toEqual(await engine.result("r"));
});

/** A log that refuses the end of a run, `times` times. */
function forgetfulLog(times: number) {
  const kept = memoryEventLog();
  const refuses = { times };
  const log: typeof kept = {
    ...kept,
    append(runId, key, event) {
      if (event.type === "finish" && refuses.times-- > 0) return;
      kept.append(runId, key, event);
    },
  };
  return { log, refuses };
}

it("has not ended before its log says so, and tells it again when it is resumed", async () => {
  const clock = virtualClock();
  const { log: events, refuses } = forgetfulLog(Infinity);
  const engine = memoryEngine({ clock, events });
  const gateway = scriptedGateway(() => ({ ms: 1_000 }), clock);
  await engine.register(createDagDriver({ gateway, eventLog: events, clock }));
  await engine.start(spec, { objective: "o" }, { runId: "r" });
  const ended = engine.result("r").catch((error: unknown) => error);
  await clock.advance(5_000);
  expect(await ended).toMatchObject({ code: "store.io", message: expect.stringContaining('run "r"') });
  expect(await engine.recorded("r")).toMatchObject({ outcome: null });
  refuses.times = 1;
  for (const keeps of [false, true]) {
    expect(await engine.resume("r")).toBe("resumed");
    await clock.advance(0);
    expect((await engine.stuck(["r"])).has("r")).toBe(!keeps);
  }
  expect((await engine.result("r")).outcome).toBe("completed");
  expect((await engine.get("r"))?.status).toBe("completed");
  expect(gateway.calls).toHaveLength(2);
});

it("lets go of whoever follows a run that has ended and whose log lost the end", async () => {
  const clock = virtualClock();
  const journal = memoryJournal();
  const first = memoryEngine({ clock, journal });
  const gateway = scriptedGateway(() => ({ ms: 1_000 }), clock);
  await first.register(createDagDriver({ gateway, eventLog: first.events, clock }));
  await first.start(spec, { objective: "o" }, { runId: "r" });
  await clock.advance(5_000);
  await first.close();
  const events = memoryEventLog();
  for await (const { key, event } of first.events.read("r", {
    from: 0,
    signal: new AbortController().signal,
  }))
    if (event.type !== "finish") events.append("r", key, event);
  const engine = memoryEngine({ clock, journal, events });
  const outcome = await engine.result("r");
  const followed: AgentEvent[] = [];
  for await (const { event } of events.read("r", { from: 0, signal: new AbortController().signal }))
    followed.push(event);
  expect(followed.at(-1)).toMatchObject({ type: "finish", outcome: "completed", response: outcome.response });
});
