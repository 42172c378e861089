import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { readCaptureLine } from "../capture/capture-line.ts";
import { createTracer } from "./create-tracer.ts";
import type { Trace } from "./trace.ts";

/** Events of 1.0 without an envelope, and when they came. */
type Timed = readonly [t: number, event: object];

function traced(...events: readonly Timed[]): Trace {
  const tracer = createTracer();
  for (const [t, event] of events) tracer.push({ t, raw: JSON.stringify(event), bytes: 1 });
  tracer.push({ t: (events.at(-1)?.[0] ?? 0) + 1, end: "closed" });
  return tracer.trace();
}

const artifact = (artifactId: string, name: string, text: string, more: object = {}): object => ({
  artifactId,
  name,
  parts: [{ text }],
  ...more,
});
const update = (
  id: string,
  text: string,
  { name = "answer", metadata = {}, append = true } = {},
): object => ({
  artifactUpdate: { taskId: "t", artifact: artifact(id, name, text, { metadata }), append },
});
const streaming = (id: string, text: string, metadata: object, append = true): object =>
  update(id, text, { name: "streaming_result", metadata, append });
const status = (state: string, text = "", metadata: object = {}): object => ({
  statusUpdate: {
    taskId: "t",
    metadata,
    status: {
      state: `TASK_STATE_${state}`,
      ...(text === "" ? {} : { message: { messageId: "", role: "ROLE_AGENT", parts: [{ text }] } }),
    },
  },
});
const narration = { is_narration: true };
const answer = { is_final_answer: true };

describe("an agent that flags its texts", () => {
  it("has a first narration, a first answer token, and an answer that came gradually", () => {
    const trace = traced(
      [100, streaming("a", "I look. ", narration, false)],
      [500, update("c", "search", { name: "tool_notification_start" })],
      [900, streaming("a", "Par", answer)],
      [1_000, streaming("a", "is.", answer)],
      [1_300, update("r", "Paris.", { name: "final_result", append: false })],
      [1_400, status("COMPLETED")],
    );
    expect(trace).toMatchObject({
      firstEvent: 100,
      firstText: 100,
      firstNarration: 100,
      firstTool: { t: 500, name: "search" },
      firstAnswer: 900,
      end: 1_400,
      outcome: "completed",
      longestSilence: { ms: 400, from: { t: 100 }, to: { t: 500 } },
      answer: { role: "answer", text: "Paris.", characters: 6, gradual: 3 },
    });
    expect(trace.artifacts[0]).toMatchObject({
      id: "a",
      role: "narration, answer",
      chunks: 3,
      characters: 14,
    });
  });

  it.each([
    ["of one length", "It is 7 [7]. Later 8 [8] and [7].", "It is 7 [1]. Later 8 [2] and [1]."],
    ["shorter", "It is 7 [10]. Later 8 [find/11].", "It is 7 [1]. Later 8 [2]."],
    ["longer", "It is 7 [7]. Later 8 [8].", "It is 7 [10]. Later 8 [11]."],
  ])("came gradually where its sources are numbered anew at the end, %s", (_, said, result) => {
    const half = said.indexOf("Later");
    const trace = traced(
      [100, streaming("a", said.slice(0, half), answer, false)],
      [900, streaming("a", said.slice(half), answer)],
      [1_300, update("r", result, { name: "final_result", append: false })],
      [1_400, status("COMPLETED")],
    );
    const gradual = result.indexOf("Later");
    expect(trace.answer).toMatchObject({ text: result, characters: result.length, gradual });
  });

  it("whose narration turned out to be the answer is taken at its result", () => {
    const trace = traced(
      [100, streaming("a", "The capital ", narration, false)],
      [200, streaming("a", "is Paris", narration)],
      [600, update("r", "The capital is Paris.", { name: "final_result", append: false })],
      [600, status("COMPLETED")],
    );
    expect(trace).toMatchObject({
      firstAnswer: 100,
      firstNarration: null,
      answer: { role: "answer", gradual: 20 },
    });
  });

  it("that takes back what it flagged as the answer has begun with what it kept", () => {
    const trace = traced(
      [100, streaming("a", "Rome, I think.", answer, false)],
      [500, streaming("b", "\nParis, ", answer, false)],
      [600, streaming("b", "surely.", answer)],
      [700, update("r", "Paris, surely. Ask again.", { name: "final_result", append: false })],
      [700, status("COMPLETED")],
    );
    expect(trace).toMatchObject({
      answer: { text: "Paris, surely. Ask again.", gradual: 14 },
      firstAnswer: 500,
    });
  });

  it("that sends its result only has streamed nothing of it", () => {
    const data = { content: "Paris.", is_task_complete: true };
    const result = { artifactId: "r", name: "partial_result", parts: [{ data }] };
    const trace = traced(
      [100, streaming("a", "I look.", narration, false)],
      [900, { artifactUpdate: { taskId: "t", artifact: result } }],
      [901, status("COMPLETED")],
    );
    expect(trace).toMatchObject({
      outcome: "partial",
      firstNarration: 100,
      firstAnswer: 900,
      answer: { text: "Paris.", gradual: 0 },
    });
  });

  it("is not judged by its wording", () => {
    const trace = traced(
      [1, streaming("a", "✅ Backup completed. 🔧 Calling support is next", answer, false)],
      [2, status("COMPLETED")],
    );
    expect(trace).toMatchObject({ tools: 0, firstTool: null, answer: { role: "answer" } });
  });
});

