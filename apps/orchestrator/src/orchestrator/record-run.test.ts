import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createAgent, ModelError, type Model } from "@troupe/core";
import { finishCall, finishOf, runAgent, scriptedModel } from "@troupe/core/testing";
import { openEventLog } from "@troupe/workflow";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";
import { readRuns } from "../testing/read-runs.ts";
import { runsFile } from "./state.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-record-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

/** Two agents, so that a planner is asked, which is this model. */
async function open(model: Model) {
  const agents = ["first", "second"].map((name) =>
    createAgent(
      { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test." },
      { model: scriptedModel([{ calls: [finishCall(`By ${name}.`)] }]) },
    ),
  );
  const orchestrator = await createOrchestrator({ agents, model, home });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
}

it("is on record while it is planned, and as canceled when it is canceled before there is a plan", async () => {
  const began = Promise.withResolvers<void>();
  const gate = new Promise<void>(() => undefined);
  const orchestrator = await open(scriptedModel([{ gate, text: "", expect: () => began.resolve() }]));
  const abort = new AbortController();
  const run = { runId: "r", text: "Do much.", userId: "ann" };
  const events = runAgent(orchestrator.agent, run, { signal: abort.signal });
  await began.promise;
  const planned = { runId: "r", objective: "Do much.", userId: "ann", steps: [] };
  expect(await orchestrator.runs()).toMatchObject([{ ...planned, status: "planning" }]);
  abort.abort();
  expect(finishOf(await events).outcome).toBe("canceled");
  expect(await orchestrator.runs()).toMatchObject([{ ...planned, status: "canceled" }]);
  const joined = await runAgent(orchestrator.agent, {
    runId: "other",
    userId: "ann",
    metadata: { run_id: "r" },
  });
  expect(finishOf(joined)).toMatchObject({ runId: "r", outcome: "canceled" });
});

it("is on record as failed, with the reason, when its planning fails", async () => {
  const refuses = scriptedModel([{ text: "", fail: new ModelError("model.auth", "Check the key.") }]);
  const orchestrator = await open(refuses);
  const events = await runAgent(orchestrator.agent, { runId: "r", text: "Do much." });
  expect(finishOf(events)).toMatchObject({ outcome: "failed", error: { code: "model.auth" } });
  expect(await orchestrator.run("r")).toMatchObject({
    status: "failed",
    outcome: "failed",
    objective: "Do much.",
    reason: "Check the key.",
  });
});

it("has failed when its orchestrator was killed while it planned, and hinders nothing", async () => {
  // What a process leaves behind that was killed there.
  const before = openEventLog({ path: runsFile(home) });
  await before.begin({ runId: "lost", name: "", objective: "Do much." });
  before.close();
  expect(await readRuns(home)).toMatchObject([{ runId: "lost", status: "planning" }]);
  const orchestrator = await open(scriptedModel([]));
  expect(await orchestrator.run("lost")).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/while it planned this run/) as string,
  });
});

it("gets the name of its workflow once it has one, and is then as any other", async () => {
  const orchestrator = await open(scriptedModel([]));
  const workflow = { version: 1, name: "Two", steps: [{ agent: "first", instruction: "Do." }] };
  await runAgent(orchestrator.agent, { runId: "r", text: "Do.", metadata: { workflow } });
  expect(await orchestrator.runs()).toMatchObject([{ runId: "r", name: "Two", status: "completed" }]);
});
