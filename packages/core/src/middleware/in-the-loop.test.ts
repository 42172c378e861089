import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import { AgentError } from "../errors/agent-error.ts";
import { ModelError } from "../errors/model-error.ts";
import { memoryArtifactStore } from "../testing/memory-artifact-store.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";
import { contextCompaction } from "./context-compaction.ts";
import { fileArguments } from "./file-arguments.ts";
import type { Middleware } from "./middleware.ts";
import { policy } from "./policy.ts";
import { toolCallRepair } from "./tool-call-repair.ts";
import { workflowCatalogue } from "./workflow-catalogue.ts";

const say = (text: unknown, name = "echo") => ({ name, arguments: { text: text as string } });
const done: ScriptedStep = { calls: [finishCall("Done.")] };
const reset = new ModelError("model.stream-broken", "The connection was reset.", { retryable: true });

function setup(steps: readonly ScriptedStep[], deps: Partial<AgentDeps> = {}, config = {}) {
  const ran: string[] = [];
  const echo = echoTool("echo", (text) => {
    ran.push(text);
    return { text: `${text} ${"x".repeat(text === "long" ? 9_000 : 0)}` };
  });
  const model = scriptedModel(steps);
  const clock = virtualClock();
  let ids = 0;
  const agent = createAgent(
    { ...testConfig, ...config },
    { model, clock, tools: [echo], newId: () => `id-${++ids}`, ...deps },
  );
  return { agent, model, ran, clock };
}

describe("middleware in the loop", () => {
  it("hands requests and arguments from one to the next, in the order of the list", async () => {
    const tag = (letter: string, wait: boolean): Middleware => {
      const later = <T>(value: T) => (wait ? Promise.resolve(value) : value);
      return {
        name: `tag-${letter}`,
        beforeModel: (request) => later({ ...request, system: `${request.system}${letter}` }),
        fillArguments: ({ arguments: args }) => {
          const { text } = args as { readonly text: string };
          return later({ arguments: { text: `${text}${letter}` } });
        },
      };
    };
    const { agent, model, ran } = setup([{ calls: [say("")] }, done], {
      middleware: [tag("a", false), tag("b", true), tag("c", false), { name: "nothing" }],
    });
    await runAgent(agent);
    expect(ran).toEqual(["abc"]);
    expect(model.requests.map((request) => request.system.endsWith("abc"))).toEqual([true, true]);
  });

  it("asks the hooks again before a retry, and takes the first word on the wait", async () => {
    let asked = 0;
    const counting: Middleware = {
      name: "counting",
      beforeModel: (request) => {
        asked++;
        return request;
      },
      onModelError: () => 7,
    };
    const { agent, clock } = setup([{ fail: reset, failAfter: 0 }, done], { middleware: [counting] });
    const running = runAgent(agent);
    await clock.advance(500);
    const events = await running;
    expect(eventsOf(events, "attempt-start")).toHaveLength(1);
    expect(asked).toBe(2);
    expect(finishOf(events).outcome).toBe("completed");
  });

  it.each([false, true])("lets no person allow what a later one refuses, awaited: %s", async (wait) => {
    const asking: Middleware = { name: "asking", beforeTool: () => (wait ? Promise.resolve("ask") : "ask") };
    const rules = policy([{ effect: "deny", tool: "*", arguments: { text: "bad*" } }]);
    const { agent, ran } = setup([{ calls: [say("bad"), say("good")] }, done], {
      middleware: [asking, rules],
    });
    const asked = eventsOf(await runAgent(agent), "input-required")[0]?.request;
    expect(asked).toMatchObject({ kind: "approval", calls: [{ arguments: { text: "good" } }] });
    const callId = asked?.kind === "approval" ? (asked.calls[0]?.callId ?? "") : "";
    const edit = (requestId: string, text: string) => ({
      reply: { requestId, decisions: [{ callId, type: "edit" as const, arguments: { text } }] },
    });
    const again = finishOf(await runAgent(agent, edit("id-1", "bad too")));
    expect(again).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
    expect(finishOf(await runAgent(agent, edit("id-2", "fine"))).outcome).toBe("completed");
    expect(ran).toEqual(["fine"]);
  });

  it.each<[string, Partial<Middleware>]>([
    ["beforeModel", { beforeModel: () => Promise.reject(new TypeError("secret at x.ts:3")) }],
    [
      "beforeTools",
      {
        beforeTools: () => {
          throw new TypeError("secret at x.ts:3");
        },
      },
    ],
    ["fillArguments", { fillArguments: () => Promise.reject(new TypeError("secret at x.ts:3")) }],
    [
      "beforeTool",
      {
        beforeTool: () => {
          throw new TypeError("secret at x.ts:3");
        },
      },
    ],
  ])("ends the run with a safe error when its %s throws", async (_, hooks) => {
    const { agent, ran } = setup([{ text: "A draft.", calls: [say("a"), say("b")] }, done], {
      middleware: [{ name: "broken", ...hooks }],
    });
    const { outcome, error } = finishOf(await runAgent(agent));
    expect(outcome).not.toBe("completed");
    expect(error).toMatchObject({ code: "agent.internal", message: expect.not.stringContaining("secret") });
    expect(ran).toEqual([]);
  });

  it("shows an error of ours as it is, and is cut short with the run", async () => {
    const mine: Middleware = {
      name: "mine",
      beforeModel: () => Promise.reject(new AgentError("agent.limit", "Enough for today.")),
    };
    expect(finishOf(await runAgent(setup([], { middleware: [mine] }).agent)).error?.message).toBe(
      "Enough for today.",
    );
    const cancel = new AbortController();
    const stuck: Middleware = {
      name: "stuck",
      fillArguments: () => {
        cancel.abort();
        return new Promise(() => undefined);
      },
    };
    const { agent } = setup([{ calls: [say("a")] }], { middleware: [stuck] });
    expect(finishOf(await runAgent(agent, {}, { signal: cancel.signal })).outcome).toBe("canceled");
  });
});

