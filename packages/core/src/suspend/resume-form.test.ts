import type { Citation } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { createAgent, type AgentDeps } from "../agent/create-agent.ts";
import { StoreError } from "../errors/store-error.ts";
import type { SuspendedRuns } from "../ports/suspended-runs.ts";
import { gate } from "../testing/gate.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { virtualClock } from "../testing/virtual-clock.ts";
import { memorySuspendedRuns } from "./memory-suspended-runs.ts";

const field = (field_name: string, field_type: "number" | "text") => ({
  field_name,
  field_label: "",
  field_description: "",
  field_type,
  field_values: [],
  default_value: null,
  placeholder: "",
  required: field_type === "number",
});
const question = finishCall("I need to know.", {
  is_task_complete: false,
  require_user_input: true,
  user_input: "Which year?",
  input_fields: [field("year", "number"), field("note", "text")],
});
const ask: ScriptedStep = { calls: [question] };
const search = (text = "x") => ({ name: "search", arguments: { text } });

const passage = (id: string, chunkId: string): Citation => ({
  id,
  document: "Plan",
  source: "plan.md",
  collection: "c",
  chunkId,
  quote: "q",
  start: 0,
  end: 1,
});
/** Finds the passage it is asked for, always as `[p]`. */
const searchTool = echoTool("search", (text) => ({ text: `${text} [p]`, citations: [passage("p", text)] }));

function setup(steps: readonly ScriptedStep[], config = {}, deps: Partial<AgentDeps> = {}) {
  const model = scriptedModel(steps);
  const suspended = memorySuspendedRuns();
  const clock = virtualClock();
  let ids = 0;
  const make = () =>
    createAgent(
      { ...testConfig, ...config },
      { model, clock, suspended, tools: [searchTool], newId: () => `id-${++ids}`, ...deps },
    );
  return { agent: make(), restarted: make, model, clock, suspended };
}
const answer = (requestId = "id-1") => ({ text: "", reply: { requestId, values: { year: "2026" } } });

