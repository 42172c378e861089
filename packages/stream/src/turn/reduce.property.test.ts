import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgentEvent, AgentEventBody } from "../event.ts";
import { arbitraryRun } from "../testing/arbitrary-run.ts";
import { eventMaker, finishOf, textOf } from "../testing/run-events.ts";
import { reduceTurn } from "./reduce.ts";
import { emptyTurn, type TurnState } from "./state.ts";

const fold = (events: readonly AgentEvent[], from = emptyTurn) => events.reduce(reduceTurn, from);

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}

const WAITING = new Set(["pending", "in_progress", "input_required"]);

/** What is wrong with a state, whatever came. */
function wrongWith(state: TurnState): readonly string[] {
  const keys = state.items.map(({ key }) => key);
  const wrong = new Set(keys).size === keys.length ? [] : [`keys: ${keys.join(" ")}`];
  const { answer, draft, content, outcome } = state;
  if (outcome === undefined) {
    const own = state.items.flatMap((item) =>
      item.kind === "message" && item.stepId === undefined && !item.superseded ? [item] : [],
    );
    const answers = own.flatMap(({ role, text }) => (role === "answer" ? [text] : [])).join("");
    if (answer !== answers) wrong.push(`answer: ${answer}, not ${answers}`);
    if (draft !== (own.findLast(({ role }) => role === "open")?.text ?? "")) wrong.push(`draft: ${draft}`);
    if (content !== (answer === "" ? draft : answer)) wrong.push(`content: ${content}`);
    return wrong;
  }
  if (draft !== "" || answer !== content || content !== state.response?.content)
    wrong.push("not the response");
  for (const item of state.items) {
    const goesOn =
      (item.kind === "message" && (!item.closed || item.role === "open")) ||
      (item.kind === "tool_call" && item.status === "running") ||
      (item.kind === "plan" &&
        outcome !== "input-required" &&
        Object.values(item.steps).some((step) => WAITING.has(step.state)));
    if (goesOn) wrong.push(`goes on after the end: ${item.key}`);
  }
  return wrong;
}

describe("reduceTurn, for any run", () => {
  it("gives the same state in any batches, each taken up where the one before left it", () => {
    fc.assert(
      fc.property(arbitraryRun, fc.array(fc.nat({ max: 9 }), { maxLength: 20 }), ({ events }, sizes) => {
        const rest = [...events];
        let state = emptyTurn;
        for (const size of [...sizes, rest.length])
          state = JSON.parse(JSON.stringify(fold(rest.splice(0, size), state))) as TurnState;
        expect(state).toEqual(fold(events));
      }),
    );
  });

  it("changes no state in place, and every state on the way is right", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ events, content }) => {
        let state = freeze(emptyTurn);
        for (const event of events) {
          state = freeze(reduceTurn(state, event));
          expect(wrongWith(state)).toEqual([]);
        }
        expect(state.content).toBe(content);
      }),
    );
  });

  it("keeps every word: each text stands in the item that it was said in", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ events }) => {
        const said = new Map<string, string>();
        for (const event of events)
          if (event.type === "text-delta") {
            const key = `${event.stepId ?? ""}/${event.attempt}/${event.itemId}`;
            said.set(key, (said.get(key) ?? "") + event.delta);
          }
        const shown = fold(events).items.flatMap((item) =>
          item.kind === "message" ? [[item.key, item.text] as const] : [],
        );
        expect(new Map(shown)).toEqual(said);
      }),
    );
  });

  it("never takes a finished step back within an attempt", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ events }) => {
        const finished = new Set<string>();
        let state = emptyTurn;
        for (const event of events.slice(0, -1)) {
          if (event.type === "attempt-start" && event.items === undefined) {
            if (event.stepId === undefined) finished.clear();
            else finished.delete(event.stepId);
          }
          state = reduceTurn(state, event);
          const plan = state.items.find((item) => item.kind === "plan");
          for (const [id, progress] of Object.entries(plan?.steps ?? {})) {
            if (!WAITING.has(progress.state)) finished.add(id);
            expect(WAITING.has(progress.state) && finished.has(id)).toBe(false);
          }
        }
      }),
    );
  });
});

