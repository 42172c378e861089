import { createAgent, defineTool, type AgentConfigInput } from "@troupe/core";
import { eventsOf, finishCall, scriptedModel, type ScriptedStep } from "@troupe/core/testing";
import { startFakeOpenai, type FakeBlock } from "@troupe/models/testing";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { askHowToTravel, startDocumentsAgent } from "../testing/documents-agent.ts";

const quote = "Trips over 500 km go by train.";
const place = { document: "travel.md", source: "travel.md", collection: "c", chunkId: "1", start: 0, end: 1 };

/** What the orchestrator answers where its only agent has a tool to search with and this model. */
async function ask(steps: readonly ScriptedStep[], config: Partial<AgentConfigInput> = {}) {
  const searched: unknown[] = [];
  const search = defineTool({
    name: "rag_search",
    description: "Searches documents.",
    input: z.strictObject({ query: z.string(), limit: z.number().optional() }),
    annotations: { title: "Search", readOnly: true, destructive: false, openWorld: false },
    execute: (input) => {
      searched.push(input);
      return Promise.resolve({ text: `${quote} [p1]`, citations: [{ id: "p1", quote, ...place }] });
    },
  });
  const model = scriptedModel(steps);
  const agent = createAgent(
    {
      agent_type: "rag",
      name: "rag-agent",
      title: "Documents",
      description: "Finds.",
      system_prompt: "Find.",
      ...config,
    },
    { model, tools: [search] },
  );
  const events = await askHowToTravel(agent);
  model.assertDone();
  const finish = eventsOf(events, "finish").at(-1);
  if (finish === undefined) throw new Error("The run has no end.");
  return { finish, searched, requests: model.requests };
}

const claim = "According to the travel policy you fly.";
const search = { name: "rag_search", arguments: { query: "train" } };
const answer = { calls: [finishCall(`${quote} [1]`)] };
const ANSWERED = { outcome: "completed", response: { content: `${quote} [1]` } };

it("asks an agent that looked nothing up to do so, and marks its answer as partial if it does not", async () => {
  const corrected = await ask([{ text: claim }, { calls: [search] }, answer]);
  expect(corrected.finish).toMatchObject(ANSWERED);
  const insists = await ask([{ calls: [finishCall(claim)] }, { calls: [finishCall(claim)] }]);
  expect(insists.finish).toMatchObject({
    outcome: "partial",
    response: { content: expect.stringContaining(claim) },
  });
  expect(JSON.stringify(insists.finish)).toContain("rests on nothing that was looked up");
});

it("runs a call that a model wrote as text, with corrected arguments", async () => {
  const text =
    '<tool_call>{"name": "functions.rag_search", "arguments": {"q": "train", "limit": "3"}}</tool_call>';
  const { finish, searched } = await ask([{ text }, answer]);
  expect(searched).toEqual([{ query: "train", limit: 3 }]);
  expect(finish).toMatchObject(ANSWERED);
});

it.each([
  ["Python in a fence of Gemma", '```tool_code\nprint(rag_search(query="train", limit=3))\n```'],
  ["an action", 'Action: rag_search\nAction Input: {"query": "train", "limit": 3}'],
  [
    "an element",
    '<invoke name="rag_search"><parameter name="query">train</parameter><parameter name="limit">3</parameter></invoke>',
  ],
])("runs a call that a model wrote as %s, and accepts `answer` as the content of finish", async (_, text) => {
  const named = { calls: [{ name: "finish", arguments: { answer: `${quote} [1]` } }] };
  const { finish, searched } = await ask([{ text }, named]);
  expect(searched).toEqual([{ query: "train", limit: 3 }]);
  expect(finish).toMatchObject(ANSWERED);
});

it("hands over what was found if finish has no content twice", async () => {
  const empty = { calls: [finishCall("")] };
  const { finish } = await ask([{ calls: [search] }, empty, empty]);
  expect(finish).toMatchObject({ outcome: "partial", response: { citations: [{ quote }] } });
  expect(finish.response.content).toContain(`No answer was written. This was found:`);
});

it("sends an announcement after the search back, and hands over what was found where it comes again", async () => {
  const announced = "Great, I found some results. Now I will open the first document to read it.";
  const corrected = await ask([{ calls: [search] }, { text: announced }, answer]);
  expect(corrected.finish).toMatchObject(ANSWERED);
  const again = await ask([{ calls: [search] }, { text: announced }, { calls: [finishCall(announced)] }]);
  expect(again.finish).toMatchObject({ outcome: "partial", response: { citations: [{ quote }] } });
  expect(again.finish.response.content).toContain(`travel.md: "${quote}" [1]`);
  expect(JSON.stringify(again.finish)).toContain("it only said what it would do next");
});

it("refuses a finish beside the first search", async () => {
  const { finish } = await ask([{ calls: [search, finishCall(claim)] }, answer]);
  expect(finish).toMatchObject(ANSWERED);
});

it("hands over what ten searches found, and runs none of them a third time", async () => {
  const { finish, searched, requests } = await ask(Array.from({ length: 10 }, () => ({ calls: [search] })));
  expect(searched).toHaveLength(2);
  expect(requests[9]?.messages.at(-1)).toMatchObject({
    text: expect.stringContaining("This is the last round"),
  });
  expect(finish).toMatchObject({ outcome: "partial", response: { citations: [{ quote }] } });
  expect(finish.response.content).toContain(`travel.md: "${quote}" [1]`);
});

it("says why a model that writes nothing gave no answer", async () => {
  const { finish } = await ask([{ text: "" }, { text: "" }, { text: "" }]);
  expect(finish.outcome).toBe("failed");
  expect(JSON.stringify(finish)).toContain("The model wrote no answer, also when it was asked for one.");
});

it("gets a cited answer from the documents agent on a model that only writes its calls as text", async () => {
  const provider = await startFakeOpenai();
  onTestFinished(() => provider.close());
  const says = (text: string): { readonly blocks: readonly FakeBlock[] } => ({
    blocks: [{ type: "text", text }],
  });
  provider.script(
    says("I will look at the travel policy."),
    says('```json\n{"tool": "rag_search", "parameters": {"question": "train", "top_k": "2"}}\n```'),
    says(`<tool_call>{"name": "finish", "arguments": {"content": "${quote} [1]"}}</tool_call>`),
  );
  const agent = await startDocumentsAgent(quote, { model: "weak", openai_base_url: provider.url });
  const events = await askHowToTravel(agent);
  const asked = JSON.stringify(provider.requests[1]?.body["messages"]);
  expect(asked).toContain("Nothing was looked up yet. Call one of rag_search, ");
  expect(eventsOf(events, "tool-end")).toMatchObject([{ tool: "rag_search", status: "ok" }]);
  const finish = eventsOf(events, "finish").at(-1);
  expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
}, 30_000);
