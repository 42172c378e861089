import { describe, expect, it } from "vitest";

import type { AgentEventBody } from "../event.ts";
import { eventMaker, finishOf, textOf } from "../testing/run-events.ts";
import { continueTurn, pendingRequests } from "./continue-turn.ts";
import { reduceTurn } from "./reduce.ts";
import { emptyTurn } from "./state.ts";

const form = (title: string) => ({ title, description: "", fields: [] });
const asking = (requestId: string): AgentEventBody => ({
  type: "input-required",
  request: { requestId, kind: "form", form: form(requestId) },
});

function fold(bodies: readonly AgentEventBody[], from = emptyTurn) {
  const event = eventMaker();
  return bodies.map((body) => event(body)).reduce(reduceTurn, from);
}

const begun: readonly AgentEventBody[] = [
  { type: "step-status", step: "find", state: "input_required" },
  { type: "step-status", step: "draw", state: "pending" },
  ...textOf("t1", ["Which yea"], "open"),
  asking("r1"),
  { type: "text-delta", itemId: "t1", delta: "r?" },
];
const waiting = fold([...begun, asking("r2"), finishOf("Which year?", ["t1"], "input-required")]);

describe("a turn that waits for a person", () => {
  it("goes on with the text that was open when the question came", () => {
    expect(fold(begun)).toMatchObject({ content: "Which year?" });
    expect(fold(begun).items.find(({ kind }) => kind === "message")).toMatchObject({ closed: false });
  });

  it("names what is asked once it has ended, and nothing before or when it was canceled", () => {
    expect(pendingRequests(fold(begun))).toEqual([]);
    expect(pendingRequests(waiting).map(({ requestId }) => requestId)).toEqual(["r1", "r2"]);
    expect(pendingRequests(fold([...begun, finishOf("", [], "canceled")]))).toEqual([]);
  });

  it("is followed by one with its plan and what is still asked, where ids may come again", () => {
    const next = continueTurn(waiting, "r1");
    expect(next).toMatchObject({ content: "", citations: [] });
    expect(continueTurn(waiting).items.map(({ kind }) => kind)).toEqual(["plan"]);
    const ended = fold(
      [
        { type: "step-status", step: "find", state: "completed" },
        ...textOf("t1", ["2026."], "answer"),
        finishOf("2026.", ["t1"], "input-required"),
      ],
      next,
    );
    expect(ended.content).toBe("2026.");
    expect(ended.items.map(({ kind }) => kind)).toEqual(["plan", "form", "message"]);
    expect(ended.items[0]).toMatchObject({
      steps: { find: { state: "completed" }, draw: { state: "pending" } },
    });
    expect(pendingRequests(ended).map(({ requestId }) => requestId)).toEqual(["r2"]);
  });
});
