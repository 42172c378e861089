import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "../event.ts";
import type { AgentResponse } from "../response.ts";
import type { AgentTurnItem } from "./items.ts";
import { reduceTurn } from "./reduce.ts";
import { emptyTurn, NO_USAGE, type TurnState } from "./state.ts";

type At = { readonly stepId?: string; readonly attempt?: number };

let seq = 0;
function event(body: AgentEventBody, at: At = {}): AgentEvent {
  return { v: EVENT_VERSION, runId: "run", seq: seq++, attempt: 1, agent: "a", ...at, ...body };
}

function fold(events: readonly AgentEvent[], from: TurnState = emptyTurn): TurnState {
  return events.reduce(reduceTurn, from);
}

function text(itemId: string, pieces: readonly string[], role: "open" | "answer", at: At = {}): AgentEvent[] {
  return [
    event({ type: "text-start", itemId, role }, at),
    ...pieces.map((delta) => event({ type: "text-delta", itemId, delta }, at)),
  ];
}

function response(content: string, rest: Partial<AgentResponse> = {}): AgentResponse {
  return {
    is_task_complete: true,
    require_user_input: false,
    content,
    metadata: { user_input: false, question: "", input_fields: [] },
    citations: [],
    data: null,
    ...rest,
  };
}

function finish(content: string, answerItems: readonly string[], at: At = {}): AgentEvent {
  return event({ type: "finish", outcome: "completed", response: response(content), answerItems }, at);
}

const messages = (state: TurnState) => state.items.filter((item) => item.kind === "message");
const show = (item: AgentTurnItem) =>
  item.kind === "message" ? `${item.role}${item.superseded ? " superseded" : ""}: ${item.text}` : item.kind;

const plan = {
  name: "deck",
  steps: [
    { id: "find", kind: "agent" as const, agent: "rag", instruction: "find", dependsOn: [] },
    { id: "draw", kind: "agent" as const, agent: "ppt", instruction: "draw", dependsOn: ["find"] },
  ],
};

