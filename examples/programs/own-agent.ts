// An agent of one's own in this process: one tool, fixed rules in place of a model, events as they come.
import assert from "node:assert/strict";

import { createAgent, defineTool } from "@troupe/core";
import { finishCall, lastUserText, playbookModel, toolResults } from "@troupe/playbook";
import type { AgentEvent } from "@troupe/stream";
import { z } from "zod";

const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of a text.",
  input: z.strictObject({ text: z.string() }),
  idempotent: true,
  async execute({ text }) {
    return { text: String(text.split(/\s+/).filter((word) => word !== "").length) };
  },
});

const model = playbookModel((request) => {
  const counted = toolResults(request, "count_words").at(-1);
  if (counted !== undefined) return { calls: [finishCall({ content: `It has ${counted.text} words.` })] };
  return { say: "Counting.", calls: [{ name: "count_words", arguments: { text: lastUserText(request) } }] };
});

const agent = createAgent(
  {
    agent_type: "counter",
    name: "counter-agent",
    title: "Counter",
    description: "Counts words.",
    system_prompt: "Count the words with count_words.",
  },
  { model, tools: [countWords] },
);

const request = { runId: "run-1", text: "one two three", history: [] };
const events: AgentEvent[] = [];
for await (const event of agent.run(request, { signal: AbortSignal.timeout(10_000) })) {
  events.push(event);
  process.stdout.write(`${event.seq} ${event.type}\n`);
}

const finish = events.at(-1);
assert(finish?.type === "finish");
assert.equal(finish.outcome, "completed");
assert.equal(finish.response.content, "It has 3 words.");
assert(events.some((event) => event.type === "tool-end" && event.status === "ok"));
