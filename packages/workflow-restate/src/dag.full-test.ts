import { systemClock } from "@troupe/core";
import { freePort, scriptedModel } from "@troupe/core/testing";
import {
  createDagDriver,
  eventsSoFar,
  exportRun,
  normalizeWorkflow,
  replayRun,
  workflowSchema,
  type DagDriverOptions,
  type DagSpec,
} from "@troupe/workflow";
import { agentEntry, memoryEventLog, scriptedGateway, type AgentScript } from "@troupe/workflow/testing";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { openRestateEngine } from "./open-restate-engine.ts";
import { startRestate, type RestateServer } from "./testing/index.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await startRestate();
});
afterAll(() => server.stop());

let services = 0;

const step = (id: string, more: object = {}) => ({ id, agent: id, instruction: `do ${id}`, ...more });
const workflow = (...steps: readonly object[]): DagSpec =>
  normalizeWorkflow(workflowSchema.parse({ version: 1, name: "dag", steps, mode: "parallel" }));
const fan = workflow(step("a"), step("b"), step("c"), step("join", { depends_on: ["a", "b", "c"] }));

/** The real driver with agents that follow a script; `again` is another process after the one before was cut off. */
async function orchestrators(script: AgentScript, writer: Pick<DagDriverOptions, "model" | "replan"> = {}) {
  const events = memoryEventLog(() => Date.now());
  const gateway = scriptedGateway(script, systemClock);
  const own = { service: `dag-${++services}`, port: await freePort() };
  const again = async () => {
    const engine = await openRestateEngine({ ...server, ...own, events, inactivityMs: 1_000 });
    onTestFinished(() => engine.close());
    await engine.register(createDagDriver({ gateway, eventLog: events, ...writer }));
    return engine;
  };
  return { events, gateway, again, engine: await again() };
}

it("asks each agent of a hundred workflows once, and tells everything", async () => {
  const { events, gateway, engine } = await orchestrators(() => ({ ms: 1 }));
  const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
  await Promise.all(ids.map((runId) => engine.start(fan, { objective: "o" }, { runId })));
  const outcomes = await Promise.all(ids.map((runId) => engine.result(runId)));
  expect(new Set(outcomes.map(({ outcome, response }) => `${outcome} ${response.content}`))).toEqual(
    new Set(["completed do join"]),
  );
  expect(gateway.calls).toHaveLength(400);
  expect(events.events("r99").at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
  expect(await engine.get("r7")).toMatchObject({ status: "completed", objective: "o" });
});

it("tells all agents when a run is canceled that was cut off while they worked, and asks none again", async () => {
  const asked = Promise.withResolvers<void>();
  const { gateway, engine, again } = await orchestrators(() => {
    if (gateway.calls.length === 2) asked.resolve();
    return { never: true };
  });
  await engine.start(fan, { objective: "o" }, { runId: "r" });
  await asked.promise;
  await engine.close();
  const next = await again();
  expect(await next.cancel("r", "enough")).toBe("accepted");
  expect(await next.result("r")).toMatchObject({ outcome: "canceled", error: { message: "enough" } });
  expect(gateway.calls).toHaveLength(3);
  expect(gateway.canceled.toSorted()).toEqual(["task-1", "task-2", "task-3"]);
});

it("stops what takes too long, tries it again and goes on with the rest", async () => {
  const retried = workflow(
    step("a", { timeout_seconds: 1, retry: { attempts: 2, backoff_seconds: 0 }, on_failure: "continue" }),
    step("b", { depends_on: ["a"] }),
  );
  const { events, gateway, engine } = await orchestrators((_request, agent) => ({ never: agent === "a" }));
  await engine.start(retried, { objective: "o" }, { runId: "r" });
  const outcome = await engine.result("r");
  expect(outcome).toMatchObject({ outcome: "partial", response: { content: "do b" } });
  expect(outcome.steps.map(({ state }) => state)).toEqual(["failed", "completed"]);
  expect(gateway.calls.map(({ request }) => request.messageId)).toEqual(["r/a#1", "r/a#2", "r/b#1"]);
  expect(gateway.canceled).toEqual(["task-1", "task-2"]);

  // What is on record of it makes the driver decide, tell and end as it did.
  const [view, recorded] = await Promise.all([events.view("r"), engine.recorded("r")]);
  if (!view) throw new Error("it is not on record");
  const file = exportRun({ view, recorded, events: await eventsSoFar(events, "r") }, (text) => text);
  expect(await replayRun(file)).toMatchObject({ result: "same", differences: [] });
});

it("waits for a person in a process that is gone, and takes the answer in the next", async () => {
  const asked = workflow(
    {
      id: "approve",
      kind: "human",
      instruction: "Send it?",
      form: { title: "Send?", fields: [{ field_name: "note" }] },
    },
    step("a", { depends_on: ["approve"] }),
  );
  const { engine, again } = await orchestrators(() => ({}));
  await engine.start(asked, { objective: "o" }, { runId: "r" });
  await expect.poll(async () => (await engine.get("r"))?.status, { timeout: 20_000 }).toBe("input-required");
  await engine.close();
  const next = await again();
  const reply = { requestId: "approve", values: { note: "yes" } };
  expect(await next.signal("r", "human:approve", reply, { idempotencyKey: "k" })).toBe("accepted");
  expect(await next.result("r")).toMatchObject({ outcome: "completed", response: { content: "do a" } });
});

it("resumes the same added steps in the next process, without asking the model again", async () => {
  const reached = Promise.withResolvers<void>();
  const steps = [{ ...step("c"), depends_on: ["a"], expected_output: "" }];
  const model = scriptedModel([
    { calls: [{ name: "add_steps", arguments: { reason: "more", steps } }] },
    { text: "the answer" },
  ]);
  const writer = {
    model,
    replan: {
      team: async () => ({ agents: ["a", "b", "c"].map((name) => agentEntry(name, [])) }),
      normalize: (all: Parameters<typeof normalizeWorkflow>[0]) => normalizeWorkflow(all),
    },
  };
  const { events, gateway, engine, again } = await orchestrators((_request, agent) => {
    if (agent !== "c") return { ms: 1 };
    reached.resolve();
    return { ms: 2_000 };
  }, writer);
  const revisable = { ...workflow(step("a"), step("b")), maxReplans: 2 };
  await engine.start(revisable, { objective: "o" }, { runId: "r" });
  await reached.promise;
  await engine.close();
  const next = await again();
  expect(await next.result("r")).toMatchObject({
    outcome: "completed",
    response: { content: "the answer" },
    revisions: [{ reason: "more", steps: [{ id: "c" }] }],
    steps: [{ stepId: "a" }, { stepId: "b" }, { stepId: "c", state: "completed" }],
  });
  expect(gateway.calls.map(({ request }) => request.messageId).toSorted()).toEqual([
    "r/a#1",
    "r/b#1",
    "r/c#1",
  ]);
  model.assertDone();
  const told = events.events("r").flatMap((event) => (event.type === "plan-update" ? event.plan : []));
  expect(told.map((plan) => plan.steps.map(({ id }) => id))).toEqual([
    ["a", "b"],
    ["a", "b", "c"],
  ]);

  const [view, recorded] = await Promise.all([events.view("r"), next.recorded("r")]);
  if (!view) throw new Error("it is not on record");
  const file = exportRun({ view, recorded, events: await eventsSoFar(events, "r") }, (text) => text);
  expect(await replayRun(file)).toMatchObject({ result: "same", differences: [] });
});
