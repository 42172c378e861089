// The orchestrator as a library: two agents of this process and a remote one, in sequence and in parallel.
import assert from "node:assert/strict";

import { serveAgent } from "@troupe/a2a/server";
import { playbookModel } from "@troupe/playbook";
import { createOrchestrator } from "@troupe/orchestrator";

import { localAgent } from "./support/local-agent.ts";

const river = localAgent("river-agent", () => "The river stands at 2.4 m.");
const rain = localAgent("rain-agent", () => "12 mm of rain fell.");
const writer = localAgent("writer-agent", (text) => (text.includes("2.4 m") ? "Level: 2.4 m" : "No level."));
const served = await serveAgent({ agent: writer });

const orchestrator = await createOrchestrator({
  agents: [river, rain, served.url],
  model: playbookModel(),
});
try {
  const names = (await orchestrator.agents()).map((agent) => agent.name);
  assert.deepEqual(names.toSorted(), ["rain-agent", "river-agent", "writer-agent"]);

  // Each agent gets the result of the one before it; the last one's answer is the answer.
  const inTurn = await orchestrator.runSequential("Report the level", ["river-agent", "writer-agent"]);
  assert.equal(inTurn.outcome, "completed");
  assert.equal(inTurn.response.content, "Level: 2.4 m");

  // All at once; the answers are put together.
  const atOnce = await orchestrator.runParallel("Report", ["river-agent", "rain-agent"]);
  assert.match(atOnce.response.content, /2\.4 m[\s\S]*12 mm/);

  // One task for each agent, at the same place in the list.
  const own = await orchestrator.runParallel(
    ["river-agent", "rain-agent"],
    ["How high is the river?", "How much rain fell?"],
  );
  assert.match(own.response.content, /2\.4 m[\s\S]*12 mm/);

  const listed = await orchestrator.executeWorkflow("Report the level", [
    { agent: "river-agent", instruction: "How high is the river?" },
    { agent: "writer-agent", instruction: "Report.", depends_on: ["river-agent"] },
  ]);
  assert.equal(listed.response.content, "Level: 2.4 m");

  // A workflow as data, with everything that happens on the way.
  const seen: string[] = [];
  const outcome = await orchestrator.executeWorkflow(
    { task_id: "report-1", description: "Report the level and the rain", metadata: { ticket: 42 } },
    {
      version: 1,
      name: "Report",
      mode: "parallel",
      steps: [
        { id: "level", agent: "river-agent", instruction: "How high is the river?" },
        { id: "rain", agent: "rain-agent", instruction: "How much rain fell?" },
        { id: "report", agent: "writer-agent", instruction: "Report.", depends_on: ["level", "rain"] },
      ],
    },
    undefined,
    { onEvent: (event) => void seen.push(event.type) },
  );
  process.stdout.write(`${outcome.steps.map((step) => `${step.stepId}: ${step.outcome}`).join(", ")}\n`);
  assert.equal(outcome.response.content, "Level: 2.4 m");
  assert.equal(seen[0], "plan-update");
  // The task as it was given, with how far it is.
  const task = await orchestrator.task("report-1");
  assert.deepEqual(task?.metadata, { ticket: 42 });
  assert.equal(task.status, "completed");

  // Everything before that step is kept: the river and the rain are not asked again.
  const again = await orchestrator.retry("report-1", { from: "report" });
  for await (const { position, event } of orchestrator.watch(again.runId))
    if (event.type === "step-status") process.stdout.write(`${position} ${event.step} ${event.state}\n`);
  const second = await orchestrator.result(again.runId);
  const detail = await orchestrator.show(again.runId);
  assert.equal(second.response.content, "Level: 2.4 m");
  assert.deepEqual(
    detail?.steps.map((step) => step.keptFrom),
    ["report-1", "report-1", undefined],
  );
  assert.equal((await orchestrator.runs()).length, 6);
  assert.equal((await orchestrator.replay(await orchestrator.export(again.runId))).result, "same");
} finally {
  await orchestrator.close();
  await served.close();
}
