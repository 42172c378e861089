import { readdirSync, readFileSync } from "node:fs";

import type { InputReply, InputRequest } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { parseSuspendedRun } from "../schemas/suspended-run.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { memorySuspendedRuns } from "./memory-suspended-runs.ts";

/** States as versions that were released wrote them. A file here is never changed, only added. */
const folder = new URL("released/", import.meta.url);
const files = readdirSync(folder);

function answerTo(request: InputRequest): InputReply {
  const { requestId } = request;
  if (request.kind === "form")
    return { requestId, values: request.form.access === undefined ? { year: "2026" } : { granted: true } };
  return { requestId, decisions: request.calls.map(({ callId }) => ({ callId, type: "approve" })) };
}

describe("a state that was released", () => {
  it.each(files)("%s is read, and its run goes on to the end", async (file) => {
    const state = parseSuspendedRun(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
    const suspended = memorySuspendedRuns();
    await suspended.save("run-1", state);
    const citation_ids = state.evidence.citations.map((citation) => citation.id);
    const model = scriptedModel([{ calls: [finishCall("The goals.", { citation_ids })] }]);
    const saved: string[] = [];
    const save = echoTool("save", (text) => {
      saved.push(text);
      return { text: "Saved." };
    });
    const agent = createAgent(
      { ...testConfig, approve: ["save"] },
      { model, suspended, tools: [save, echoTool("search")] },
    );
    const events = await runAgent(agent, { text: "", reply: answerTo(state.request) });
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { citations: [{}] } });
    expect(saved).toEqual(state.request.kind === "approval" ? ["first", "second"] : []);
    expect(model.requests[0]?.messages.length).toBe(state.messages.length + 1);
  });
});
