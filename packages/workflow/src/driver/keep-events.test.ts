import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { memoryEngine, memoryEventLog, memoryJournal, scriptedGateway } from "../testing/index.ts";
import { createDagDriver } from "./create-dag-driver.ts";

it("journals no step, and ends no run, before what it told is kept", async () => {
  const clock = virtualClock();
  const journal = memoryJournal();
  const events = memoryEventLog(() => clock.now());
  let waiting: (() => void)[] = [];
  const eventLog = { ...events, kept: () => new Promise<void>((resolve) => waiting.push(resolve)) };
  const store = async (): Promise<void> => {
    const due = waiting;
    waiting = [];
    for (const resolve of due) resolve();
    await clock.advance(0);
  };
  const engine = memoryEngine({ clock, journal, events });
  const gateway = scriptedGateway(() => ({}), clock);
  await engine.register(createDagDriver({ gateway, eventLog, clock }));
  const steps = [{ id: "a", agent: "a-agent", instruction: "do a" }];
  const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "one", steps }));
  await engine.start(spec, { objective: "x" }, { runId: "r" });
  const names = () => journal.load("r").entries.map(({ name }) => name);
  await clock.advance(1_000);
  for (const journaled of [[], ["begin"], ["begin", "a#1/send"], ["begin", "a#1/send", "a#1/await"]]) {
    expect(names()).toEqual(journaled);
    expect(journal.outcome("r")).toBeNull();
    await store();
    await clock.advance(1_000);
  }
  expect((await engine.result("r")).outcome).toBe("completed");
});
