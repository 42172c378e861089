import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import { ModelError } from "../errors/model-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { gate } from "../testing/gate.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool, fakeToolSource } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";

const say = (text: string) => ({ name: "echo", arguments: { text } });
const never = new Promise<never>(() => undefined);
const reset = new ModelError("model.stream-broken", "The connection was reset.", { retryable: true });
const down: ScriptedStep = { fail: reset, failAfter: 0 };
const busy = (retryAfterMs: number) =>
  new ModelError("model.rate-limited", "Too many requests.", { retryable: true, retryAfterMs });

function setup(steps: readonly ScriptedStep[], deps: Partial<AgentDeps> = {}, config = {}) {
  const clock = virtualClock();
  const model = scriptedModel(steps);
  const agent = createAgent(
    { ...testConfig, ...config },
    { model, clock, tools: [echoTool()], newId: () => "id-1", ...deps },
  );
  return { agent, clock, model };
}

describe("a model that fails", () => {
  it("is asked for the same round again; finished tool work is kept", async () => {
    const { agent, clock, model } = setup([
      { calls: [say("x")] },
      { calls: [finishCall("Half an answer that breaks")], split: 20, fail: reset, failAfter: 4 },
      { calls: [finishCall("The answer.")] },
    ]);
    const running = runAgent(agent);
    await clock.advance(500);
    const events = await running;
    expect(outline(events).filter((line) => !line.startsWith("text-delta t1"))).toEqual([
      "tool-start call-1 echo",
      "tool-end call-1 echo ok",
      "text-start t1 answer",
      "text-end t1",
      "attempt-start",
      "text-start t2 answer",
      "text-delta t2 The answer.",
      "text-end t2",
      "finish completed [t2]",
    ]);
    expect(eventsOf(events, "attempt-start")).toMatchObject([{ attempt: 2, items: ["t1"] }]);
    expect(finishOf(events).attempt).toBe(2);
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
    model.assertDone();
  });

  it("settles an open text as narration before the retry", async () => {
    const { agent, clock } = setup([{ text: "Half", fail: reset }, { calls: [finishCall("Whole")] }]);
    const running = runAgent(agent);
    await clock.advance(500);
    expect(outline(await running)).toEqual([
      "text-start t1 open",
      "text-delta t1 Half",
      "text-role t1 narration",
      "text-end t1",
      "attempt-start",
      "text-start t2 answer",
      "text-delta t2 Whole",
      "text-end t2",
      "finish completed [t2]",
    ]);
  });

  it("is waited for as long as it asks, and longer each time when it does not", async () => {
    const { agent, clock, model } = setup([
      { fail: busy(3_000), failAfter: 0 },
      { fail: reset, failAfter: 0 },
      { calls: [finishCall("ok")] },
    ]);
    const running = runAgent(agent);
    await clock.advance(2_999);
    expect(model.requests).toHaveLength(1);
    // With up to an eighth of a second on top of what was asked, and up to a quarter off what was not.
    await clock.advance(126);
    expect(model.requests).toHaveLength(2);
    await clock.advance(620);
    expect(model.requests).toHaveLength(2);
    await clock.advance(380);
    expect(finishOf(await running).outcome).toBe("completed");
  });

  it("ends as partial with the draft when two retries do not help, else as failed", async () => {
    const draft = setup([{ text: "Draft", calls: [say("x")] }, down, down, down]);
    const running = runAgent(draft.agent);
    await draft.clock.advance(1_500);
    expect(finishOf(await running)).toMatchObject({
      outcome: "partial",
      answerItems: ["t1"],
      response: { content: "Draft" },
      error: { code: "model.stream-broken" },
    });
    draft.model.assertDone();

    const nothing = setup([down, down, down]);
    const failing = runAgent(nothing.agent);
    await nothing.clock.advance(1_500);
    expect(finishOf(await failing)).toMatchObject({
      outcome: "failed",
      answerItems: [],
      response: { content: "" },
    });
  });

  it.each([
    ["a wrong key", new ModelError("model.auth", "The key was refused."), "model.auth"],
    ["a wait nobody can afford", busy(600_000), "model.rate-limited"],
    ["an error of unknown origin", new TypeError("x is undefined at secret.ts:3"), "agent.internal"],
  ])("fails at once on %s", async (_, fail, code) => {
    const { agent, model } = setup([{ fail, failAfter: 0 }]);
    const { outcome, error } = finishOf(await runAgent(agent));
    expect([outcome, error?.code]).toEqual(["failed", code]);
    expect(error?.message).not.toContain("secret");
    expect(model.requests).toHaveLength(1);
  });

  it("is asked again when its stream ends without a stop", async () => {
    const { agent, clock } = setup([
      { events: [{ type: "text-delta", text: "Hm" }] },
      { calls: [finishCall("ok")] },
    ]);
    const running = runAgent(agent);
    await clock.advance(500);
    expect(finishOf(await running)).toMatchObject({ outcome: "completed", response: { content: "ok" } });
  });
});

