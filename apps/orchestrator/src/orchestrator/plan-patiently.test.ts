import { serveAgent, type Lacks } from "@troupe/a2a/server";
import { answering, scriptedAgent } from "@troupe/a2a/testing";
import { eventsOf, finishOf, runAgent, scriptedModel, virtualClock } from "@troupe/core/testing";
import type { AgentEvent, Clock } from "@troupe/stream";
import { describe, expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";
import type { Orchestrator } from "./orchestrator.ts";

async function orchestrate(url: string, clock?: Clock): Promise<Orchestrator> {
  const orchestrator = await createOrchestrator({
    agents: [url],
    model: scriptedModel([]),
    ...(clock === undefined ? {} : { clock }),
  });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
}

describe("planning for an agent that is down", () => {
  /** An agent whose tools or model do not answer until they are said to. */
  async function lackingAgent(lacks: Lacks) {
    let ready: Lacks = lacks;
    const agent = scriptedAgent(() => answering(["Here I am."]), { name: "late" });
    const served = await serveAgent({ agent, ready: () => Promise.resolve(ready) });
    onTestFinished(() => served.close());
    return { url: served.url, recover: () => void (ready = {}) };
  }
  const textOf = (events: readonly AgentEvent[]): string =>
    events.map((event) => (event.type === "text-delta" ? event.delta : "")).join("");

  it("says so and plans once its tools are back", async () => {
    const { url, recover } = await lackingAgent({ tools: ["MCP server rag-mcp does not answer"] });
    const { agent } = await orchestrate(url);
    const onEvent = ({ type }: AgentEvent): void => {
      if (type === "text-end") recover();
    };
    const events = await runAgent(agent, { text: "Say hello." }, { onEvent });
    expect(textOf(events)).toMatch(
      /^No agent can do this now: late is down \(.*rag-mcp does not answer\)\. Waiting up to 20 s/,
    );
    expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Here I am." } });
    const types = eventsOf(events, "text-role").map(({ role }) => role);
    expect(types[0]).toBe("narration");
  });

  it("fails at once where its model does not answer: waiting does not help", async () => {
    const { url } = await lackingAgent({ model: ["the API key is refused"] });
    const { agent } = await orchestrate(url);
    const events = await runAgent(agent, { text: "Say hello." });
    expect(textOf(events)).toBe("");
    expect(finishOf(events)).toMatchObject({ outcome: "failed", error: { code: "agent.unreachable" } });
  });

  it("fails with the reason when it does not come back within 20 s", async () => {
    const clock = virtualClock();
    const { url } = await lackingAgent({ tools: ["MCP server rag-mcp does not answer"] });
    const { agent } = await orchestrate(url, clock);
    const began = clock.now();
    const failed = runAgent(agent, { text: "Say hello." }).then(finishOf);
    const look = (): Promise<unknown> => Promise.race([failed, clock.advance(250)]);
    await expect.poll(look, { interval: 1, timeout: 20_000 }).toMatchObject({
      outcome: "failed",
      error: { code: "agent.unreachable", message: expect.stringContaining("rag-mcp does not answer") },
    });
    expect(clock.now() - began).toBeGreaterThanOrEqual(20_000);
  });
});
