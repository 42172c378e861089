import { createAgent, type ResponseMode } from "@troupe/core";
import {
  echoTool,
  eventsOf,
  finishCall,
  finishOf,
  outline,
  runAgent,
  testConfig,
} from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { adapters } from "./calls/adapters.test-bench.ts";
import type { FakeModelServer, FakeServerOptions } from "./testing/index.ts";

const text = (written: string) => ({ type: "text" as const, text: written });
const response = (content: string): string => JSON.stringify(finishCall(content).arguments);
const echo = { type: "tool-call" as const, id: "echo-1", name: "echo", arguments: { text: "x" } };

describe.each(adapters)("the modes of delivery on $name", ({ name, startFake, model }) => {
  let server: FakeModelServer;
  const start = async (options?: FakeServerOptions): Promise<void> => {
    await server?.close();
    server = await startFake(options);
  };
  beforeEach(() => start());
  afterEach(() => server.close());

  const run = (responseMode: ResponseMode) =>
    runAgent(createAgent(testConfig, { model: model(server), tools: [echoTool()] }), { responseMode });
  const format = name === "anthropic" ? "output_config" : "response_format";

  it("marker: text is parted wherever the wire cuts it", async () => {
    server.script(
      { blocks: [text("Looking 🔎. [FINAL ANS"), echo], split: 3 },
      { blocks: [text("WER]\nFound 😀.")], split: 5, chop: 7 },
    );
    const events = await run("marker");
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { content: "Found 😀." } });
    expect(outline(events)).toContain("text-role t1 narration");
    expect(JSON.stringify(events)).not.toContain("WER]");
  });

  it("structured: the last call asks for the schema, forbids the tools and is streamed", async () => {
    server.script(
      { blocks: [text("Looking."), echo] },
      { blocks: [text("A draft.")] },
      { blocks: [text(response("The answer in pieces."))], split: 4 },
    );
    const events = await run("structured");
    expect(finishOf(events)).toMatchObject({
      outcome: "completed",
      response: { content: "The answer in pieces." },
    });
    const [answer = ""] = finishOf(events).answerItems;
    const deltas = eventsOf(events, "text-delta").filter((event) => event.itemId === answer);
    expect(deltas.length).toBeGreaterThan(4);
    const bodies = server.requests.map((request) => request.body);
    expect(bodies.map((body) => format in body)).toEqual([false, false, true]);
    expect(bodies.map((body) => "tools" in body)).toEqual([true, true, true]);
    expect(bodies[2]).toMatchObject({ tool_choice: name === "anthropic" ? { type: "none" } : "none" });
    expect(JSON.stringify(bodies[2]?.[format])).toContain("is_task_complete");
  });

  it("structured: says it in words where the schema and the choice are refused, from then on", async () => {
    await start({ refuses: [format, "tool_choice"] });
    const draft = { blocks: [text("Draft.")] };
    const answer = { blocks: [text(`Here:\n\`\`\`json\n${response("Yes.")}\n\`\`\``)] };
    server.script(draft, answer, draft, answer);
    const agent = createAgent(testConfig, { model: model(server), tools: [echoTool()] });
    const requests: number[] = [];
    for (const runId of ["run-1", "run-2"]) {
      const finish = finishOf(await runAgent(agent, { runId, responseMode: "structured" }));
      expect(finish).toMatchObject({ outcome: "completed", response: { content: "Yes." } });
      requests.push(server.requests.length);
    }
    expect(requests).toEqual([4, 6]);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last).toContain("JSON Schema");
    expect(last).toContain("Answer without a tool call.");
  });
});
