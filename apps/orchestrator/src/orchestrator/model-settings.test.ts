import { createAgent, type AgentRequest } from "@troupe/core";
import { eventsOf, finishCall, runAgent, scriptedModel } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";

const plan = {
  version: 1,
  name: "p",
  mode: "parallel",
  steps: [{ id: "a", agent: "first", instruction: "Do it.", depends_on: [], expected_output: "" }],
  final: "passthrough",
  refusal: "",
  needs: "",
};

/** Two agents, so that a planner is asked; each keeps what it was asked. */
function agents(asked: AgentRequest[]) {
  return ["first", "second"].map((name) => {
    const model = scriptedModel([{ calls: [finishCall("Done.")] }, { calls: [finishCall("Done.")] }]);
    const config = { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test." };
    const agent = createAgent(config, { model });
    return {
      ...agent,
      run: (request: AgentRequest, options: Parameters<typeof agent.run>[1]) => {
        asked.push(request);
        return agent.run(request, options);
      },
    };
  });
}

it("plans on a model of its own", async () => {
  const planner = scriptedModel([{ text: JSON.stringify(plan), usage: { inputTokens: 9 } }], {
    id: "planner",
  });
  const model = scriptedModel([], { id: "writer" });
  const orchestrator = await createOrchestrator({ agents: agents([]), model, plannerModel: planner });
  onTestFinished(() => orchestrator.close());
  const events = await runAgent(orchestrator.agent, { text: "Do much." });
  expect(eventsOf(events, "finish").at(-1)).toMatchObject({ outcome: "completed" });
  expect(eventsOf(events, "usage")).toMatchObject([{ model: "planner", usage: { inputTokens: 9 } }]);
});

it("uses the step timeout of the deployment for plans and workflows without one", async () => {
  const asked: AgentRequest[] = [];
  const orchestrator = await createOrchestrator({
    agents: agents(asked),
    model: scriptedModel([{ text: JSON.stringify(plan) }]),
    stepTimeoutMs: 900_000,
  });
  onTestFinished(() => orchestrator.close());
  await runAgent(orchestrator.agent, { text: "Do much." });
  const steps = [
    { id: "a", agent: "first", instruction: "Do it." },
    { id: "b", agent: "second", instruction: "Do it.", timeout_seconds: 7 },
  ];
  await orchestrator.executeWorkflow("x", { version: 1, name: "w", mode: "parallel", steps });
  expect(asked.map(({ delegation }) => delegation?.limits.timeoutMs)).toEqual([900_000, 900_000, 7_000]);
});

it("gives agents a step timeout in whole milliseconds", async () => {
  const asked: AgentRequest[] = [];
  const model = scriptedModel([{ text: JSON.stringify(plan) }]);
  const seconds = 1.001;
  const orchestrator = await createOrchestrator({
    agents: agents(asked),
    model,
    stepTimeoutMs: seconds * 1_000,
  });
  onTestFinished(() => orchestrator.close());
  await runAgent(orchestrator.agent, { text: "Do much." });
  expect(asked.map(({ delegation }) => delegation?.limits.timeoutMs)).toEqual([1_001]);
});