const id = fc.constantFrom("a", "b", "__proto__");
const anyBody: fc.Arbitrary<AgentEventBody> = fc.oneof(
  fc.record({ type: fc.constant("text-start"), itemId: id, role: fc.constantFrom("open", "answer") }),
  fc.record({ type: fc.constant("text-delta"), itemId: id, delta: fc.string({ maxLength: 3 }) }),
  fc.record({ type: fc.constant("text-role"), itemId: id, role: fc.constantFrom("narration", "answer") }),
  fc.record({ type: fc.constant("text-end"), itemId: id }),
  fc.record({ type: fc.constant("tool-start"), callId: id, tool: id, arguments: fc.constant(null) }),
  fc.record({
    type: fc.constant("tool-end"),
    callId: id,
    tool: id,
    status: fc.constantFrom("ok", "canceled"),
    summary: fc.constant(""),
    ms: fc.nat(),
  }),
  fc.record({
    type: fc.constant("step-status"),
    step: id,
    state: fc.constantFrom("pending", "in_progress", "completed", "input_required"),
  }),
  fc.record(
    { type: fc.constant("attempt-start"), reason: fc.constant(""), items: fc.array(id) },
    { requiredKeys: ["type", "reason"] },
  ),
  fc.string({ maxLength: 3 }).map((content) => finishOf(content, [])),
);

describe("reduceTurn, for any events at all", () => {
  it("throws nothing, and every state on the way is right", () => {
    const at = fc.record(
      { stepId: fc.constantFrom("a", "__proto__", "a/b"), attempt: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: ["attempt"] },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBody, at), { maxLength: 40 }), (list) => {
        const event = eventMaker();
        let state = freeze(emptyTurn);
        for (const [body, where] of list) {
          const next = freeze(reduceTurn(state, event(body, where)));
          expect(state.outcome === undefined || next === state).toBe(true);
          state = next;
          expect(wrongWith(state)).toEqual([]);
        }
      }),
    );
  });
});

describe("items of a run", () => {
  it("stand where they began, a result apart from its call and text between them on its own", () => {
    const event = eventMaker();
    const call = { callId: "t1", tool: "search" };
    const bodies: AgentEventBody[] = [
      { type: "tool-start", ...call, arguments: {} },
      ...textOf("t1", ["still "], "open"),
      { type: "text-role", itemId: "t1", role: "narration" },
      { type: "tool-end", ...call, status: "ok", summary: "found", ms: 2 },
      { type: "tool-end", callId: "lost", tool: "look", status: "error", summary: "no", ms: 1 },
      ...textOf("t2", ["here"], "open"),
    ];
    const state = fold(bodies.map((body) => event(body)));
    expect(state.items.map(({ kind }) => kind)).toEqual([
      "tool_call",
      "message",
      "tool_result",
      "tool_call",
      "tool_result",
      "message",
    ]);
    expect(state.items[3]).toMatchObject({ callId: "lost", arguments: null, status: "error" });
    expect(state.content).toBe("here");
  });

  it("join the answers of several rounds, and lose those a retry took back with their calls", () => {
    const event = eventMaker();
    const retry = { type: "attempt-start", reason: "broke", items: ["t2", "c1"] } as const;
    const state = fold([
      ...textOf("t1", ["One. "], "answer").map((body) => event(body)),
      event({ type: "tool-start", callId: "c1", tool: "look", arguments: {} }),
      event({ type: "tool-end", callId: "c1", tool: "look", status: "ok", summary: "", ms: 1 }),
      ...textOf("t2", ["Tw"], "answer").map((body) => event(body)),
      event(retry, { attempt: 2 }),
      ...textOf("t2", ["Two."], "answer").map((body) => event(body, { attempt: 2 })),
    ]);
    expect(state.content).toBe("One. Two.");
    expect(state.items.filter(({ superseded }) => superseded).map(({ kind }) => kind)).toEqual([
      "tool_call",
      "tool_result",
      "message",
    ]);
    const ended = reduceTurn(state, event(finishOf("One. Two.", ["t1", "t2"]), { attempt: 2 }));
    expect(ended.items.filter((item) => item.kind === "message" && item.role === "answer")).toHaveLength(2);
  });

  it("begin over when a foreign agent replaces what it said", () => {
    const event = eventMaker();
    const twice = [...textOf("x", ["first"], "open"), ...textOf("x", ["second"], "open")];
    const state = fold(twice.map((body) => event(body)));
    expect(state.items).toMatchObject([{ text: "second" }]);
  });
});