describe("reduceTurn", () => {
  it("shows an open item as the draft, and as the answer once it settles so", () => {
    const open = fold(text("t1", ["Hel", "lo"], "open"));
    expect([open.answer, open.draft, open.content]).toEqual(["", "Hello", "Hello"]);
    const settled = fold([event({ type: "text-role", itemId: "t1", role: "answer" })], open);
    expect([settled.answer, settled.draft, settled.content]).toEqual(["Hello", "", "Hello"]);
  });

  it("keeps a draft as narration when a tool call follows it", () => {
    const state = fold([
      ...text("t1", ["Looking."], "open"),
      event({ type: "text-role", itemId: "t1", role: "narration" }),
      event({ type: "text-end", itemId: "t1" }),
      event({ type: "tool-start", callId: "c1", tool: "search", arguments: { q: "x" } }),
      event({ type: "tool-end", callId: "c1", tool: "search", status: "error", summary: "No errors", ms: 4 }),
      ...text("t2", ["Found it."], "answer"),
    ]);
    expect(state.items.map(show)).toEqual([
      "narration: Looking.",
      "tool_call",
      "tool_result",
      "answer: Found it.",
    ]);
    const told = { callId: "c1", tool: "search", status: "error", summary: "No errors", ms: 4 };
    expect(state.items.slice(1, 3)).toMatchObject([{ ...told, arguments: { q: "x" } }, told]);
    expect(state.content).toBe("Found it.");
  });

  it("never shows what a step says as the run's reply, whatever its role there", () => {
    const state = fold([
      ...text("t1", ["step answer"], "answer", { stepId: "find" }),
      finish("step answer", ["t1"], { stepId: "find" }),
    ]);
    expect(state.content).toBe("");
    expect(messages(state).map(show)).toEqual(["answer: step answer"]);
    expect(state.steps["find"]).toMatchObject({ agent: "a", attempt: 1, outcome: "completed" });
    expect(state.outcome).toBeUndefined();
  });

  it("shows what the plan's answer step says as the run's reply, live, and only its last attempt", () => {
    const sink = { stepId: "draw" };
    const live = fold([
      event({ type: "plan-update", plan: { ...plan, answerStep: "draw" } }),
      ...text("t1", ["not this"], "open", { stepId: "find" }),
      ...text("t1", ["The de"], "open", sink),
    ]);
    expect([live.answer, live.draft]).toEqual(["", "The de"]);
    const again = fold(
      [
        event({ type: "attempt-start", reason: "broke" }, { ...sink, attempt: 2 }),
        ...text("t1", ["The deck", " is done."], "answer", { ...sink, attempt: 2 }),
      ],
      live,
    );
    expect([again.answer, again.draft, again.content]).toEqual([
      "The deck is done.",
      "",
      "The deck is done.",
    ]);
  });

  it("keeps items of the same id in different steps and attempts apart", () => {
    const places: At[] = [{ stepId: "find" }, { stepId: "draw" }, { stepId: "draw", attempt: 2 }, {}];
    const lists = places.map((at, index) => text("t1", [`${index}`, `${index}`, `${index}`], "open", at));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 40 }), (order) => {
        const rest = lists.map((list) => [...list]);
        const mixed = order.flatMap((place) => rest[place]?.splice(0, 1) ?? []);
        const state = fold([...mixed, ...rest.flat()]);
        expect(
          messages(state)
            .map((item) => item.text)
            .sort(),
        ).toEqual(["000", "111", "222", "333"]);
        expect(state.draft).toBe("333");
      }),
    );
  });

  it("supersedes everything of the attempt before of that step only", () => {
    const state = fold([
      ...text("t1", ["first try"], "open", { stepId: "find" }),
      ...text("t1", ["other step"], "open", { stepId: "draw" }),
      event({ type: "attempt-start", reason: "timeout" }, { stepId: "find", attempt: 2 }),
      ...text("t1", ["second try"], "open", { stepId: "find", attempt: 2 }),
    ]);
    expect(messages(state).map(show)).toEqual([
      "open superseded: first try",
      "open: other step",
      "open: second try",
    ]);
    expect(state.steps["find"]?.attempt).toBe(2);
  });

  it("supersedes only what is named when finished work is kept", () => {
    const state = fold([
      event({ type: "tool-start", callId: "c1", tool: "search", arguments: {} }),
      event({ type: "tool-end", callId: "c1", tool: "search", status: "ok", summary: "3 hits", ms: 1 }),
      ...text("t1", ["half an ans"], "answer"),
      event({ type: "attempt-start", reason: "stream broke", items: ["t1"] }, { attempt: 2 }),
    ]);
    expect(state.items.map((item) => item.superseded)).toEqual([false, false, true]);
    expect(state.content).toBe("");
  });

  it("takes the answer from finish alone, even from an item that was settled otherwise", () => {
    const state = fold([
      ...text("t1", ["draft one"], "open"),
      event({ type: "text-role", itemId: "t1", role: "narration" }),
      event({ type: "attempt-start", reason: "broke", items: ["t1"] }, { attempt: 2 }),
      ...text("t2", ["half"], "answer", { attempt: 2 }),
      event(
        { type: "finish", outcome: "partial", response: response("draft one"), answerItems: ["t1"] },
        { attempt: 2 },
      ),
    ]);
    expect(messages(state).map(show)).toEqual(["answer: draft one", "narration: half"]);
    expect([state.content, state.outcome]).toEqual(["draft one", "partial"]);
  });

  it("names a step's item as the answer by its key", () => {
    const state = fold([
      ...text("t1", ["from the sink"], "open", { stepId: "sum" }),
      finish("from the sink", ["sum/1/t1"]),
    ]);
    expect(messages(state).map(show)).toEqual(["answer: from the sink"]);
    expect(state.content).toBe("from the sink");
  });

  it("keeps step states across plan snapshots, and those that come before their plan", () => {
    const state = fold([
      event({ type: "step-status", step: "draw", state: "in_progress" }),
      event({ type: "plan-update", plan }),
      event({ type: "step-status", step: "find", state: "failed", reason: "unreachable" }),
      event({ type: "plan-update", plan }),
    ]);
    expect(state.items).toHaveLength(1);
    expect(state.items[0]).toMatchObject({
      plan,
      steps: { find: { state: "failed", reason: "unreachable" }, draw: { state: "in_progress" } },
    });
  });

  it("takes any name for a step's id, also one that every object has", () => {
    const step = { kind: "agent", agent: "a", instruction: "", dependsOn: [] } as const;
    const ids = ["constructor", "__proto__"];
    const state = fold([
      event({ type: "plan-update", plan: { name: "odd", steps: ids.map((id) => ({ ...step, id })) } }),
      event({ type: "step-status", step: "constructor", state: "in_progress" }),
      event({ type: "usage", model: "m", usage: NO_USAGE }, { stepId: "__proto__" }),
      finish("Done.", []),
    ]);
    const planned = state.items.find((item) => item.kind === "plan");
    const expected = [
      ["constructor", { state: "canceled" }],
      ["__proto__", { state: "skipped" }],
    ];
    expect(Object.entries(planned?.steps ?? {})).toEqual(expected);
    expect(Object.keys(state.steps)).toEqual(["__proto__"]);
  });

  it("leaves nothing running after the end, and calls nothing completed that is not", () => {
    const state = fold([
      event({ type: "plan-update", plan }),
      event({ type: "step-status", step: "find", state: "in_progress" }),
      event({ type: "tool-start", callId: "c1", tool: "search", arguments: {} }, { stepId: "find" }),
      ...text("t1", ["hm"], "open", { stepId: "find" }),
      finish("done", []),
    ]);
    expect(state.items[0]).toMatchObject({
      steps: { find: { state: "canceled" }, draw: { state: "skipped" } },
    });
    expect(state.items[1]).toMatchObject({ status: "canceled" });
    expect(state.items[2]).toMatchObject({ role: "narration", closed: true });
  });

  it("lets a plan wait when a person is asked", () => {
    const request = {
      requestId: "r1",
      kind: "form" as const,
      form: { title: "Which year?", description: "", fields: [] },
    };
    const state = fold([
      event({ type: "plan-update", plan }),
      event({ type: "input-required", request }),
      event({ type: "finish", outcome: "input-required", response: response(""), answerItems: [] }),
    ]);
    expect(state.items[0]).toMatchObject({ steps: { find: { state: "pending" } } });
    expect(state.items[1]).toMatchObject({ kind: "form", request });
    expect(state.outcome).toBe("input-required");
  });

  it("adds usage up, per step and in all", () => {
    const usage = { inputTokens: 5, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 };
    const state = fold([
      event({ type: "usage", model: "m", usage }),
      event({ type: "usage", model: "m", usage }, { stepId: "find" }),
    ]);
    expect(state.usage).toMatchObject({ inputTokens: 10, modelCalls: 2 });
    expect(state.steps["find"]?.usage).toEqual(usage);
    expect(state.usage).not.toHaveProperty("costUsd");
    const paid = fold([
      event({ type: "usage", model: "m", usage }),
      event({ type: "usage", model: "m", usage: { ...usage, costUsd: 0.25 } }),
      event({ type: "usage", model: "m", usage: { ...usage, costUsd: 0.5 } }),
    ]);
    expect(paid.usage).toMatchObject({ inputTokens: 15, costUsd: 0.75 });
  });

  it("collects files and citations, of the run and of steps", () => {
    const citation = {
      id: "1",
      document: "d",
      source: "d.md",
      collection: "c",
      chunkId: "k",
      quote: "q",
      start: 0,
      end: 1,
    };
    const artifact = { id: "f1", name: "a.pptx", mediaType: "x/y", bytes: 1, sha256: "0", url: "u" };
    const state = fold([
      event({ type: "citation", citation }),
      event({ type: "citation", citation }, { stepId: "find" }),
      event({ type: "artifact", artifact }),
      event({ type: "artifact", artifact: { ...artifact, bytes: 2 } }),
    ]);
    expect(state.citations).toEqual([citation]);
    expect(state.steps["find"]?.citations).toEqual([citation]);
    expect(state.items).toMatchObject([{ kind: "file", artifact: { bytes: 2 } }]);
  });

  it("changes nothing in place and survives an event type of a later version", () => {
    const before = Object.freeze(fold(text("t1", ["a"], "open")));
    const copy = structuredClone(before);
    fold([...text("t2", ["b"], "open"), finish("b", ["t2"])], before);
    expect(before).toEqual(copy);
    const later = JSON.stringify({ ...event({ type: "text-end", itemId: "t1" }), type: "text-glow" });
    expect(reduceTurn(before, JSON.parse(later) as AgentEvent)).toBe(before);
  });
});
