import { createAgent, defineTool, type RunnableAgent, type Tool } from "@troupe/core";
import { playbookModel } from "@troupe/playbook";
import { createOrchestrator, type Orchestrator } from "@troupe/orchestrator";
import { z } from "zod";

export const shout: Tool = defineTool({
  name: "shout",
  description: "Says it louder.",
  input: z.object({ text: z.string() }),
  execute: ({ text }) => Promise.resolve({ text: text.toUpperCase() }),
});

const model = playbookModel(() => ({ say: "Done." }));
const agent: RunnableAgent = createAgent(
  {
    agent_type: "a",
    name: "a",
    title: "A",
    description: "An agent.",
    system_prompt: "Answer.",
    tools: ["shout"],
  },
  { model, tools: [shout] },
);
const orchestrator: Orchestrator = await createOrchestrator({ agents: [agent], model });
const { outcome, steps } = await orchestrator.runParallel({ description: "Go." }, ["a"]);
export const answers: readonly string[] = outcome === "completed" ? steps.map((step) => step.answer) : [];
// @ts-expect-error a mode is one of two words
await orchestrator.executeWorkflow("Go.", { version: 1, name: "W", steps: [] }, "sideways");
await orchestrator.close();
