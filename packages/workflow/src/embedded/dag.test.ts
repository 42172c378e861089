import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@troupe/core";
import type { AgentEvent } from "@troupe/stream";
import { afterEach, beforeEach, expect, it } from "vitest";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import { scriptedGateway, type AgentScript } from "../testing/index.ts";
import { openEmbeddedEngine } from "./engine.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-dag-"));
});
afterEach(() => rm(folder, { recursive: true }));

const step = (id: string, depends_on: string[] = []) => ({
  id,
  agent: id,
  instruction: `do ${id}`,
  depends_on,
});
const spec = normalizeWorkflow(
  workflowSchema.parse({
    version: 1,
    name: "fan",
    steps: [step("a"), step("b"), step("c"), step("join", ["a", "b", "c"])],
  }),
);

async function open(script: AgentScript) {
  const gateway = scriptedGateway(script, systemClock);
  const engine = openEmbeddedEngine({ path: join(folder, "journal.sqlite") });
  await engine.register(createDagDriver({ gateway, eventLog: engine.events }));
  return { gateway, engine };
}

it("runs a workflow on sqlite, followed live to its end", async () => {
  const { gateway, engine } = await open(() => ({ ms: 5 }));
  await engine.start(spec, { objective: "fan out" }, { runId: "r" });
  const followed: AgentEvent[] = [];
  for await (const { event } of engine.events.read("r", { from: 0, signal: new AbortController().signal }))
    followed.push(event);
  expect(followed.at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
  expect(await engine.result("r")).toMatchObject({ outcome: "completed", response: { content: "do join" } });
  expect(gateway.peak).toBe(3);
  expect(await engine.get("r")).toMatchObject({ status: "completed", objective: "fan out" });
  await engine.close();
});

it("runs a hundred workflows at once, each agent once a step", async () => {
  const { gateway, engine } = await open(() => ({ ms: 1 }));
  const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
  await Promise.all(ids.map((runId) => engine.start(spec, { objective: "o" }, { runId })));
  const outcomes = await Promise.all(ids.map((runId) => engine.result(runId)));
  expect(new Set(outcomes.map((outcome) => outcome.outcome))).toEqual(new Set(["completed"]));
  expect(new Set(gateway.calls.map((call) => call.request.messageId)).size).toBe(400);
  expect(gateway.calls).toHaveLength(400);
  await engine.close();
});

it("tells all agents when a run is canceled", async () => {
  const { gateway, engine } = await open(() => ({ never: true }));
  await engine.start(spec, { objective: "o" }, { runId: "r" });
  const states: string[] = [];
  for await (const { event } of engine.events.read("r", { from: 0, signal: new AbortController().signal })) {
    if (event.type === "step-status") states.push(`${event.step} ${event.state}`);
    if (states.length === 3 && event.type === "step-status") await engine.cancel("r", "enough");
  }
  expect((await engine.result("r")).outcome).toBe("canceled");
  expect(gateway.canceled).toHaveLength(3);
  expect(states.slice(3).toSorted()).toEqual(["a canceled", "b canceled", "c canceled", "join canceled"]);
  await engine.close();
});