describe("all of it together", () => {
  const store = memoryArtifactStore({ newId: () => "file-1" });
  const all = () => [
    policy([{ effect: "deny", tool: "*", arguments: { text: "*password*" }, name: "no-passwords" }]),
    toolCallRepair(),
    contextCompaction({ maxTokens: 3_000, keepRounds: 1 }),
    fileArguments(store),
    workflowCatalogue(() => [{ name: "Report", description: "Writes one." }]),
  ];

  it("judges what a file put in, asks about what is to run, and shortens what grew too long", async () => {
    const meta = { name: "a.txt", mediaType: "text/plain", owner: "" };
    await store.put(new TextEncoder().encode("the password is x"), meta);
    const steps = [
      { calls: [say({ file: "file-1" })] },
      { calls: [say("long")] },
      { calls: [say("long")] },
      { fail: reset, failAfter: 0 },
      done,
    ];
    const { agent, model, ran, clock } = setup(steps, { middleware: all() }, { approve: ["*"] });
    const asked = await runAgent(agent);
    expect(eventsOf(asked, "tool-end")).toMatchObject([
      { status: "not-run", summary: expect.stringContaining('"no-passwords"') },
    ]);
    expect(finishOf(asked).outcome).toBe("input-required");
    const approve = (requestId: string, callId: string) => ({
      reply: { requestId, decisions: [{ callId, type: "approve" as const }] },
    });
    await runAgent(agent, approve("id-1", "call-2"));
    const running = runAgent(agent, approve("id-2", "call-3"));
    await clock.advance(500);
    expect(finishOf(await running).outcome).toBe("completed");
    expect(ran).toEqual(["long", "long"]);
    const sent = model.requests.at(-1);
    expect(sent?.system).toContain("- Report: Writes one.");
    const texts = sent?.messages.flatMap((m) =>
      m.role === "tool" ? m.results.map((r) => r.text.slice(0, 12)) : [],
    );
    expect(texts).toEqual(["Refused by t", "[Shortened: ", "long xxxxxxx"]);
  });

  it("leaves retry, budget and approval when nothing is given", async () => {
    const retried = setup([{ fail: reset, failAfter: 0 }, done]);
    const running = runAgent(retried.agent);
    await retried.clock.advance(500);
    expect(eventsOf(await running, "attempt-start")).toHaveLength(1);

    const limited = setup(
      [{ text: "Draft.", calls: [say("a"), say("b")] }],
      {},
      { limits: { maxToolCalls: 1 } },
    );
    expect(finishOf(await runAgent(limited.agent))).toMatchObject({
      outcome: "partial",
      response: { content: "Draft." },
      error: { code: "agent.limit", message: expect.stringContaining("limit of 1 tool calls") },
    });
    expect(limited.ran).toEqual([]);

    const asking = setup([{ calls: [say("a")] }], {}, { approve: ["echo"] });
    expect(finishOf(await runAgent(asking.agent)).outcome).toBe("input-required");
  });

  it("counts by estimate where the provider reports nothing, a broken attempt too", async () => {
    const config = { limits: { maxTotalTokens: 5_000 } };
    const steps = [{ text: "x".repeat(40_000), fail: reset }, done];
    const { agent, clock, model } = setup(steps, {}, config);
    const running = runAgent(agent);
    await clock.advance(500);
    expect(finishOf(await running).error).toMatchObject({ code: "agent.budget" });
    expect(model.requests).toHaveLength(1);
    const free = setup([{ calls: [finishCall("ok")], usage: { inputTokens: 1 } }], {}, config);
    expect(finishOf(await runAgent(free.agent)).outcome).toBe("completed");
  });

  it("lets a delegation narrow every limit and widen none", async () => {
    const delegation = (limits: object) => ({
      v: 1 as const,
      objective: "",
      instruction: "Go.",
      expectedOutput: "",
      allowedTools: [],
      limits,
      results: {},
    });
    const prices = { scripted: { input: 1, output: 1 } };
    const config = { limits: { maxTotalTokens: 50_000, maxToolCalls: 1 }, prices };
    const run = async (limits: object) => {
      const { agent } = setup([{ calls: [say("a")] }, { calls: [say("b")] }, done], {}, config);
      return finishOf(await runAgent(agent, { delegation: delegation(limits) })).error?.message ?? "";
    };
    expect(await run({ maxToolCalls: 5 })).toContain("limit of 1 tool calls");
    expect(await run({ maxTotalTokens: 10 })).toContain("limit of 10 tokens");
    expect(await run({ maxCostUsd: 0.000_001 })).toContain("cost limit of $0.000001");
    const paid = setup([{ ...done, usage: { inputTokens: 3_000, outputTokens: 1_000 } }], {}, config);
    const told = eventsOf(await runAgent(paid.agent), "usage").map(({ usage }) => usage.costUsd);
    expect(told).toEqual([0.004]);
    const { agent } = setup([done]);
    const unpriced = finishOf(await runAgent(agent, { delegation: delegation({ maxCostUsd: 1 }) }));
    expect(unpriced.error).toMatchObject({ code: "agent.config" });
  });

  it("refuses a cost limit without a price when the agent is made", () => {
    expect(() => setup([], {}, { limits: { maxCostUsd: 1 } })).toThrow(/prices .* has no entry.*"scripted"/);
  });
});
