import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventsOf } from "@troupe/core/testing";
import { startFakeOpenai } from "@troupe/models/testing";
import { expect, it, onTestFinished } from "vitest";

import { askHowToTravel, startDocumentsAgent } from "../testing/documents-agent.ts";

const SAYS = "Trips over 500 km go by train.";

/** What the documents agent answers about a document, with these settings of its model. */
async function ask(document: string, model: { readonly [setting: string]: string }) {
  const events = await askHowToTravel(await startDocumentsAgent(document, model));
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
