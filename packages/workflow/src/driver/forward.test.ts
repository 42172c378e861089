import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { memoryEventLog } from "../testing/index.ts";
import { eventAttempt, forwarder } from "./forward.ts";

function event(seq: number, body: AgentEventBody, at: Partial<AgentEvent> = {}): AgentEvent {
  return { ...({ v: EVENT_VERSION, runId: "task", seq, attempt: 1, agent: "x", ...at } as const), ...body };
}
const start = (seq: number, itemId: string, at: Partial<AgentEvent> = {}): AgentEvent =>
  event(seq, { type: "text-start", itemId, role: "open" }, at);
const finish = (seq: number, answerItems: readonly string[], at: Partial<AgentEvent> = {}): AgentEvent =>
  event(seq, { type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems }, at);

function forward(
  options: { attempt?: number; replies?: number; log?: ReturnType<typeof memoryEventLog> } = {},
) {
  const log = options.log ?? memoryEventLog();
  const { attempt = 1, replies = 0 } = options;
  return { log, ...forwarder({ eventLog: log, runId: "run", stepId: "s", attempt, replies }) };
}

describe("forwarder", () => {
  it("puts run, step and attempt on each event and adds none twice when a task is joined again", () => {
    const first = forward();
    for (const one of [start(0, "t"), finish(1, ["t"])]) first.onEvent(one);
    const again = forward({ log: first.log });
    for (const one of [start(0, "t"), finish(1, ["t"])]) again.onEvent(one);
    expect(
      first.log.events("run").map(({ runId, stepId, attempt, seq }) => [runId, stepId, attempt, seq]),
    ).toEqual([
      ["run", "s", 1, 0],
      ["run", "s", 1, 1],
    ]);
    expect(again.answerItems()).toEqual(["s/1/t"]);
  });

  it("counts the agent's own attempts within the step's, later ones always greater", () => {
    const second = forward({ attempt: 2 });
    second.onEvent(start(0, "a"));
    second.onEvent(event(1, { type: "attempt-start", reason: "broke", items: ["a"] }, { attempt: 2 }));
    second.onEvent(start(2, "b", { attempt: 2 }));
    second.onEvent(finish(3, ["b"], { attempt: 3 }));
    expect(second.log.events("run").map((one) => one.attempt)).toEqual([101, 102, 102, 103]);
    expect(second.answerItems()).toEqual(["s/102/b"]);
    expect(eventAttempt(1, 5_000)).toBeLessThan(eventAttempt(2));
  });

  it("keeps the turn after a reply apart from the one before it", () => {
    const asked = forward();
    asked.onEvent(start(0, "t"));
    asked.onEvent(event(1, { type: "tool-start", callId: "c", tool: "x", arguments: {} }));
    const replied = forward({ replies: 1, log: asked.log });
    replied.onEvent(start(0, "t"));
    replied.onEvent(event(1, { type: "tool-start", callId: "c", tool: "x", arguments: {} }));
    replied.onEvent(event(2, { type: "attempt-start", reason: "r", items: ["t"] }));
    replied.onEvent(event(3, { type: "attempt-start", reason: "r" }));
    replied.onEvent(finish(4, ["t"]));
    const ids = asked.log
      .events("run")
      .flatMap((one) => ("itemId" in one ? one.itemId : "callId" in one ? one.callId : []));
    expect(ids).toEqual(["t", "c", "1.t", "1.c"]);
    expect(replied.answerItems()).toEqual(["s/1/1.t"]);
    expect(asked.log.events("run").at(-1)).toMatchObject({ answerItems: ["1.t"] });
  });

  it("leaves out what the agent asks, and places the steps of an agent that is a team itself", () => {
    const nested = forward();
    const form = { title: "", description: "", fields: [] };
    nested.onEvent(event(0, { type: "input-required", request: { requestId: "r", kind: "form", form } }));
    nested.onEvent(start(0, "t", { stepId: "inner" }));
    nested.onEvent(start(0, "t"));
    nested.onEvent(finish(1, ["x"], { stepId: "inner" }));
    expect(nested.log.events("run").map((one) => [one.type, one.stepId])).toEqual([
      ["text-start", "s/inner"],
      ["text-start", "s"],
      ["finish", "s/inner"],
    ]);
    expect(nested.answerItems()).toEqual([]);
  });
});
