import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock, type RunnableAgent } from "@troupe/core";
import { runAgent, scriptedModel } from "@troupe/core/testing";
import * as ragAgent from "@troupe/rag-agent";
import * as ragMcp from "@troupe/rag-mcp";
import { openIndex } from "@troupe/retrieval";
import { onTestFinished } from "vitest";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";

const QUESTION = "How do I travel?";
const log = silentLog;

/** The events of a run with one step, in which `rag-agent`, or the agent at this address, is asked how to travel. */
export async function askHowToTravel(agent: RunnableAgent | string) {
  const orchestrator = await createOrchestrator({ agents: [agent], model: scriptedModel([]) });
  onTestFinished(() => orchestrator.close());
  const steps = [{ id: "find", agent: "rag-agent", instruction: QUESTION }];
  const workflow = { version: 1, name: "Ask", steps };
  return runAgent(orchestrator.agent, { text: QUESTION, metadata: { workflow } });
}

/**
 * The address of a rag-agent with these model settings, over an index of one document, `travel.md`. It is stopped when
 * the test is over.
 */
export async function startDocumentsAgent(
  document: string,
  model: { readonly [setting: string]: string },
): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "troupe-documents-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "retrieval"));
  const index = await openIndex({ path: join(home, "retrieval", "index.db"), clock: systemClock, log });
  writeFileSync(join(home, "travel.md"), `# Travel\n\n${document}\n`);
  await index.ingest([join(home, "travel.md")], { collection: "default" });
  await index.close();
  const mcp = await ragMcp.start(ragMcp.settings.parse({ home, port: 0 }), { log });
  onTestFinished(() => mcp.close());
  const mcp_servers = { "rag-mcp": mcp.url };
  const agent = await ragAgent.start(
    ragAgent.settings.parse({ home: join(home, "agent"), port: 0, mcp_servers, ...model }),
    { log },
  );
  onTestFinished(() => agent.close());
  return agent.url;
}
