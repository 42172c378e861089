import { createAgent, type Model } from "@troupe/core";
import { finishCall, runAgent, scriptedModel } from "@troupe/core/testing";
import type { HostedEngine } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { sharedEngine } from "../testing/shared-engine.ts";
import { createOrchestrator } from "./create-orchestrator.ts";

const agentOf = (name: string) =>
  createAgent(
    { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test." },
    { model: scriptedModel([{ calls: [finishCall(`By ${name}.`)] }]) },
  );

async function replica(engine: HostedEngine, model: Model = scriptedModel([])) {
  const agents = ["first", "second"].map(agentOf);
  const orchestrator = await createOrchestrator({ agents, model, engine });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
}

const form = { title: "Who?", fields: [{ field_name: "audience" }] };
const workflow = {
  version: 1 as const,
  name: "Ask",
  steps: [
    { agent: "first", instruction: "Begin." },
    { id: "who", kind: "human" as const, instruction: "Who?", form },
    { agent: "second", instruction: "End." },
  ],
};

it("tells at one orchestrator of runs that another began, and takes answers to them", async () => {
  const engine = sharedEngine();
  const [one, other] = [await replica(engine), await replica(engine)];
  const request = { runId: "r", text: "Go.", userId: "ann", metadata: { workflow } };
  expect((await runAgent(one.agent, request)).at(-1)).toMatchObject({ outcome: "input-required" });
  expect(await other.run("r")).toMatchObject({ status: "input-required", requests: [{ step: "who" }] });
  expect(await other.task("r")).toMatchObject({ description: "Go.", user_id: "ann" });
  const reply = { requestId: "who", values: { audience: "all" } };
  const rest = await runAgent(other.agent, { runId: "r", text: "", userId: "ann", reply });
  expect(rest.at(-1)).toMatchObject({ outcome: "completed", response: { content: "By second." } });
  // Closing one takes nothing from the other.
  await one.close();
  expect(await other.runs()).toMatchObject([{ runId: "r", status: "completed" }]);
});

it("plans anew what another orchestrator was cut off in planning", async () => {
  const engine = sharedEngine();
  const other = await replica(engine);
  await engine.events.begin({ runId: "r", name: "", objective: "Go.", userId: "ann" });
  const request = {
    runId: "r",
    text: "Go.",
    userId: "ann",
    recovered: true as const,
    metadata: { workflow: { ...workflow, steps: [{ agent: "first", instruction: "All." }] } },
  };
  expect((await runAgent(other.agent, request)).at(-1)).toMatchObject({
    outcome: "completed",
    response: { content: "By first." },
  });
});