describe("an agent that tells no roles", () => {
  it("has texts, of which artifacts go before what is said on the way", () => {
    const trace = traced(
      [10, status("WORKING", "Looking up the rates...")],
      [500, update("a", "one ", { append: false })],
      [600, update("a", "two")],
      [700, status("COMPLETED")],
    );
    expect(trace).toMatchObject({
      firstText: 10,
      firstNarration: null,
      firstAnswer: null,
      answer: { role: "text", text: "one two", gradual: 4 },
    });
  });

  it.each([
    ["piece by piece", ["Hel", "lo ", "world"], ""],
    ["all of it each time", ["Hel", "Hello ", "Hello world"], ""],
    ["all of it again at the end", ["Hel", "lo ", "world"], "Hello world"],
    ["the last piece at the end", ["Hel", "lo "], "world"],
  ])("streams by states: %s", (_, pieces, last) => {
    const trace = traced(...pieces.map((text, i): Timed => [100 * (i + 1), status("WORKING", text)]), [
      400,
      status("COMPLETED", last),
    ]);
    expect(trace.answer).toEqual({
      role: "text",
      text: "Hello world",
      characters: 11,
      gradual: 6,
    });
  });

  it("that sends the whole text anew each time has streamed what was new of it", () => {
    const trace = traced(
      [100, update("a", "Hel", { append: false })],
      [200, update("a", "Hello", { append: false })],
      [300, status("COMPLETED")],
    );
    expect(trace.answer).toMatchObject({ text: "Hello", gradual: 3 });
    expect(trace.violations).toContainEqual({ rule: "create-known", artifactId: "a", at: 1 });
  });

  it("that begins anew has said what it said last", () => {
    const trace = traced(
      [100, update("a", "Wrong", { append: false })],
      [200, update("a", "Right", { append: false })],
    );
    expect(trace).toMatchObject({
      firstText: 100,
      outcome: "unfinished",
      answer: { text: "Right", gradual: 0 },
    });
  });

  it("asks or fails: its question and its error are no answer", () => {
    expect(traced([5, status("INPUT_REQUIRED", "Which year?")])).toMatchObject({
      outcome: "input-required",
      error: "Which year?",
      answer: { text: "" },
      firstText: null,
    });
    expect(traced([5, status("FAILED", "no disk")])).toMatchObject({ outcome: "failed", error: "no disk" });
    expect(traced([5, { error: { code: -32001, message: "gone" } }])).toMatchObject({
      error: "gone (-32001)",
    });
  });
});

