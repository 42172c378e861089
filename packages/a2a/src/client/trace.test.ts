import { newTrace, readTrace, silentLog, type Log, type LogFields, type TraceContext } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { createRegistry } from "../registry/create-registry.ts";
import { createA2AGateway } from "../registry/gateway.ts";
import { answering, collect, scriptedAgent, withServed } from "../testing/index.ts";
import { connectAgent } from "./connect-agent.ts";

const { signal } = new AbortController();
const delegation = {
  v: 1,
  objective: "",
  instruction: "Go.",
  expectedOutput: "",
  allowedTools: [],
  limits: {},
  results: {},
} as const;

/** The headers of the calls, the card and its checks aside. */
function noting() {
  const calls: Headers[] = [];
  const fetchImpl: typeof fetch = (input, init) => {
    if (init?.method === "POST") calls.push(new Headers(init.headers));
    return fetch(input, init);
  };
  return { calls, fetch: fetchImpl };
}

describe("the trace of a call", () => {
  it("reaches the agent as one trace, with a span of its own for every call", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent }, async ({ url }) => {
      const { calls, fetch: fetchImpl } = noting();
      const remote = await connectAgent(url, { fetch: fetchImpl });
      const trace: TraceContext = { ...newTrace(), state: "vendor=1" };
      const { taskId } = await remote.send({ text: "hi" }, { signal, trace });
      await collect(remote.join(taskId, { signal, trace }));
      const told = calls.map((headers) =>
        readTrace(headers.get("traceparent") ?? "", headers.get("tracestate") ?? ""),
      );
      expect(told.map((one) => [one?.traceId, one?.state])).toEqual(
        told.map(() => [trace.traceId, "vendor=1"]),
      );
      expect(new Set([trace.spanId, ...told.map((one) => one?.spanId)]).size).toBe(told.length + 1);
      expect(agent.requests[0]?.trace).toEqual(told[0]);
    });
  });

  it("is kept across a hop, with a new span, and in the log of each agent", async () => {
    const lines: LogFields[] = [];
    const logged = (fields: LogFields): Log => ({
      ...silentLog,
      error: (_, more) => void lines.push({ ...fields, ...more }),
      child: (more) => logged({ ...fields, ...more }),
    });
    const last = scriptedAgent(
      () => {
        throw new Error("boom");
      },
      { name: "last" },
    );
    await withServed({ agent: last, log: logged({}) }, async ({ url }) => {
      const registry = createRegistry({ urls: [url] });
      const gateway = createA2AGateway(registry);
      const relay = scriptedAgent(async function* ({ trace }) {
        const options = { signal, ...(trace === undefined ? {} : { trace }) };
        const { taskId } = await gateway.send("last", { messageId: "m", delegation }, options);
        yield* answering([(await gateway.await("last", taskId, options)).outcome]);
      });
      await withServed({ agent: relay }, async (first) => {
        const remote = await connectAgent(first.url);
        await collect(remote.stream({ text: "hi" }, { signal }));
      });
      registry.close();
    });
    const [begun, ended] = [last.requests[0]?.trace, lines.at(-1)?.["traceId"]];
    expect(begun?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(ended).toBe(begun?.traceId);
  });

  it("begins anew where it comes in none, or in one that breaks the rules", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent }, async ({ url }) => {
      const remote = await connectAgent(url, { headers: () => ({ Traceparent: "00-1-2-01" }) });
      await remote.send({ text: "hi" }, { signal });
      expect(agent.requests[0]?.trace?.traceId).toMatch(/^[0-9a-f]{32}$/);
    });
  });

  it("is told once: one that the headers of a call name stays", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    const named = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await withServed({ agent }, async ({ url }) => {
      const { calls, fetch: fetchImpl } = noting();
      const remote = await connectAgent(url, { fetch: fetchImpl, headers: () => ({ Traceparent: named }) });
      await remote.send({ text: "hi" }, { signal, trace: newTrace() });
      expect(calls.map((headers) => headers.get("traceparent"))).toEqual([named]);
    });
  });

  it("reaches an agent of this process too", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    const gateway = createA2AGateway(createRegistry({ agents: [agent] }));
    const trace = newTrace();
    await gateway.send("scripted-agent", { messageId: "m", delegation }, { signal, trace });
    expect(agent.requests[0]?.trace).toEqual(trace);
  });
});
