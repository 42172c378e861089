import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import { eventsOf, runAgent, scriptedModel } from "@troupe/core/testing";
import { startFakeOpenai } from "@troupe/models/testing";
import * as ragAgent from "@troupe/rag-agent";
import * as ragMcp from "@troupe/rag-mcp";
import { openIndex } from "@troupe/retrieval";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";

const log = silentLog;
const SAYS = "Trips over 500 km go by train.";

/** What the documents agent answers about a document, with these settings of its model. */
async function ask(document: string, model: { readonly [setting: string]: string }) {
  const home = mkdtempSync(join(tmpdir(), "troupe-recorded-"));
  mkdirSync(join(home, "retrieval"));
  const index = await openIndex({ path: join(home, "retrieval", "index.db"), clock: systemClock, log });
  writeFileSync(join(home, "travel.md"), `# Travel\n\n${document}\n`);
  await index.ingest([join(home, "travel.md")], { collection: "default" });
  await index.close();
  const mcp = await ragMcp.start(ragMcp.settings.parse({ home, port: 0 }), { log });
  const mcp_servers = { "rag-mcp": mcp.url };
  const agent = await ragAgent.start(
    ragAgent.settings.parse({ home: join(home, "agent"), port: 0, mcp_servers, ...model }),
    { log },
  );
  const orchestrator = await createOrchestrator({ agents: [agent.url], model: scriptedModel([]) });
  onTestFinished(async () => {
    await orchestrator.close();
    await agent.close();
    await mcp.close();
    rmSync(home, { recursive: true, force: true });
  });
  const steps = [{ id: "find", agent: "rag-agent", instruction: "How do I travel?" }];
  const metadata = { workflow: { version: 1, name: "Ask", steps } };
  const events = await runAgent(orchestrator.agent, { text: "How do I travel?", metadata });
  return { finish: eventsOf(events, "finish").at(-1), tools: eventsOf(events, "tool-end") };
}

it("plays what a model answered against live tools, and checks it against what they return now", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-recording-"));
  const file = join(folder, "job.jsonl");
  const provider = await startFakeOpenai();
  onTestFinished(async () => {
    await provider.close();
    rmSync(folder, { recursive: true });
  });
  const call = (name: string, args: object) => ({
    blocks: [{ type: "tool-call" as const, id: name, name, arguments: JSON.stringify(args) }],
  });
  provider.script(call("rag_search", { query: "train" }), call("finish", { content: `${SAYS} [1]` }));
  const recorded = await ask(SAYS, { model: "m", openai_base_url: provider.url, record: file });
  expect(recorded.finish).toMatchObject({ outcome: "completed", response: { content: `${SAYS} [1]` } });

  const replayed = await ask(SAYS, { replay: file });
  expect(replayed.finish).toMatchObject({ outcome: "completed", response: { content: `${SAYS} [1]` } });
  expect(replayed.tools).toMatchObject([{ tool: "rag_search", status: "ok" }]);
  expect(provider.requests).toHaveLength(2);

  const changed = await ask("Trips over 900 km go by train.", { replay: file });
  expect(changed.finish).toMatchObject({ outcome: "partial" });
  expect(JSON.stringify(changed.finish)).toContain("500 km");
}, 60_000);