describe("a run that waited for a form", () => {
  it("goes on where it stopped, after a restart too: words, findings and counters", async () => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const { agent, restarted, model } = setup([
      { calls: [search("one")], usage },
      { ...ask, usage },
      { calls: [search("one"), search("two")], usage },
      { calls: [finishCall("Both [1] and [2].", { citation_ids: ["1", "2"] })], usage },
    ]);
    await runAgent(agent, { text: "Find both." });
    const events = await runAgent(restarted(), answer());
    const messages = model.requests[2]?.messages ?? [];
    expect(messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(messages[0]).toMatchObject({ text: "Find both." });
    const results = model.requests[3]?.messages.at(-1);
    expect(results).toMatchObject({ results: [{ text: "one [1]" }, { text: "two [2]" }] });
    expect(finishOf(events)).toMatchObject({ outcome: "completed", response: { citations: [{}, {}] } });
    expect(
      model.requests.at(-1)?.messages.flatMap((m) => (m.role === "assistant" ? m.toolCalls : [])),
    ).toMatchObject([{ callId: "call-1" }, { callId: "call-2" }, { callId: "call-3" }, { callId: "call-4" }]);
  });

  it("takes lines that name its fields, and hands on whatever else was written", async () => {
    const { agent, model } = setup([ask, { text: "ok" }]);
    await runAgent(agent);
    await runAgent(agent, { text: "year: 2026\nnote: a: b\nThanks!" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [
        {
          text: "You asked: Which year?\nThe person answered:\n- year: 2026\n- note: a: b\nThey also wrote: Thanks!",
        },
      ],
    });
  });

  it("takes words that fill nothing as a message to the run that waits", async () => {
    const { agent, model } = setup([ask, { text: "Because." }]);
    await runAgent(agent, { text: "Find both." });
    const events = await runAgent(agent, { text: "Wait: why do you ask?" });
    expect(finishOf(events).response.content).toBe("Because.");
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: "tool", results: [{ callId: "call-1", isError: false }] },
      { role: "user", text: "Wait: why do you ask?" },
    ]);
  });

  it("says why words filled nothing when the same form is asked again, and not when another one is", async () => {
    const other = finishCall("", { is_task_complete: false, require_user_input: true, user_input: "Why?" });
    const { agent } = setup([ask, ask, { calls: [other] }]);
    await runAgent(agent);
    const words = { text: "the next one" };
    expect(finishOf(await runAgent(agent, words))).toMatchObject({
      outcome: "input-required",
      error: { code: "input.invalid", message: 'year: "the next one" is not a number.' },
    });
    expect(finishOf(await runAgent(agent, words)).error).toBeUndefined();
  });

  it("takes a word for the one field that has to be filled", async () => {
    const { agent, model } = setup([ask, { text: "ok" }]);
    await runAgent(agent);
    await runAgent(agent, { text: "2026" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ text: "You asked: Which year?\nThe person answered:\n- year: 2026\n- note: (left empty)" }],
    });
  });

  it.each<[string, object, RegExp]>([
    ["nothing", { text: " " }, /Nothing was filled in/],
    ["a wrong value", { text: "year: soon" }, /"soon" is not a number/],
    [
      "an unknown field",
      { reply: { requestId: "id-1", values: { year: 1, yeer: 2 } } },
      /yeer: is not a field/,
    ],
    ["an earlier question", { reply: { requestId: "id-0", values: { year: 1 } } }, /earlier question/],
  ])("asks again after %s, without the model", async (_, turn, why) => {
    const { agent, model } = setup([ask, { text: "ok" }]);
    await runAgent(agent);
    const events = await runAgent(agent, { text: "", ...turn });
    expect(finishOf(events)).toMatchObject({
      outcome: "input-required",
      error: { code: "input.invalid", message: expect.stringMatching(why) },
      response: { metadata: { user_input: true, question: "Which year?" } },
    });
    expect(model.requests).toHaveLength(1);
    expect(finishOf(await runAgent(agent, answer("id-2"))).outcome).toBe("completed");
  });

  it("counts its rounds on, and its time without the time it waited", async () => {
    const rounds = setup([ask, { calls: [search()] }], { max_iterations: 2 });
    await runAgent(rounds.agent);
    expect(finishOf(await runAgent(rounds.agent, answer())).error?.message).toContain("2 rounds");

    const slow = gate();
    const { agent, clock, suspended } = setup([ask, { text: "late", gate: slow.opened }], {
      limits: { timeoutMs: 1_000 },
    });
    await runAgent(agent);
    const state = await suspended.load("run-1");
    if (state === undefined) throw new Error("nothing waits");
    await suspended.save("run-1", { ...state, elapsedMs: 600 });
    await clock.advance(86_400_000);
    const running = runAgent(agent, answer());
    await clock.advance(399);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(finishOf(await running).error?.code).toBe("agent.timeout");
  });

  it("keeps to the budget of the whole run", async () => {
    const usage = { inputTokens: 4_000, outputTokens: 1_000 };
    const { agent } = setup([{ ...ask, usage }, { calls: [search()], usage }, { text: "never" }], {
      limits: { maxTotalTokens: 9_000 },
    });
    await runAgent(agent);
    const { outcome, error } = finishOf(await runAgent(agent, answer()));
    expect([outcome, error?.code]).toEqual(["failed", "agent.budget"]);
    expect(error?.message).toContain("10000 were used");
  });

  it("works in every mode of delivery", async () => {
    const content = "Which year?";
    const json = JSON.stringify({
      content,
      is_task_complete: false,
      require_user_input: true,
      user_input: content,
      input_fields: [field("year", "number")],
    });
    for (const response_mode of ["marker", "structured"]) {
      const { agent, model } = setup(
        [{ text: json }, { text: "[FINAL ANSWER]ok" }, { text: '{"content":"ok"}' }],
        {
          response_mode,
        },
      );
      const events = await runAgent(agent);
      expect(finishOf(events).outcome).toBe("input-required");
      const then = await runAgent(agent, answer());
      expect(finishOf(then).outcome).not.toBe("failed");
      expect(model.requests[1]?.messages.slice(1, 3)).toMatchObject([
        { role: "assistant", text: content },
        { role: "user", text: "You asked: Which year?\nThe person answered:\n- year: 2026" },
      ]);
    }
  });
});

describe("a store that does not do its work", () => {
  const broken = (part: Partial<SuspendedRuns>): SuspendedRuns => ({ ...memorySuspendedRuns(), ...part });
  const full = () => Promise.reject(new StoreError("store.full", "The disk is full. Free some space."));

  it("is no question that nobody could answer", async () => {
    const { agent } = setup([ask], {}, { suspended: broken({ save: full }) });
    const events = await runAgent(agent);
    expect(eventsOf(events, "input-required")).toEqual([]);
    expect(finishOf(events)).toMatchObject({ outcome: "partial", error: { code: "store.full" } });
  });

  it("ends the turn when the run cannot be read or let go of", async () => {
    const unread = setup([], {}, { suspended: broken({ load: full }) });
    expect(finishOf(await runAgent(unread.agent)).error?.code).toBe("store.full");
    const { agent } = setup([ask], {}, { suspended: broken({ forget: full }) });
    await runAgent(agent);
    expect(finishOf(await runAgent(agent, answer())).error?.code).toBe("store.full");
  });

  it("does not hold a run that is canceled while it loads or saves", async () => {
    const cancel = new AbortController();
    const never = broken({ load: () => new Promise(() => undefined) });
    const loading = runAgent(setup([], {}, { suspended: never }).agent, {}, { signal: cancel.signal });
    cancel.abort();
    expect(finishOf(await loading).outcome).toBe("canceled");

    const during = new AbortController();
    const kept = memorySuspendedRuns();
    const save: SuspendedRuns["save"] = async (runId, state) => {
      await kept.save(runId, state);
      during.abort();
    };
    const { agent } = setup([ask], {}, { suspended: { ...kept, save } });
    const events = await runAgent(agent, {}, { signal: during.signal });
    expect(finishOf(events).outcome).toBe("canceled");
    expect(eventsOf(events, "input-required")).toEqual([]);
    expect(await kept.load("run-1")).toBeUndefined();
  });
});
