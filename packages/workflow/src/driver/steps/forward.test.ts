import {
  EMPTY_RESPONSE,
  EVENT_VERSION,
  type AgentEvent,
  type AgentEventBody,
  type Clock,
} from "@troupe/stream";
import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { memoryEventLog } from "../../testing/index.ts";
import { AHEAD, TELL_LIMITS } from "../limits/tell-limits.ts";
import { eventAttempt, forwarder } from "./forward.ts";
import type { ToldText } from "./told-text.ts";

function event(seq: number, body: AgentEventBody, at: Partial<AgentEvent> = {}): AgentEvent {
  return { ...({ v: EVENT_VERSION, runId: "task", seq, attempt: 1, agent: "x", ...at } as const), ...body };
}
const start = (seq: number, itemId: string, at: Partial<AgentEvent> = {}): AgentEvent =>
  event(seq, { type: "text-start", itemId, role: "open" }, at);
const finish = (seq: number, answerItems: readonly string[], at: Partial<AgentEvent> = {}): AgentEvent =>
  event(seq, { type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems }, at);

function forward(
  options: {
    attempt?: number;
    replies?: number;
    log?: ReturnType<typeof memoryEventLog>;
    told?: ToldText;
    stepId?: string;
    clock?: Clock;
  } = {},
) {
  const log = options.log ?? memoryEventLog();
  const { attempt = 1, replies = 0, stepId = "s" } = options;
  const forwarded = forwarder({
    eventLog: log,
    told: () => options.told ?? new Map(),
    clock: options.clock ?? virtualClock(),
    limits: TELL_LIMITS,
    runId: "run",
    stepId,
    attempt,
    replies,
  });
  const tell = (one: AgentEvent): void => void forwarded.onEvent(one);
  return { log, ...forwarded, tell };
}

describe("forwarder", () => {
  it("puts run, step and attempt on each event and adds none twice when a task is joined again", () => {
    const first = forward();
    for (const one of [start(0, "t"), finish(1, ["t"])]) first.tell(one);
    const again = forward({ log: first.log });
    for (const one of [start(0, "t"), finish(1, ["t"])]) again.tell(one);
    expect(
      first.log.events("run").map(({ runId, stepId, attempt, seq }) => [runId, stepId, attempt, seq]),
    ).toEqual([
      ["run", "s", 1, 0],
      ["run", "s", 1, 1],
    ]);
    expect(again.answerItems()).toEqual(["s/1/t"]);
  });

  it("keeps the events of a step whose name is a word of the run's own keys", () => {
    const { log, tell } = forward({ stepId: "status" });
    log.append("run", "status/1/1", event(0, { type: "step-status", step: "1", state: "in_progress" }));
    tell(start(1, "t"));
    expect(log.events("run").map(({ type }) => type)).toEqual(["step-status", "text-start"]);
  });

  it("counts the agent's own attempts within the step's, later ones always greater", () => {
    const second = forward({ attempt: 2 });
    second.tell(start(0, "a"));
    second.tell(event(1, { type: "attempt-start", reason: "broke", items: ["a"] }, { attempt: 2 }));
    second.tell(start(2, "b", { attempt: 2 }));
    second.tell(finish(3, ["b"], { attempt: 3 }));
    expect(second.log.events("run").map((one) => one.attempt)).toEqual([101, 102, 102, 103]);
    expect(second.answerItems()).toEqual(["s/102/b"]);
    expect(eventAttempt(1, 5_000)).toBeLessThan(eventAttempt(2));
  });

  it("keeps the turn after a reply apart from the one before it", () => {
    const asked = forward();
    asked.tell(start(0, "t"));
    asked.tell(event(1, { type: "tool-start", callId: "c", tool: "x", arguments: {} }));
    const replied = forward({ replies: 1, log: asked.log });
    replied.tell(start(0, "t"));
    replied.tell(event(1, { type: "tool-start", callId: "c", tool: "x", arguments: {} }));
    replied.tell(event(2, { type: "attempt-start", reason: "r", items: ["t"] }));
    replied.tell(event(3, { type: "attempt-start", reason: "r" }));
    replied.tell(finish(4, ["t"]));
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
    nested.tell(event(0, { type: "input-required", request: { requestId: "r", kind: "form", form } }));
    nested.tell(start(0, "t", { stepId: "inner" }));
    nested.tell(start(0, "t"));
    nested.tell(finish(1, ["x"], { stepId: "inner" }));
    expect(nested.log.events("run").map((one) => [one.type, one.stepId])).toEqual([
      ["text-start", "s/inner"],
      ["text-start", "s"],
      ["finish", "s/inner"],
    ]);
    expect(nested.answerItems()).toEqual([]);
  });

  it("lets whoever reads the agent wait, now and then, until what was told is kept", async () => {
    const kept = Promise.withResolvers<void>();
    const log = { ...memoryEventLog(), kept: () => kept.promise };
    const { onEvent } = forward({ log });
    const waits = Array.from({ length: 2 * AHEAD.events }, (_, seq) => onEvent(start(seq, `t${seq}`)));
    expect(waits.flatMap((wait, at) => (wait === undefined ? [] : [at + 1]))).toEqual([
      AHEAD.events,
      2 * AHEAD.events,
    ]);
    expect(waits[AHEAD.events - 1]).toBe(kept.promise);
    const large = event(0, { type: "text-delta", itemId: "t0", delta: "x".repeat(AHEAD.chars / 2) });
    expect([0, 1, 2, 3].map((seq) => onEvent({ ...large, seq }))).toEqual([
      undefined,
      kept.promise,
      undefined,
      kept.promise,
    ]);
  });

  it("lets whoever reads the agent wait for a log that keeps events before the journal while its disk refuses them", async () => {
    const [drained, clock] = [Promise.withResolvers<void>(), virtualClock()];
    const asked: string[] = [];
    const whose = (runId: string): Promise<void> => {
      asked.push(runId);
      return drained.promise;
    };
    const { onEvent } = forward({ log: { ...memoryEventLog(), drained: whose }, clock });
    const waits = Array.from({ length: AHEAD.events }, (_, seq) => onEvent(start(seq, `t${seq}`)));
    let goesOn = false;
    const waiting = Promise.resolve(waits.at(-1)).then(() => (goesOn = true));
    await clock.advance(3_600_000);
    expect([asked, goesOn]).toEqual([["run"], false]);
    drained.resolve();
    await waiting;
  });
});
