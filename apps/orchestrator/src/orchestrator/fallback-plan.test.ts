import { createAgent } from "@troupe/core";
import { eventsOf, finishOf, runAgent, scriptedModel, testConfig } from "@troupe/core/testing";
import { playbookModel } from "@troupe/playbook";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";

const agent = (name: string, tag: string) =>
  createAgent(
    {
      ...testConfig,
      name,
      skills: [{ id: name, name, description: "", tags: [tag], examples: [] }],
    },
    { model: playbookModel(() => ({ say: `Found by ${name}.` })) },
  );

it("plans by the fallback after a second bad plan, and the run says so", async () => {
  const model = scriptedModel([{ text: "I would search." }, { text: '{"steps":[{"agent":"nobody"}]}' }]);
  const orchestrator = await createOrchestrator({
    agents: [agent("alpha", "documents"), agent("beta", "sql")],
    model,
    fallback: playbookModel(),
  });
  onTestFinished(() => orchestrator.close());
  const events = await runAgent(orchestrator.agent, {
    runId: "r",
    text: "What does the policy say about trains?",
  });
  const own = events.filter((event) => event.stepId === undefined);
  expect(finishOf(own)).toMatchObject({ outcome: "completed", response: { content: "Found by alpha." } });
  const told = eventsOf(own, "text-delta")
    .map(({ delta }) => delta)
    .join("");
  expect(told).toContain(
    'The model "scripted" wrote no plan that can be run, also after one correction; the plan is by fixed rules.',
  );
  model.assertDone();
});

it("sends the unchanged first request to the only agent", async () => {
  const model = scriptedModel([]);
  const orchestrator = await createOrchestrator({ agents: [agent("alpha", "documents")], model });
  onTestFinished(() => orchestrator.close());
  const events = await runAgent(orchestrator.agent, { runId: "r", text: "Und der Umsatz?" });
  expect(finishOf(events.filter(({ stepId }) => stepId === undefined)).response.content).toBe(
    "Found by alpha.",
  );
  expect(model.requests).toEqual([]);
});
