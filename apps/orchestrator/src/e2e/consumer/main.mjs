// The library in a project of its own: an agent of this process and one of another, in sequence and
// at the same time. Its one argument is the address of the other.
import assert from "node:assert/strict";

import { createAgent } from "@troupe/core";
import { lastUserText, playbookModel } from "@troupe/playbook";
import { createOrchestrator } from "@troupe/orchestrator";

const local = createAgent(
  {
    agent_type: "echo",
    name: "local",
    title: "Local",
    description: "Says that it is here.",
    system_prompt: "Answer.",
  },
  { model: playbookModel((request) => ({ say: `Here I read: ${lastUserText(request)}` })) },
);
const orchestrator = await createOrchestrator({
  agents: [local, process.argv[2]],
  model: playbookModel((request) => ({ say: `All in all: ${lastUserText(request)}` })),
});

const agents = await orchestrator.agents();
assert.deepEqual(
  new Map(agents.map((agent) => [agent.name, agent.status])),
  new Map([
    ["local", "up"],
    ["remote", "up"],
  ]),
);

const oneByOne = await orchestrator.runSequential("How deep is the water?", ["local", "remote"]);
assert.equal(oneByOne.outcome, "completed");
assert.match(oneByOne.response.content, /^Far away I read: [^]*Here I read: [^]*How deep is the water\?/);

const events = [];
const together = await orchestrator.executeWorkflow(
  { description: "How deep is the water?", task_id: "together" },
  {
    version: 1,
    name: "Together",
    steps: [
      { id: "here", agent: "local", instruction: "Look here." },
      { id: "there", agent: "remote", instruction: "Look there." },
    ],
  },
  "parallel",
  { onEvent: (event) => events.push(event.type) },
);
assert.equal(together.runId, "together");
assert.deepEqual(
  together.steps.map((step) => [step.stepId, step.outcome]),
  [
    ["here", "completed"],
    ["there", "completed"],
  ],
);
assert.doesNotMatch(together.steps[1].answer, /Here I read/);
assert.match(together.response.content, /^All in all: /);
assert.equal(events.at(-1), "finish");

await assert.rejects(orchestrator.runSequential("x", ["nobody"]), { code: "input.invalid" });
await orchestrator.close();
process.stdout.write("all is as it should be\n");
