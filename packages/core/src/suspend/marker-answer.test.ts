import type { AgentEvent } from "@troupe/stream";
import { expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";

const save = (text: string) => ({ name: "save", arguments: { text } });

/** The last turn of a run in marker mode in which everything that is asked is approved. */
async function lastTurn(steps: readonly ScriptedStep[], approve: readonly string[], wrongFirst = false) {
  let ids = 0;
  const agent = createAgent(
    { ...testConfig, response_mode: "marker", approve: [...approve] },
    { model: scriptedModel(steps), tools: [echoTool("save")], newId: () => `id-${++ids}` },
  );
  let events: readonly AgentEvent[] = await runAgent(agent);
  for (let wrong = wrongFirst; ; wrong = false) {
    const request = eventsOf(events, "input-required")[0]?.request;
    if (request?.kind !== "approval") return events;
    const decisions = wrong ? [] : request.calls.map(({ callId }) => ({ callId, type: "approve" as const }));
    events = await runAgent(agent, { reply: { requestId: request.requestId, decisions } });
  }
}

const inParts: readonly ScriptedStep[] = [
  { text: "Thinking. [FINAL ANSWER]One,", calls: [save("a")] },
  { text: " two,", calls: [save("b")] },
  { text: " three." },
];

it.each([
  ["nobody is asked", [], false],
  ["each call is approved", ["save"], false],
  ["a reply that decides nothing comes first", ["save"], true],
])("an answer that was begun is whole where %s", async (_, approve, wrongFirst) => {
  const events = await lastTurn(inParts, approve, wrongFirst);
  const { outcome, response, answerItems } = finishOf(events);
  expect([outcome, response.content]).toEqual(["completed", "One, two, three."]);
  const deltas = eventsOf(events, "text-delta").filter(({ itemId }) => answerItems.includes(itemId));
  expect(deltas.map(({ delta }) => delta).join("")).toBe(response.content);
});

it("no narration becomes answer where the marker stood last", async () => {
  const steps = [{ text: "Thinking. [FINAL ANSWER]", calls: [save("a")] }, { text: "All of it." }];
  expect(finishOf(await lastTurn(steps, ["save"])).response.content).toBe("All of it.");
});