describe("cancel", () => {
  it("reaches a running tool and does not wait for one that ignores it", async () => {
    let seen: AbortSignal | undefined;
    const stubborn = echoTool("echo", (_, context) => {
      seen = context.signal;
      return never;
    });
    const abort = new AbortController();
    const { agent } = setup([{ calls: [say("x"), say("y")] }], { tools: [stubborn] });
    const events = await runAgent(
      agent,
      {},
      {
        signal: abort.signal,
        onEvent: (event) => event.type === "tool-start" && event.callId === "call-2" && abort.abort(),
      },
    );
    expect(seen?.aborted).toBe(true);
    expect(outline(events).slice(-3)).toEqual([
      "tool-end call-1 echo canceled",
      "tool-end call-2 echo canceled",
      "finish canceled []",
    ]);
  });

  it("leaves no text open that waited for the calls before it", async () => {
    const abort = new AbortController();
    const { agent } = setup([{ calls: [say("x"), finishCall("Early.")] }], {
      tools: [echoTool("echo", () => never)],
    });
    const events = await runAgent(
      agent,
      {},
      { signal: abort.signal, onEvent: (event) => event.type === "tool-start" && abort.abort() },
    );
    expect(outline(events).slice(-3)).toEqual([
      "text-role t1 narration",
      "text-end t1",
      "finish canceled []",
    ]);
  });

  it("ends a run whose model ignores it", async () => {
    const abort = new AbortController();
    const { agent } = setup([{ text: "Half", gate: never, gateAt: 1, deaf: true }]);
    const events = await runAgent(
      agent,
      {},
      {
        signal: abort.signal,
        onEvent: (event) => event.type === "text-delta" && abort.abort(),
      },
    );
    expect(outline(events).slice(-3)).toEqual([
      "text-role t1 narration",
      "text-end t1",
      "finish canceled []",
    ]);
  });

  it("ends a run that waits to ask again, and one that has not begun", async () => {
    const abort = new AbortController();
    const waiting = setup([{ fail: reset, failAfter: 0 }]);
    const events = await runAgent(
      waiting.agent,
      {},
      {
        signal: abort.signal,
        onEvent: (event) => event.type === "attempt-start" && abort.abort(),
      },
    );
    expect(outline(events)).toEqual(["attempt-start", "finish canceled []"]);
    expect(waiting.clock.pending).toBe(0);

    const unborn = setup([]);
    const early = await runAgent(unborn.agent, {}, { signal: AbortSignal.abort() });
    expect(outline(early)).toEqual(["finish canceled []"]);
    expect(unborn.model.requests).toHaveLength(0);
  });

  it("happens when the reader goes away", async () => {
    const ended = gate();
    const waiting = echoTool("echo", (_, { signal }) => {
      signal.addEventListener("abort", () => ended.open());
      return never;
    });
    const { agent } = setup([{ calls: [say("x")] }], { tools: [waiting] });
    const request = { runId: "r", text: "Go.", history: [] };
    for await (const event of agent.run(request, { signal: new AbortController().signal })) {
      if (event.type === "tool-start") break;
    }
    await expect(ended.opened).resolves.toBeUndefined();
  });
});

describe("a time limit", () => {
  it("ends the run as partial with what was written, or as failed", async () => {
    const limits = { limits: { timeoutMs: 10_000 } };
    const some = setup([{ text: "Half", gate: never, gateAt: 1 }], {}, limits);
    const running = runAgent(some.agent);
    await some.clock.advance(10_000);
    expect(finishOf(await running)).toMatchObject({
      outcome: "partial",
      response: { content: "Half" },
      error: { code: "agent.timeout" },
    });
    const none = setup([{ text: "Half", gate: never }], {}, limits);
    const failing = runAgent(none.agent);
    await none.clock.advance(10_000);
    expect(finishOf(await failing)).toMatchObject({ outcome: "failed", error: { code: "agent.timeout" } });
  });

  it("is an hour where nobody says, also for a tool that never returns", async () => {
    const stuck = echoTool("echo", () => new Promise(() => undefined));
    const { agent, clock } = setup([{ calls: [say("x")] }], { tools: [stuck] });
    const running = runAgent(agent);
    await clock.advance(60 * 60_000);
    expect(finishOf(await running)).toMatchObject({ outcome: "failed", error: { code: "agent.timeout" } });
  });

  it("leaves no timer behind", async () => {
    const { agent, clock } = setup([{ text: "ok" }], {}, { limits: { timeoutMs: 10_000 } });
    await runAgent(agent);
    expect(clock.pending).toBe(0);
  });
});

