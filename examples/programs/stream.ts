// A turn as a reader sees it: reduceTurn folds every event into plain data, live.
import assert from "node:assert/strict";

import { createAgent, defineTool } from "@troupe/core";
import { finishCall, playbookModel, toolResults } from "@troupe/playbook";
import { emptyTurn, reduceTurn } from "@troupe/stream";
import { z } from "zod";

const lookUp = defineTool({
  name: "look_up",
  description: "Looks up the river level.",
  input: z.strictObject({}),
  idempotent: true,
  execute: async () => ({ text: "The river stands at 2.4 m." }),
});

const agent = createAgent(
  {
    agent_type: "river",
    name: "river-agent",
    title: "River agent",
    description: "Knows the river level.",
    system_prompt: "Look it up.",
  },
  {
    model: playbookModel((request) => {
      const found = toolResults(request, "look_up").at(-1);
      if (found === undefined) return { say: "I look it up.", calls: [{ name: "look_up", arguments: {} }] };
      return { calls: [finishCall({ content: found.text })] };
    }),
    tools: [lookUp],
  },
);

let turn = emptyTurn;
const shown = new Set<string>();
const request = { runId: "run-1", text: "How high is the river?", history: [] };
for await (const event of agent.run(request, { signal: AbortSignal.timeout(10_000) })) {
  turn = reduceTurn(turn, event);
  shown.add(turn.content);
}

// The draft was shown while it could still become the answer; the answer grew piece by piece.
assert(shown.has("I look it up."));
assert([...shown].some((text) => text.length < turn.content.length && turn.content.startsWith(text || "?")));
assert.equal(turn.outcome, "completed");
assert.equal(turn.content, "The river stands at 2.4 m.");
for (const item of turn.items) {
  if (item.kind === "message") process.stdout.write(`${item.role}: ${item.text}\n`);
  if (item.kind === "tool_call") process.stdout.write(`${item.tool}: ${item.status}\n`);
}
assert.deepEqual(
  turn.items.map((item) => (item.kind === "message" ? item.role : item.kind)),
  ["narration", "tool_call", "tool_result", "answer"],
);
