import { AgentError, randomId, silentLog, type SendRequest } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent } from "../testing/index.ts";
import type { AgentRegistry } from "./create-registry.ts";
import { createA2AGateway } from "./gateway.ts";
import { localConnection } from "./local-connection.ts";

const { signal } = new AbortController();
const request: SendRequest = {
  messageId: "run/step#1/send",
  delegation: {
    v: 1,
    objective: "",
    instruction: "Say hello.",
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results: {},
  },
};
const unreachable = new AgentError("agent.unreachable", "not there", { retryable: true });

/** An agent that is away for a number of looks, and then works. */
function lateAgent(away: number, error: AgentError) {
  const clock = virtualClock();
  const agent = scriptedAgent(() => answering(["Hello."]));
  const connection = localConnection(agent, { clock, newId: randomId, log: silentLog });
  let looks = 0;
  const registry: Pick<AgentRegistry, "connection"> = {
    connection: () => (++looks <= away ? Promise.reject(error) : Promise.resolve(connection)),
  };
  return { clock, agent, gateway: createA2AGateway(registry, { clock }), looks: () => looks };
}

describe("an agent that is away", () => {
  it.each([
    unreachable,
    new AgentError("agent.unknown", "one of those that have not said their name", { retryable: true }),
  ])("is waited for while it starts: $code", async (error) => {
    const { clock, gateway, agent } = lateAgent(3, error);
    const sent = gateway.send("a", request, { signal });
    await clock.advance(1_000);
    const { taskId } = await sent;
    expect(await gateway.await("a", taskId, { signal })).toMatchObject({
      outcome: "completed",
      answer: "Hello.",
    });
    expect([agent.requests.length, clock.pending]).toEqual([1, 0]);
  });

  it("is given up after 10 s, with its own error", async () => {
    const { clock, gateway } = lateAgent(Infinity, unreachable);
    const sent = gateway.send("a", request, { signal }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await sent).toBe(unreachable);
  });

  it("has 20 s to be known again once it has taken a task", async () => {
    const { clock, gateway } = lateAgent(Infinity, unreachable);
    const began = clock.now();
    const gone = gateway.await("a", "t", { signal }).catch(() => clock.now() - began);
    await clock.advance(60_000);
    expect(await gone).toBe(20_000);
  });

  it.each([
    new AgentError("agent.unknown", "nobody has that name"),
    new AgentError("agent.protocol", "no"),
    new AgentError("agent.busy", "later", { retryable: true }),
  ])("is not waited for where that changes nothing: $code", async (error) => {
    const { gateway, looks } = lateAgent(1, error);
    await expect(gateway.send("a", request, { signal })).rejects.toBe(error);
    expect(looks()).toBe(1);
  });

  it("leaves a task that is lost to whoever asked for it, and stops waiting when told to", async () => {
    const { gateway } = lateAgent(0, unreachable);
    await expect(gateway.await("a", "t", { signal })).rejects.toMatchObject({ code: "agent.task-lost" });
    const enough = new AbortController();
    const away = lateAgent(Infinity, unreachable);
    const sent = away.gateway.send("a", request, { signal: enough.signal });
    enough.abort(new Error("enough"));
    await expect(sent).rejects.toThrow("enough");
  });
});