describe("a tool that fails", () => {
  it.each([
    ["throws", new ToolError("tool.failed", "The file a.csv is not there."), "The file a.csv is not there."],
    ["breaks", new TypeError("x is undefined at secret.ts"), "echo failed unexpectedly."],
  ])("is an error the model reads when it %s", async (_, error, told) => {
    const failing = echoTool("echo", () => Promise.reject(error));
    const { agent, model } = setup([{ calls: [say("x")] }, { text: "ok" }], { tools: [failing] });
    const events = await runAgent(agent);
    expect(finishOf(events).outcome).toBe("completed");
    expect(eventsOf(events, "tool-end")).toMatchObject([{ status: "error" }]);
    const [result] = toolResults(model.requests[1]?.messages.at(-1));
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain(told);
    expect(result?.text).not.toContain("secret");
  });

  it("does not stop the others of its round, which run at the same time", async () => {
    const both = gate();
    let running = 0;
    const meeting = echoTool("echo", async (text) => {
      if (++running === 2) both.open();
      await both.opened;
      if (text === "bad") throw new Error("no");
      return { text };
    });
    const { agent } = setup([{ calls: [say("bad"), say("good")] }, { text: "ok" }], { tools: [meeting] });
    const events = await runAgent(agent);
    expect(
      eventsOf(events, "tool-end")
        .map((event) => event.status)
        .sort(),
    ).toEqual(["error", "ok"]);
  });

  it("is reported as soon as it ends, in whatever order, and told to the model in its own", async () => {
    const fast = gate();
    const slow = echoTool("echo", async (text) => {
      if (text === "slow") await fast.opened;
      return { text };
    });
    const { agent, model } = setup([{ calls: [say("slow"), say("fast")] }, { text: "ok" }], {
      tools: [slow],
    });
    const events = await runAgent(
      agent,
      {},
      { onEvent: (event) => event.type === "tool-end" && event.callId === "call-2" && fast.open() },
    );
    expect(eventsOf(events, "tool-end").map((event) => event.callId)).toEqual(["call-2", "call-1"]);
    expect(toolResults(model.requests[1]?.messages.at(-1)).map(({ text }) => text)).toEqual(["slow", "fast"]);
  });
});

describe("a tool source that cannot list", () => {
  it("costs only its tools: model and person hear which, and the next run asks again", async () => {
    let up = false;
    const source = {
      ...fakeToolSource("notes", []),
      list: () =>
        up
          ? Promise.resolve([echoTool("note")])
          : Promise.reject(new ToolError("tool.unavailable", "The server notes refused the connection.")),
    };
    const { agent, model } = setup(
      [{ calls: [{ name: "note", arguments: {} }] }, { text: "ok" }, { text: "ok" }],
      {
        toolSources: [source, fakeToolSource("fine", [echoTool("other")])],
      },
    );
    const events = await runAgent(agent);
    expect(finishOf(events).outcome).toBe("completed");
    expect(eventsOf(events, "text-delta")[0]?.delta).toContain("notes refused the connection");
    expect(model.requests[0]?.system).toContain("notes refused the connection");
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["echo", "other", "finish"]);
    expect(toolResults(model.requests[1]?.messages.at(-1))[0]?.text).toContain(
      "notes refused the connection",
    );
    up = true;
    await runAgent(agent);
    expect(model.requests[2]?.tools.map(({ name }) => name)).toContain("note");
  });

  it("is not waited for longer than its time, and its internals are not told", async () => {
    const hanging = { ...fakeToolSource("slow", []), list: () => never };
    const broken = fakeToolSource("broken", new TypeError("secret.ts:3"));
    const { agent, clock, model } = setup([{ text: "ok" }], { toolSources: [hanging, broken] });
    const running = runAgent(agent);
    await clock.advance(15_000);
    await running;
    expect(model.requests[0]?.system).toContain('"slow" did not list its tools');
    expect(model.requests[0]?.system).not.toContain("secret");
  });

  it("fails the run when its tool has the name of another", async () => {
    const { agent } = setup([], { toolSources: [fakeToolSource("twin", [echoTool()])] });
    const { outcome, error } = finishOf(await runAgent(agent));
    expect([outcome, error?.code]).toEqual(["failed", "tool.duplicate"]);
    expect(error?.message).toContain("twin");
  });
});

function toolResults(message: { readonly role: string } | undefined) {
  return message !== undefined && "results" in message
    ? (message.results as readonly { readonly text: string; readonly isError: boolean }[])
    : [];
}
