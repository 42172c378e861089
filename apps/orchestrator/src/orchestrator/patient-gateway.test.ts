import { AgentError, type AgentGateway } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import { scriptedGateway } from "@troupe/workflow/testing";
import { describe, expect, it } from "vitest";

import { patientGateway } from "./patient-gateway.ts";

const { signal } = new AbortController();
const request: Parameters<AgentGateway["send"]>[1] = {
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
const heard: AgentEvent = {
  v: 1,
  runId: "r",
  seq: 0,
  attempt: 1,
  agent: "a",
  type: "text-start",
  itemId: "1",
  role: "open",
};

/** An agent that is away for a number of calls, and then works as scripted. */
function lateAgent(away: number, error: AgentError, hears = false) {
  const clock = virtualClock();
  const inner = scriptedGateway(() => ({}), clock);
  const calls = { send: 0, await: 0 };
  const late: AgentGateway = {
    ...inner,
    send(agent, message, options) {
      return ++calls.send <= away ? Promise.reject(error) : inner.send(agent, message, options);
    },
    await(agent, taskId, options) {
      if (++calls.await > away) return inner.await(agent, taskId, options);
      if (hears) options.onEvent?.(heard);
      return Promise.reject(error);
    },
  };
  return { clock, calls, inner, gateway: patientGateway(late, clock) };
}

describe("patientGateway", () => {
  it.each(["agent.unreachable", "agent.unknown"] as const)("bears with an agent that is %s", async (code) => {
    const { clock, gateway } = lateAgent(3, new AgentError(code, "not there"));
    const sent = gateway.send("a", request, { signal });
    await clock.advance(1_000);
    const { taskId } = await sent;
    const result = gateway.await("a", taskId, { signal });
    await clock.advance(1_000);
    expect(await result).toMatchObject({ outcome: "completed", answer: "Say hello." });
    expect(clock.pending).toBe(0);
  });

  it("gives up after 10 s, with the agent's own error", async () => {
    const { clock, gateway } = lateAgent(Infinity, new AgentError("agent.unreachable", "not there"));
    const sent = gateway.send("a", request, { signal }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await sent).toMatchObject({ message: "not there" });
  });

  it("does not wait where it would change nothing", async () => {
    const { calls, gateway } = lateAgent(1, new AgentError("agent.protocol", "no"));
    await expect(gateway.send("a", request, { signal })).rejects.toThrow("no");
    expect(calls.send).toBe(1);
  });

  it("joins a task again when its agent is back, and tells nothing twice", async () => {
    const { clock, calls, inner, gateway } = lateAgent(3, new AgentError("agent.unreachable", "gone"), true);
    const { taskId } = await inner.send("a", request, { signal });
    const events: AgentEvent[] = [];
    const result = gateway.await("a", taskId, { signal, onEvent: (event) => events.push(event) });
    await clock.advance(5_000);
    expect(await result).toMatchObject({ outcome: "completed" });
    expect(calls.await).toBe(4);
    expect(events).toEqual([heard]);
  });

  it("gives an agent that has taken a task 20 s to be back", async () => {
    const { clock, gateway } = lateAgent(Infinity, new AgentError("agent.unreachable", "gone"), true);
    const started = clock.now();
    const gone = gateway.await("a", "t", { signal }).catch(() => clock.now() - started);
    await clock.advance(60_000);
    expect(await gone).toBe(20_000);
  });

  it("leaves a task that is lost to the workflow", async () => {
    const { calls, gateway } = lateAgent(1, new AgentError("agent.task-lost", "unknown"));
    await expect(gateway.await("a", "t", { signal })).rejects.toThrow("unknown");
    expect(calls.await).toBe(1);
  });

  it("stops waiting when it is told to", async () => {
    const { gateway } = lateAgent(Infinity, new AgentError("agent.unreachable", "not there"));
    const enough = new AbortController();
    const sent = gateway.send("a", request, { signal: enough.signal });
    enough.abort(new Error("enough"));
    await expect(sent).rejects.toThrow("enough");
  });
});
