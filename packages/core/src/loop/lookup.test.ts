import { describe, expect, it } from "vitest";

import type { Delegation, StepResult } from "../ports/delegation.ts";
import { eventsOf } from "../testing/run-agent.ts";
import { finishCall, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import {
  claim,
  finished,
  quote,
  run,
  save,
  search,
  searchTool,
  type Setup,
} from "./weak-model.test-bench.ts";

const NUDGE = "Nothing was looked up yet. Call one of rag_search first.";
const UNFOUNDED = { outcome: "partial", error: { code: "agent.nothing-looked-up" } };

describe("an answer before anything was looked up", () => {
  it.each<[string, ScriptedStep, object]>([
    ["short text", { text: "I will search the policy." }, {}],
    ["long text", { text: `${claim} `.repeat(20) }, {}],
    ["finish", { calls: [finishCall(claim)] }, {}],
    ["JSON", { text: JSON.stringify({ content: claim, is_task_complete: true }) }, {}],
    ["text behind the marker", { text: `[FINAL ANSWER]\n${claim}` }, { response_mode: "marker" }],
    ["a draft", { text: claim }, { response_mode: "structured" }],
    ["nothing at all", { text: "" }, { response_mode: "structured" }],
  ])("is sent back once, as %s", async (_, first, config) => {
    const { response_mode: mode = "finish" } = config as { response_mode?: string };
    const answer = `${quote} [1]`;
    const last: readonly ScriptedStep[] =
      mode === "finish"
        ? [finished]
        : mode === "marker"
          ? [{ text: `[FINAL ANSWER]\n${answer}` }]
          : [{ text: answer }, { text: JSON.stringify({ content: answer, is_task_complete: true }) }];
    const { finish, told } = await run({ steps: [first, { calls: [search] }, ...last], config });
    expect(told[0]).toMatch(/Nothing was looked up yet\. Call one of rag_search first\.$/);
    expect(finish.outcome).toBe("completed");
    expect(finish.response.content.trim()).toBe(answer);
  });

  it.each<[string, readonly ScriptedStep[], object]>([
    ["text", [{ text: "I will look." }, { text: claim }], {}],
    ["finish", [{ calls: [finishCall(claim)] }, { calls: [finishCall(claim)] }], {}],
    [
      "text behind the marker",
      [{ text: claim }, { text: `[FINAL ANSWER]${claim}` }],
      { response_mode: "marker" },
    ],
    [
      "a response",
      [
        { text: claim },
        { text: claim },
        { text: JSON.stringify({ content: claim, is_task_complete: true }) },
      ],
      { response_mode: "structured" },
    ],
  ])("is partial where the model insists, as %s", async (_, steps, config) => {
    const { finish } = await run({ steps, config });
    expect(finish).toMatchObject({ ...UNFOUNDED, response: { content: claim, is_task_complete: false } });
  });

  it("is superseded if it was streamed as the answer", async () => {
    const steps = [{ calls: [finishCall(claim)] }, { calls: [search] }, finished];
    const { events } = await run({ steps });
    expect(eventsOf(events, "attempt-start")).toMatchObject([{ items: ["t1"] }]);
    const marked = [
      { text: `[FINAL ANSWER]${claim}` },
      { calls: [search] },
      { text: "[FINAL ANSWER]By train." },
    ];
    const inMarker = await run({ steps: marked, config: { response_mode: "marker" } });
    expect(eventsOf(inMarker.events, "attempt-start")).toMatchObject([{ items: ["t1"] }]);
    expect(inMarker.finish.response.content).toBe("By train.");
  });

  it("is checked like any other", async () => {
    const text = "Tideline won.";
    const { finish } = await run({ steps: [{ text }, { text }], checked: true });
    expect(finish).toMatchObject({ ...UNFOUNDED, response: { checks: [{ finding: { kind: "uncited" } }] } });
  });

  it("is partial in the only round, and where every call failed", async () => {
    const once = await run({ steps: [{ calls: [finishCall(claim)] }], config: { max_iterations: 1 } });
    expect(once.finish).toMatchObject(UNFOUNDED);
    const tools = [searchTool(() => ({ text: "down", isError: true }))];
    const steps = [{ calls: [search] }, { calls: [finishCall(claim)] }, { calls: [finishCall(claim)] }];
    const failing = await run({ tools, steps });
    expect(failing.told[1]).toContain(NUDGE);
    expect(failing.finish).toMatchObject(UNFOUNDED);
  });

  const delegation: Delegation = {
    v: 1,
    objective: "Make slides.",
    instruction: "Make slides.",
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results: {},
  };
  const step: StepResult = {
    stepId: "research",
    agent: "rag-agent",
    outcome: "completed",
    answer: "By train.",
    data: null,
    citations: [],
    artifacts: [],
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
    provenance: { attempt: 1, startedAt: 0, endedAt: 0 },
  };
  const file = {
    id: "f",
    name: "a.txt",
    mediaType: "text/plain",
    bytes: 1,
    url: "http://127.0.0.1/f",
    sha256: "",
  };
  it.each<[string, Omit<Setup, "steps">]>([
    ["there is nothing to look up with", { tools: [echoTool("save")] }],
    [
      "a step before found something",
      { request: { delegation: { ...delegation, results: { research: step } } } },
    ],
    ["the person gave a file", { request: { files: [file] } }],
    ["the person gave a text", { request: { text: `Shorten this: ${"word ".repeat(120)}` } }],
    ["fixed rules answer", { free: true }],
  ])("is taken where %s", async (_, setup) => {
    const { finish } = await run({ ...setup, steps: [{ calls: [finishCall(claim)] }] });
    expect(finish.outcome).toBe("completed");
  });

  it("is not taken if an earlier step found nothing", async () => {
    const results = { research: { ...step, outcome: "failed" as const, answer: "" } };
    const steps = [{ calls: [finishCall(claim)] }, { calls: [finishCall(claim)] }];
    const { finish } = await run({ request: { delegation: { ...delegation, results } }, steps });
    expect(finish).toMatchObject(UNFOUNDED);
  });

  it("may be a question to the person or a report of failure", async () => {
    const ask = finishCall("", { require_user_input: true, user_input: "Which year?" });
    expect((await run({ steps: [{ calls: [ask] }] })).finish.outcome).toBe("input-required");
    const text = "Which year do you mean?";
    for (const step of [{ text: `${text}\n` }, { calls: [finishCall(text)] }]) {
      const steps = "text" in step ? [step, step] : [step];
      expect((await run({ steps })).finish).toMatchObject({ outcome: "completed" });
    }
    const failed = finishCall("No.", { was_task_successful: false });
    expect((await run({ steps: [{ calls: [failed] }] })).finish.outcome).toBe("failed");
  });

  it("is refused in the round of the first search", async () => {
    const { finish, told } = await run({ steps: [{ calls: [search, finishCall(claim)] }, finished] });
    expect(told[0]).toContain(
      "finish was refused: you wrote it before you could read what rag_search returned.",
    );
    expect(told[0]).toContain(quote);
    expect(finish).toMatchObject({ outcome: "completed", response: { content: `${quote} [1]` } });
    const later = await run({ steps: [{ calls: [search] }, { calls: [search, finishCall(quote)] }] });
    expect(later.finish.outcome).toBe("completed");
    const writes = await run({ tools: [echoTool("save")], steps: [{ calls: [save, finishCall("Saved.")] }] });
    expect(writes.finish.outcome).toBe("completed");
  });
});
