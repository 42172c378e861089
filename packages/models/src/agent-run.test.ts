import { createAgent } from "@troupe/core";
import { echoTool, finishCall, finishOf, runAgent, testConfig } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { adapters, sleeplessClock } from "./calls/adapters.test-bench.ts";
import type { FakeModelServer } from "./testing/index.ts";

const finish = (content: string) => ({
  type: "tool-call" as const,
  id: "finish-1",
  name: "finish",
  arguments: JSON.stringify(finishCall(content).arguments),
});
const echo = (text: string) => ({
  type: "tool-call" as const,
  id: "echo-1",
  name: "echo",
  arguments: { text },
});

describe.each(adapters)("an agent on $name", ({ startFake, model }) => {
  let server: FakeModelServer;
  beforeEach(async () => {
    server = await startFake();
  });
  afterEach(() => server.close());

  it("keeps the work of its tools when a later answer breaks in the middle", async () => {
    const clock = sleeplessClock();
    server.script(
      { blocks: [{ type: "text", text: "Asking." }, echo("pH 7")] },
      { blocks: [finish("The pH is seven, as far as")], split: 6, breakAfter: 6 },
      { blocks: [finish("The pH is 7.")], split: 3 },
    );
    let runs = 0;
    const tool = echoTool("echo", (text) => {
      runs++;
      return { text };
    });
    const agent = createAgent(testConfig, { model: model(server, { clock }), tools: [tool], clock });
    const events = await runAgent(agent);
    expect(finishOf(events)).toMatchObject({
      outcome: "completed",
      response: { content: "The pH is 7.", is_task_complete: true },
    });
    expect(runs).toBe(1);
    expect(server.requests).toHaveLength(3);
    expect(events.some((event) => event.type === "attempt-start")).toBe(true);
  });

  it("shows the answer while it is being written", async () => {
    server.script({ blocks: [finish("A long answer in pieces.")], split: 4 });
    const events = await runAgent(createAgent(testConfig, { model: model(server) }));
    const deltas = events.filter((event) => event.type === "text-delta");
    expect(deltas.length).toBeGreaterThan(4);
    expect(deltas.map((event) => event.delta).join("")).toBe("A long answer in pieces.");
  });
});
