import { createAgent } from "@troupe/core";
import { eventsOf, finishOf, finishCall, runAgent, scriptedModel } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";

const plan = (agent: string) => ({
  text: JSON.stringify({
    version: 1,
    name: "p",
    mode: "parallel",
    steps: [{ id: "a", agent, instruction: "Do it.", depends_on: [], expected_output: "" }],
    final: "passthrough",
    refusal: "",
    needs: "",
  }),
  usage: { inputTokens: 100, outputTokens: 10, modelCalls: 1 },
});

/** Two agents, so that a planner is asked, which writes these plans. */
async function open(...written: readonly ReturnType<typeof plan>[]) {
  const agents = ["first", "second"].map((name) =>
    createAgent(
      { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test." },
      { model: scriptedModel([{ calls: [finishCall("Done.")], usage: { inputTokens: 7, modelCalls: 1 } }]) },
    ),
  );
  const orchestrator = await createOrchestrator({ agents, model: scriptedModel(written) });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
}

it("counts a plan and its repair in what the run took, and tells it as the run's own", async () => {
  const orchestrator = await open(plan("nobody"), plan("first"));
  const events = await runAgent(orchestrator.agent, { runId: "r", text: "Do much." });
  expect(finishOf(events.filter(({ stepId }) => stepId === undefined)).outcome).toBe("completed");
  const own = eventsOf(events, "usage").filter(({ stepId }) => stepId === undefined);
  expect(own).toMatchObject([{ usage: { inputTokens: 200, outputTokens: 20, modelCalls: 2 } }]);
  expect((await orchestrator.show("r"))?.usage.total).toMatchObject({ inputTokens: 207, modelCalls: 3 });
  expect((await orchestrator.show("r"))?.planning?.total).toMatchObject({ inputTokens: 200, modelCalls: 2 });
  const again = await orchestrator.executeWorkflow("x", {
    version: 1,
    name: "w",
    steps: [{ agent: "second", instruction: "Do it." }],
  });
  expect(again.usage.inputTokens).toBe(7);
});

it("tells what a plan took that nobody can run, and one that is only shown", async () => {
  const failed = await open(plan("nobody"), plan("nobody"));
  const events = await runAgent(failed.agent, { runId: "r", text: "Do much." });
  expect(finishOf(events)).toMatchObject({ outcome: "failed", error: { code: "workflow.plan-invalid" } });
  expect(eventsOf(events, "usage")).toMatchObject([{ usage: { inputTokens: 200 } }]);
  const joined = await runAgent(failed.agent, { runId: "other", metadata: { run_id: "r" } });
  expect(finishOf(joined)).toMatchObject({ runId: "r", error: { code: "workflow.plan-invalid" } });

  const shown = await open(plan("first"));
  const told = await runAgent(shown.agent, { runId: "s", text: "Do much.", metadata: { plan_only: true } });
  expect(eventsOf(told, "usage")).toMatchObject([{ usage: { inputTokens: 100 } }]);
  expect(finishOf(told).response.content).toBe(
    "version: 1\nname: p\nmode: parallel\nfinal: passthrough\nsteps:\n  - id: a\n    agent: first\n    instruction: Do it.\n    depends_on: []\n",
  );
});