it("the steps of a plan have their times and their last state", () => {
  const plan = (docs: string, deck: string): object => ({
    artifactUpdate: {
      taskId: "t",
      artifact: {
        artifactId: "p",
        name: "execution_plan_update",
        parts: [
          {
            data: {
              steps: [
                { step_id: "docs", agent: "rag", status: docs },
                { step_id: "deck", agent: "ppt", status: deck },
              ],
            },
          },
        ],
      },
    },
  });
  const trace = traced(
    [10, plan("pending", "pending")],
    [20, plan("in_progress", "pending")],
    [50, plan("completed", "pending")],
  );
  expect(trace.plan).toEqual([
    { id: "docs", agent: "rag", title: "", state: "completed", started: 20, ended: 50 },
    { id: "deck", agent: "ppt", title: "", state: "pending", started: null, ended: null },
  ]);
});

it("an event that was cut is counted, and not looked into", () => {
  const tracer = createTracer();
  tracer.push({ t: 1, raw: '{"statusUpdate"', bytes: 50_000_000, cut: true });
  expect(tracer.trace()).toMatchObject({
    of: null,
    events: 1,
    cut: 1,
    unreadable: 0,
    bytes: 50_000_000,
    ending: null,
  });
});

describe("a capture of a released form", () => {
  const read = (name: string): Trace => {
    const tracer = createTracer();
    const text = readFileSync(new URL(`fixtures/${name}.ndjson`, import.meta.url), "utf8");
    for (const line of text.trimEnd().split("\n")) {
      const record = readCaptureLine(line);
      if (record !== undefined) tracer.push(record);
    }
    return tracer.trace();
  };

  it.each([
    ["own-1.0-jsonrpc", 15, 68, 329, 632],
    ["own-1.0-rest", 4, 55, 317, 619],
    ["own-0.3", 5, 56, 317, 619],
  ])("%s", (name, firstNarration, tool, firstAnswer, end) => {
    expect(read(name)).toMatchObject({
      firstNarration,
      firstTool: { t: tool, name: "search" },
      firstAnswer,
      end,
      outcome: "completed",
      ending: "closed",
      answer: { role: "answer", text: "It is 68.0 °F.", characters: 14, gradual: 11 },
      plan: [{ id: "docs", state: "completed" }],
      violations: [],
    });
  });

  it.each([
    ["plain-1.0", "stream", 5, 42],
    ["plain-1.0-not-streaming", "send", 12, 12],
  ])("%s", (name, delivery, firstText, end) => {
    expect(read(name)).toMatchObject({
      delivery,
      firstText,
      firstAnswer: null,
      end,
      outcome: "completed",
      answer: { role: "text", text: "It is 68.0 °F.", gradual: 0 },
    });
  });

  it("killed: what is there is told", () => {
    expect(read("killed")).toMatchObject({
      events: 3,
      outcome: "unfinished",
      ending: null,
      end: null,
      firstText: 15,
    });
  });
});

it.each(["one name", "names of their own"])(
  "takes any number of artifacts with %s in their time",
  (which) => {
    const own = (n: number): object => ({
      is_narration: true,
      "urn:troupe:a2a:events:v1": {
        v: 1,
        kind: "text",
        itemId: which === "one name" ? "t" : `t${n}`,
        attempt: 1,
        born: "open",
      },
    });
    const many = Array.from(
      { length: 40_000 },
      (_, n) => [n, streaming(`a${n}`, "x", own(n), false)] as const,
    );
    const { artifacts, events } = traced(...many, [40_000, status("COMPLETED")]);
    expect([artifacts.length, events]).toEqual([40_000, 40_001]);
    // Later attempts go by the name of earlier ones, which are narration then.
    expect(artifacts[0]?.role).toBe(which === "one name" ? "narration" : "text");
  },
);
