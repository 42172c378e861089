import type { InputReply } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import { ModelError } from "../errors/model-error.ts";
import { policy } from "../middleware/policy.ts";
import type { Tool } from "../ports/tool.ts";
import { eventsOf, finishOf, outline, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { memorySuspendedRuns } from "./memory-suspended-runs.ts";

const call = (name: string, text: string) => ({ name, arguments: { text } });
const done: ScriptedStep = { calls: [finishCall("Done.")] };

/** An agent whose tool `save` needs approval and `look` does not, and what was run of them. */
function setup(steps: readonly ScriptedStep[], config = {}, deps: Partial<AgentDeps> = {}) {
  const ran: string[] = [];
  const recording = (name: string): Tool =>
    echoTool(name, (text) => {
      ran.push(`${name} ${text}`);
      return { text: `${name} did ${text}` };
    });
  const model = scriptedModel(steps);
  const suspended = memorySuspendedRuns();
  let ids = 0;
  const make = () =>
    createAgent(
      { ...testConfig, approve: ["save"], ...config },
      {
        model,
        tools: [recording("look"), recording("save")],
        newId: () => `id-${++ids}`,
        suspended,
        ...deps,
      },
    );
  return { agent: make(), restarted: make, model, ran, suspended };
}

const reply = (requestId: string, ...decisions: readonly object[]): { reply: InputReply } => ({
  reply: { requestId, decisions } as InputReply,
});
const approve = (callId: string) => ({ callId, type: "approve" });
const reject = (callId: string, reason: string) => ({ callId, type: "reject", reason });
const edit = (callId: string, args: object) => ({ callId, type: "edit", arguments: args });
const both: ScriptedStep = {
  text: "Two things.",
  calls: [call("save", "a"), call("look", "b"), call("save", "c")],
};
const resultsOf = (model: ReturnType<typeof scriptedModel>, request: number) => {
  const last = model.requests[request]?.messages.at(-1);
  return last?.role === "tool" ? last.results.map((result) => `${result.callId} ${result.text}`) : [];
};

describe("a call that needs approval", () => {
  it("waits while the others of its round run, and the person sees it as it would run", async () => {
    const { agent, ran } = setup([both]);
    const events = await runAgent(agent);
    expect(ran).toEqual(["look b"]);
    expect(outline(events).slice(4)).toEqual([
      "tool-start call-2 look",
      "tool-end call-2 look ok",
      "input-required",
      "finish input-required []",
    ]);
    expect(eventsOf(events, "input-required")[0]?.request).toEqual({
      requestId: "id-1",
      kind: "approval",
      calls: [
        { callId: "call-1", tool: "save", arguments: { text: "a" } },
        { callId: "call-3", tool: "save", arguments: { text: "c" } },
      ],
    });
    expect(finishOf(events).response).toMatchObject({ is_task_complete: false, require_user_input: true });
  });

  it("runs when it is approved, and the model reads all results in order, after a restart too", async () => {
    const { agent, restarted, ran, model } = setup([both, done]);
    await runAgent(agent);
    const events = await runAgent(restarted(), reply("id-1", approve("call-3"), approve("call-1")));
    expect(ran).toEqual(["look b", "save a", "save c"]);
    expect(finishOf(events).outcome).toBe("completed");
    expect(resultsOf(model, 1)).toEqual(["call-1 save did a", "call-2 look did b", "call-3 save did c"]);
    model.assertDone();
  });

  it("is refused with the person's reason when it is rejected, and the model goes on", async () => {
    const { agent, ran, model } = setup([both, done]);
    await runAgent(agent);
    const events = await runAgent(
      agent,
      reply("id-1", reject("call-1", "Too early."), reject("call-3", " ")),
    );
    expect(ran).toEqual(["look b"]);
    expect(resultsOf(model, 1)).toEqual([
      "call-1 The person rejected this call: Too early.",
      "call-2 look did b",
      "call-3 The person rejected this call: they gave no reason",
    ]);
    expect(eventsOf(events, "tool-end").map((end) => end.status)).toEqual(["not-run", "not-run"]);
    expect(finishOf(events).outcome).toBe("completed");
  });

  it("runs with the arguments the person put in, and the model hears of it", async () => {
    const { agent, ran, model } = setup([both, done]);
    await runAgent(agent);
    const events = await runAgent(
      agent,
      reply("id-1", edit("call-1", { text: "z" }), reject("call-3", "no")),
    );
    expect(ran).toEqual(["look b", "save z"]);
    expect(eventsOf(events, "tool-start")[0]).toMatchObject({ callId: "call-1", arguments: { text: "z" } });
    expect(resultsOf(model, 1)[0]).toBe(
      'call-1 The person changed the arguments of this call to {"text":"z"} before it ran.\n\nsave did z',
    );
  });

  it("is named by the tool itself, or by a star, as well", async () => {
    const steps = [{ calls: [call("look", "b")] }];
    expect(finishOf(await runAgent(setup(steps, { approve: ["*"] }).agent)).outcome).toBe("input-required");
    const own = { ...echoTool("look"), needsApproval: true };
    const agent = setup(steps, { approve: [] }, { tools: [own] }).agent;
    expect(finishOf(await runAgent(agent)).outcome).toBe("input-required");
    expect(finishOf(await runAgent(setup([...steps, done], { approve: [] }).agent)).outcome).toBe(
      "completed",
    );
  });

  it("is not asked about when it could not run anyway", async () => {
    const { agent, model } = setup([{ calls: [{ name: "save", arguments: { wrong: 1 } }] }, done]);
    expect(finishOf(await runAgent(agent)).outcome).toBe("completed");
    expect(resultsOf(model, 1)[0]).toContain("The arguments of save were not accepted");
  });
});

describe("a reply that decides nothing", () => {
  it.each<[string, object, RegExp]>([
    ["a question", { text: "Wait: why do you want to save?" }, /A reply in words cannot approve.*\(save\)/],
    ["yes", { text: "yes" }, /A reply in words cannot approve/],
    ["approve", { text: "approve" }, /A reply in words cannot approve/],
    ["calls by name", { text: "call-1: approve\ncall-3: approve" }, /A reply in words cannot approve/],
    [
      "form values",
      { reply: { requestId: "id-1", values: { "call-1": "approve" } } },
      /A reply in words cannot approve/,
    ],
    ["too few", reply("id-1", approve("call-1")), /"call-3" of save was not decided/],
    [
      "too many",
      reply("id-1", approve("call-1"), approve("call-3"), approve("call-2")),
      /No call "call-2" waits/,
    ],
    ["an unknown call", reply("id-1", approve("call-1"), approve("call-9")), /No call "call-9" waits/],
    ["one twice", reply("id-1", approve("call-1"), approve("call-1")), /decided twice/],
    [
      "an unknown type",
      reply("id-1", approve("call-1"), { callId: "call-3", type: "bogus" }),
      /"bogus" is no/,
    ],
    ["another question", reply("id-0", approve("call-1"), approve("call-3")), /answers an earlier question/],
    [
      "arguments the tool does not take",
      reply("id-1", approve("call-1"), edit("call-3", { txt: "c" })),
      /arguments of save were not accepted/,
    ],
  ])("%s: nothing runs, and the same is asked again under a new id", async (_, turn, why) => {
    const { agent, ran, model } = setup([both, done]);
    await runAgent(agent);
    const events = await runAgent(agent, { text: "", ...turn });
    expect(ran).toEqual(["look b"]);
    expect(model.requests).toHaveLength(1);
    expect(finishOf(events)).toMatchObject({
      outcome: "input-required",
      error: { code: "input.invalid", message: expect.stringMatching(why) },
    });
    expect(eventsOf(events, "input-required")[0]?.request).toMatchObject({
      requestId: "id-2",
      calls: [{ callId: "call-1" }, { callId: "call-3" }],
    });
    const then = await runAgent(agent, reply("id-2", approve("call-1"), reject("call-3", "no")));
    expect(finishOf(then).outcome).toBe("completed");
    expect(ran).toEqual(["look b", "save a"]);
  });

  it("is an edit that a rule forbids, though the person wants it", async () => {
    const rules = [
      { effect: "deny", tool: "save", arguments: { text: "*secret*" }, name: "no-secrets" },
    ] as const;
    const { agent, ran } = setup([both], {}, { middleware: [policy([...rules])] });
    await runAgent(agent);
    const events = await runAgent(
      agent,
      reply("id-1", edit("call-1", { text: "my secret" }), approve("call-3")),
    );
    expect(finishOf(events).error?.message).toContain('rule "no-secrets"');
    expect(ran).toEqual(["look b"]);
  });
});

describe("what waits", () => {
  it("is forgotten when the run is canceled; decisions then run nothing and say what to do", async () => {
    const { agent, ran } = setup([both]);
    await runAgent(agent);
    await agent.cancel?.("run-1");
    const events = await runAgent(agent, reply("id-1", approve("call-1"), approve("call-3")));
    expect(finishOf(events)).toMatchObject({
      outcome: "failed",
      error: { code: "input.unsupported", message: expect.stringContaining("ask for the work again") },
    });
    expect(ran).toEqual(["look b"]);
  });

  it("is approved once: the same reply again, at once or later, runs nothing twice", async () => {
    const { agent, ran } = setup([both, done]);
    await runAgent(agent);
    const answer = reply("id-1", approve("call-1"), approve("call-3"));
    const ends = (await Promise.all([runAgent(agent, answer), runAgent(agent, answer)])).map(finishOf);
    expect(ends.map((end) => end.outcome).toSorted()).toEqual(["completed", "failed"]);
    expect(finishOf(await runAgent(agent, answer)).error?.code).toBe("input.unsupported");
    expect(ran).toEqual(["look b", "save a", "save c"]);
  });

  it("is not shown to anybody else", async () => {
    const { agent, ran } = setup([both]);
    await runAgent(agent, { userId: "ann" });
    const answer = reply("id-1", approve("call-1"), approve("call-3"));
    const events = await runAgent(agent, { userId: "bob", ...answer });
    expect(finishOf(events).error?.code).toBe("input.unsupported");
    expect(ran).toEqual(["look b"]);
  });

  it("is not run when its tool would do something else by now", async () => {
    const { agent, restarted, model, suspended } = setup([{ calls: [call("save", "a")] }, done]);
    await runAgent(agent);
    const state = await suspended.load("run-1");
    if (state?.request.kind !== "approval") throw new Error("no approval waits");
    const calls = [{ callId: "call-1", tool: "save", arguments: { text: "shown" } }];
    await suspended.save("run-1", { ...state, request: { ...state.request, calls } });
    await runAgent(restarted(), reply("id-1", approve("call-1")));
    expect(resultsOf(model, 1)[0]).toContain("no longer the call that was approved");
  });

  it("is not run when a rule forbids it by now, though it was approved", async () => {
    const { agent, restarted, model, ran, suspended } = setup([{ calls: [call("save", "a")] }, done]);
    await runAgent(agent);
    const late = createAgent(
      { ...testConfig, approve: ["save"] },
      {
        model,
        suspended,
        tools: [echoTool("save")],
        middleware: [policy([{ effect: "deny", tool: "save" }])],
      },
    );
    const events = await runAgent(late, reply("id-1", approve("call-1")));
    expect(finishOf(events).outcome).toBe("completed");
    expect(resultsOf(model, 1)[0]).toContain("Refused by the rule");
    expect(ran).toEqual([]);
    expect(finishOf(await runAgent(restarted(), reply("id-1", approve("call-1")))).outcome).toBe("failed");
  });

  it("says that its tool is gone when it is", async () => {
    const { agent, model, suspended } = setup([{ calls: [call("save", "a")] }, done]);
    await runAgent(agent);
    const without = createAgent(testConfig, { model, suspended });
    await runAgent(without, reply("id-1", approve("call-1")));
    expect(resultsOf(model, 1)[0]).toContain('There is no tool "save"');
  });

  it("keeps the order of tools that need it: none overtakes the one that waits", async () => {
    const log: string[] = [];
    const ordered = (name: string): Tool => ({
      ...echoTool(name, (text) => {
        log.push(`${name} ${text}`);
        return { text };
      }),
      ordered: true,
    });
    const steps = [
      {
        calls: [
          call("look", "1"),
          call("save", "2"),
          call("look", "3"),
          call("save", "4"),
          call("look", "5"),
        ],
      },
      done,
    ];
    const { agent } = setup(steps, {}, { tools: [ordered("look"), ordered("save")] });
    const events = await runAgent(agent);
    expect(log).toEqual(["look 1"]);
    expect(eventsOf(events, "input-required")[0]?.request).toMatchObject({
      calls: [{ callId: "call-2" }, { callId: "call-4" }],
    });
    const then = await runAgent(agent, reply("id-1", approve("call-2"), reject("call-4", "no")));
    expect(finishOf(then).outcome).toBe("completed");
    expect(log).toEqual(["look 1", "save 2", "look 3", "look 5"]);
  });

  it("may be followed by another approval, and by a form, in one run", async () => {
    const question = finishCall("", {
      require_user_input: true,
      user_input: "Where to?",
      is_task_complete: false,
    });
    const { agent, ran, model } = setup([
      { calls: [call("save", "a")] },
      { calls: [call("save", "b")] },
      { calls: [question] },
      done,
    ]);
    await runAgent(agent);
    const second = await runAgent(agent, reply("id-1", approve("call-1")));
    expect(eventsOf(second, "input-required")[0]?.request).toMatchObject({
      requestId: "id-2",
      kind: "approval",
    });
    const third = await runAgent(agent, reply("id-2", approve("call-2")));
    expect(eventsOf(third, "input-required")[0]?.request).toMatchObject({ requestId: "id-3", kind: "form" });
    const misplaced = await runAgent(agent, reply("id-3", approve("call-3")));
    expect(finishOf(misplaced).error?.message).toContain("A form is to be filled in here");
    const last = await runAgent(agent, { reply: { requestId: "id-4", values: { answer: "Oslo" } } });
    expect(finishOf(last).outcome).toBe("completed");
    expect(ran).toEqual(["save a", "save b"]);
    expect(model.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  it("leaves its draft to the run that goes on, should no answer come", async () => {
    const { agent } = setup([both, { fail: new ModelError("model.auth", "The key was refused.") }]);
    await runAgent(agent);
    const events = await runAgent(agent, reply("id-1", approve("call-1"), approve("call-3")));
    expect(finishOf(events)).toMatchObject({
      outcome: "partial",
      response: { content: "Two things." },
      error: { code: "model.auth" },
    });
  });

  it("runs what was approved or edited, and only that, whatever comes back", async () => {
    const decision = fc.record({
      callId: fc.constantFrom("call-1", "call-3", "call-2", "__proto__"),
      type: fc.constantFrom("approve", "edit", "reject", "yes"),
      arguments: fc.constantFrom({ text: "z" }, { txt: "z" }, null, "z"),
      reason: fc.constantFrom("no", ""),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(decision, { maxLength: 3 }), async (decisions) => {
        const { agent, ran } = setup([both, done]);
        await runAgent(agent);
        const { outcome } = finishOf(await runAgent(agent, reply("id-1", ...decisions)));
        const saved = ran.slice(1).toSorted();
        const wanted = decisions.flatMap((one) => {
          if (one.type === "reject") return [];
          const own = one.callId === "call-1" ? "save a" : "save c";
          return [one.type === "edit" ? "save z" : own];
        });
        expect(outcome === "completed" ? saved : "none").toEqual(
          outcome === "completed" ? wanted.toSorted() : "none",
        );
        expect(outcome === "completed" || saved.length === 0).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("puts off a finish that stands behind it, whose text is no answer", async () => {
    const { agent, model } = setup([
      { calls: [call("save", "a"), finishCall("Saved!"), call("look", "late")] },
      { calls: [finishCall("Really saved.")] },
    ]);
    const events = await runAgent(agent);
    expect(finishOf(events)).toMatchObject({ outcome: "input-required", response: { content: "" } });
    expect(eventsOf(events, "text-role")).toMatchObject([{ role: "narration" }]);
    const then = await runAgent(agent, reply("id-1", approve("call-1")));
    expect(finishOf(then)).toMatchObject({ outcome: "completed", response: { content: "Really saved." } });
    expect(resultsOf(model, 1)).toEqual([
      "call-1 save did a",
      expect.stringMatching(/^call-2 finish was refused because a call before it waited/),
      expect.stringMatching(/^call-3 Not run/),
    ]);
  });
});
