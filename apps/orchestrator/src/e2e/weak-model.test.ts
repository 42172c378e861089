import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createAgent, defineTool, silentLog, systemClock, type AgentConfigInput } from "@troupe/core";
import { eventsOf, finishCall, runAgent, scriptedModel, type ScriptedStep } from "@troupe/core/testing";
import { startFakeOpenai, type FakeBlock } from "@troupe/models/testing";
import * as ragAgent from "@troupe/rag-agent";
import * as ragMcp from "@troupe/rag-mcp";
import { openIndex } from "@troupe/retrieval";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";

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
  const orchestrator = await createOrchestrator({ agents: [agent], model: scriptedModel([]) });
  onTestFinished(() => orchestrator.close());
  const workflow = {
    version: 1,
    name: "Ask",
    steps: [{ id: "find", agent: "rag-agent", instruction: "How do I travel?" }],
  };
  const events = await runAgent(orchestrator.agent, { text: "How do I travel?", metadata: { workflow } });
  model.assertDone();
  const finish = eventsOf(events, "finish").at(-1);
  if (finish === undefined) throw new Error("The run has no end.");
  return { finish, searched, requests: model.requests };
}

const claim = "According to the travel policy you fly.";
const search = { name: "rag_search", arguments: { query: "train" } };
const answer = { calls: [finishCall(`${quote} [1]`)] };
const ANSWERED = { outcome: "completed", response: { content: `${quote} [1]` } };

it("asks an agent that answers from nothing to look it up first, and marks what it insists on", async () => {
  const corrected = await ask([{ text: claim }, { calls: [search] }, answer]);
  expect(corrected.finish).toMatchObject(ANSWERED);
  const insists = await ask([{ calls: [finishCall(claim)] }, { calls: [finishCall(claim)] }]);
  expect(insists.finish).toMatchObject({
    outcome: "partial",
    response: { content: expect.stringContaining(claim) },
  });
  expect(JSON.stringify(insists.finish)).toContain("rests on nothing that was looked up");
});

it("runs a call that a model wrote as text, with the arguments that it meant", async () => {
  const text =
    '<tool_call>{"name": "functions.rag_search", "arguments": {"q": "train", "limit": "3"}}</tool_call>';
  const { finish, searched } = await ask([{ text }, answer]);
  expect(searched).toEqual([{ query: "train", limit: 3 }]);
  expect(finish).toMatchObject(ANSWERED);
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

it("does so for the documents agent and its server, on a model that never calls a tool as it should", async () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-weak-"));
  const provider = await startFakeOpenai();
  mkdirSync(join(home, "retrieval"));
  const index = await openIndex({
    path: join(home, "retrieval", "index.db"),
    clock: systemClock,
    log: silentLog,
  });
  writeFileSync(join(home, "travel.md"), `# Travel\n\n${quote}\n`);
  await index.ingest([join(home, "travel.md")], { collection: "default" });
  await index.close();
  const log = silentLog;
  const mcp = await ragMcp.start(ragMcp.settings.parse({ home, port: 0 }), { log });
  const agent = await ragAgent.start(
    ragAgent.settings.parse({
      home: join(home, "agent"),
      port: 0,
      model: "weak",
      openai_base_url: provider.url,
      mcp_servers: { "rag-mcp": mcp.url },
    }),
    { log },
  );
  const orchestrator = await createOrchestrator({ agents: [agent.url], model: scriptedModel([]) });
  onTestFinished(async () => {
    await orchestrator.close();
    await agent.close();
    await mcp.close();
    await provider.close();
    rmSync(home, { recursive: true, force: true });
  });
  const says = (text: string): { readonly blocks: readonly FakeBlock[] } => ({
    blocks: [{ type: "text", text }],
  });
  provider.script(
    says("I will look at the travel policy."),
    says('```json\n{"tool": "rag_search", "parameters": {"question": "train", "top_k": "2"}}\n```'),
    says(`<tool_call>{"name": "finish", "arguments": {"content": "${quote} [1]"}}</tool_call>`),
  );
  const workflow = {
    version: 1,
    name: "Ask",
    steps: [{ id: "find", agent: "rag-agent", instruction: "How do I travel?" }],
  };
  const events = await runAgent(orchestrator.agent, { text: "How do I travel?", metadata: { workflow } });
  const asked = JSON.stringify(provider.requests[1]?.body["messages"]);
  expect(asked).toContain("Nothing was looked up yet. Call one of rag_search, ");
  expect(eventsOf(events, "tool-end")).toMatchObject([{ tool: "rag_search", status: "ok" }]);
  const finish = eventsOf(events, "finish").at(-1);
  expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
}, 30_000);
