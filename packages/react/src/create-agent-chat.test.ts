import { AgentError } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import type { AgentChatOptions } from "./agent-chat.ts";
import { createAgentChat } from "./create-agent-chat.ts";
import { answer, approval, asking, finish, form, saying } from "./testing/events.ts";
import { manualFrames, settle } from "./testing/manual-frames.ts";
import { scriptedTransport } from "./testing/scripted-transport.ts";

/** A clock whose timers run when the test says that time is over. */
function timers() {
  const waiting = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    schedule(_ms, fn) {
      waiting.add(fn);
      return () => waiting.delete(fn);
    },
    sleep: () => Promise.resolve(),
  };
  return {
    clock,
    async expire() {
      for (const fn of waiting) {
        waiting.delete(fn);
        fn();
      }
      await settle();
    },
    get waiting() {
      return waiting.size;
    },
  };
}

function setUp(options: Partial<AgentChatOptions> = {}) {
  const transport = scriptedTransport();
  const { frames, draw } = manualFrames();
  const time = timers();
  let ids = 0;
  const chat = createAgentChat({
    transport,
    frames,
    clock: time.clock,
    newId: () => `id${++ids}`,
    ...options,
  });
  /** What the state is once everything that was told has arrived. */
  const state = async () => {
    await settle();
    draw();
    return chat.getState();
  };
  return { chat, transport, state, draw, time };
}

const gone = new AgentError("agent.unreachable", "The agent cannot be reached. Is it running?", {
  retryable: true,
});

describe("a chat", () => {
  it("sends, shows the answer while it grows, and goes on in the same thread", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    expect(await state()).toMatchObject({ status: "idle", turns: [], threadId: "id1" });
    chat.send("How high is it?");
    expect(await state()).toMatchObject({ status: "running", turns: [{ text: "How high is it?" }] });
    transport.reading.tell(...saying("a", "It is", " 2.4"));
    expect(await state()).toMatchObject({ status: "running", content: "It is 2.4" });
    transport.reading.tell({ type: "text-delta", itemId: "a", delta: " m." }, finish("It is 2.4 m."));
    transport.reading.end();
    expect(await state()).toMatchObject({
      status: "idle",
      content: "It is 2.4 m.",
      items: [{ role: "answer" }],
    });
    chat.send("And now?");
    transport.reading.tell(...answer("The same."));
    transport.reading.end();
    expect((await state()).turns.map((turn) => turn.state.content)).toEqual(["It is 2.4 m.", "The same."]);
    expect(transport.sent).toMatchObject([{ threadId: "id1", text: "How high is it?" }, { threadId: "id1" }]);
    expect(transport.sent[1]).not.toHaveProperty("taskId");
  });

  it("tells of changes once a frame, and of the end at once", async () => {
    const { chat, transport, draw } = setUp();
    chat.connect();
    chat.send("Go");
    let told = 0;
    const leave = chat.subscribe(() => told++);
    transport.reading.tell(...saying("a", "many ", "small ", "pieces"));
    await settle();
    expect([told, chat.getState().content]).toEqual([0, ""]);
    draw();
    expect([told, chat.getState().content]).toEqual([1, "many small pieces"]);
    transport.reading.tell(finish("many small pieces"));
    transport.reading.end();
    await settle();
    expect([told, chat.getState().status]).toEqual([2, "idle"]);
    leave();
    chat.send("More");
    expect(told).toBe(2);
  });

  it("goes on when a turn has ended, also where its transport does not, or says more than that", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.tell(...answer("1"), ...saying("late", "and more"));
    expect(await state()).toMatchObject({ status: "idle", content: "1" });
    chat.send("Two");
    expect(transport.sent[1]).toMatchObject({ text: "Two" });
    expect(transport.canceled).toEqual([]);
    transport.reading.tell(...answer("2"));
    expect(await state()).toMatchObject({ status: "idle", queued: [], content: "2" });
    chat.send("Three");
    transport.reading.tell(...asking(form));
    await settle();
    chat.reply({ requestId: "f1", values: {} });
    expect(transport.sent[3]).toMatchObject({ reply: { requestId: "f1" }, taskId: "t3" });
  });

  it("cancels what runs when something else is sent, and sends it once that has ended", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.tell(...saying("a", "On"));
    chat.send("Two");
    chat.send("Three");
    expect(await state()).toMatchObject({ status: "running", queued: ["Two", "Three"] });
    expect(transport.canceled).toEqual(["t1"]);
    transport.reading.tell(finish("", "canceled"));
    transport.reading.end();
    expect(await state()).toMatchObject({
      turns: [{ text: "One", state: { outcome: "canceled" } }, { text: "Two" }],
      queued: ["Three"],
    });
    transport.reading.tell(...answer("2"));
    transport.reading.end();
    await settle();
    transport.reading.tell(...answer("3"));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "idle", content: "3", queued: [] });
    expect(transport.canceled).toEqual(["t1"]);
  });

  it("waits for the end of what runs instead, when it is told to", async () => {
    const { chat, transport, state } = setUp({ whileRunning: "queue" });
    chat.connect();
    chat.send("One");
    chat.send("Two");
    transport.reading.tell(...answer("1"));
    transport.reading.end();
    await settle();
    transport.reading.tell(...answer("2"));
    transport.reading.end();
    expect((await state()).turns.map((turn) => turn.state.content)).toEqual(["1", "2"]);
    expect(transport.canceled).toEqual([]);
  });

  it("stops the task, also one that is named later, and forgets what is queued", async () => {
    const { chat, transport, state, time } = setUp({ whileRunning: "queue" });
    chat.connect();
    chat.send("One");
    chat.send("Two");
    chat.stop();
    chat.stop();
    expect(transport.canceled).toEqual([]);
    transport.reading.name();
    expect(await state()).toMatchObject({ queued: [], status: "running" });
    expect(transport.canceled).toEqual(["t1"]);
    transport.reading.tell(finish("", "canceled"));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "idle", turns: [{ state: { outcome: "canceled" } }] });
    expect(time.waiting).toBe(0);
  });

  it("calls a task canceled that took the cancel and does not end, and goes on", async () => {
    const { chat, transport, state, time } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.tell(...saying("a", "half an an"), {
      type: "step-status",
      step: "s",
      state: "in_progress",
    });
    const { reading } = transport;
    chat.send("Two");
    await settle();
    await time.expire();
    expect(reading.aborted).toBe(true);
    const { turns } = await state();
    expect(turns[0]?.state).toMatchObject({
      outcome: "canceled",
      items: [{ text: "half an an", role: "narration" }, { steps: { s: { state: "canceled" } } }],
    });
    expect(transport.sent.map(({ text }) => text)).toEqual(["One", "Two"]);
  });

  it("does not call canceled what could not be canceled, and can read on", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.tell(...saying("a", "On"));
    await settle();
    transport.failCancel(gone);
    chat.stop();
    expect(await state()).toMatchObject({ status: "error", error: { code: "agent.unreachable" } });
    chat.resend();
    expect(await state()).toMatchObject({ status: "running", content: "On" });
    expect(transport.joined).toEqual(["t1"]);
    transport.reading.tell(...answer("One."));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "idle", content: "One." });
  });

  it("says what went wrong, and sends the same message again", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.fail(gone);
    expect(await state()).toMatchObject({ status: "error", error: { code: "agent.unreachable" } });
    chat.resend();
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "error", error: { code: "chat.cut-off" } });
    chat.resend();
    transport.reading.fail(new Error("secret of the inside"));
    const { error } = await state();
    expect(error).toMatchObject({ code: "agent.internal" });
    expect(error?.message).not.toContain("secret");
    expect(new Set(transport.sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it("asks anew when the agent forgot the task", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    transport.reading.tell(...saying("a", "On"));
    await settle();
    transport.reading.fail(new AgentError("agent.task-lost", "The agent does not know the task (any more)."));
    expect(await state()).toMatchObject({ status: "error", error: { code: "agent.task-lost" } });
    chat.resend();
    expect(await state()).toMatchObject({ status: "running", turns: [{ text: "One" }, { text: "One" }] });
    expect([transport.joined, transport.sent.length]).toEqual([[], 2]);
  });

  it("asks anew after the agent itself failed", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.resend();
    chat.send("One");
    transport.reading.tell(finish("", "failed"));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "error", error: { code: "model.refused" } });
    chat.resend();
    transport.reading.tell(...answer("1"));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "idle", turns: [{ text: "One" }, { text: "One" }] });
    expect(new Set(transport.sent.map(({ messageId }) => messageId)).size).toBe(2);
  });
});

describe("a chat that is asked", () => {
  it("replies to a form within the task, whose plan goes on", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("Make it");
    transport.reading.tell({ type: "step-status", step: "ask", state: "input_required" }, ...asking(form));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "input-required", requests: [form] });
    const reply = { requestId: "f1", values: { year: 2026 } };
    chat.reply(reply);
    expect(() => chat.reply(reply)).toThrow(/Nobody asks for "f1"/);
    expect(await state()).toMatchObject({ status: "running", requests: [] });
    transport.reading.tell(
      { type: "step-status", step: "ask", state: "completed" },
      ...answer("Made for 2026."),
    );
    transport.reading.end();
    expect(await state()).toMatchObject({
      status: "idle",
      content: "Made for 2026.",
      turns: [{ text: "Make it" }, { reply, taskId: "t1" }],
      items: [{ kind: "plan", steps: { ask: { state: "completed" } } }, { kind: "message" }],
    });
    expect(transport.sent[1]).toMatchObject({ taskId: "t1", reply });
  });

  it("replies to an approval, in words to a question, and gives up what waits", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("Delete it");
    transport.reading.tell(...asking(approval));
    transport.reading.end();
    await settle();
    const reply = { requestId: "p1", decisions: [{ callId: "c1", type: "approve" }] } as const;
    chat.reply(reply);
    transport.reading.tell(...asking(form));
    transport.reading.end();
    await settle();
    chat.send("2026");
    transport.reading.tell(...asking({ ...form, requestId: "f2" }));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "input-required", requests: [{ requestId: "f2" }] });
    expect(transport.sent.map(({ taskId }) => taskId)).toEqual([undefined, "t1", "t1"]);
    chat.stop();
    expect(await state()).toMatchObject({
      status: "idle",
      requests: [],
      turns: [{}, {}, { state: { outcome: "canceled" } }],
    });
    expect(transport.canceled).toEqual(["t1"]);
  });

  it("takes nothing for an answer that was written before it asked", async () => {
    const { chat, transport, state } = setUp({ whileRunning: "queue" });
    chat.connect();
    chat.send("Make it");
    chat.send("And then send it");
    transport.reading.tell(...asking(form));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "input-required", queued: ["And then send it"] });
    chat.resend();
    expect(transport.sent).toHaveLength(1);
    chat.send("2026");
    expect(transport.sent[1]).toMatchObject({ text: "2026", taskId: "t1" });
    transport.reading.tell(...answer("Made."));
    transport.reading.end();
    await settle();
    expect(transport.sent[2]).toMatchObject({ text: "And then send it" });
    expect(transport.sent[2]).not.toHaveProperty("taskId");
  });

  it("goes on waiting for what could not be canceled", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("Delete it");
    transport.reading.tell(...asking(approval));
    transport.reading.end();
    await settle();
    transport.failCancel(gone);
    chat.stop();
    expect(await state()).toMatchObject({ status: "error", requests: [approval] });
    chat.resend();
    expect(await state()).toMatchObject({ status: "input-required", requests: [approval] });
  });
});

describe("a thread that was there before", () => {
  it("is read task by task, and what still runs is followed", async () => {
    const { chat, transport, state } = setUp({ threadId: "talk" });
    transport.list([
      { taskId: "old", text: "First" },
      { taskId: "now", text: "Second" },
    ]);
    expect(await state()).toMatchObject({ status: "running", turns: [] });
    chat.connect();
    expect(await state()).toMatchObject({ turns: [{ text: "First" }, { text: "Second" }] });
    transport.reading.tell(...answer("1"));
    transport.reading.end();
    await settle();
    transport.reading.tell(...saying("a", "2 is still"));
    expect(await state()).toMatchObject({ status: "running", content: "2 is still", threadId: "talk" });
    expect(transport.joined).toEqual(["old", "now"]);
    expect(transport.sent).toEqual([]);
  });

  it("is known by its tasks, without asking for them", async () => {
    const { chat, transport, state } = setUp({ threadId: "talk", tasks: [{ taskId: "now" }] });
    transport.list([{ taskId: "other" }]);
    chat.connect();
    await settle();
    transport.reading.fail(new AgentError("agent.task-lost", "The agent does not know the task (any more)."));
    expect(await state()).toMatchObject({ status: "error", error: { code: "agent.task-lost" } });
    expect(transport.joined).toEqual(["now"]);
  });

  it("goes on without its past where the agent lists no tasks, and says when it is gone", async () => {
    const silent = setUp({ threadId: "talk" });
    silent.transport.list(new AgentError("agent.protocol", "The agent refused the call."));
    silent.chat.connect();
    expect(await silent.state()).toMatchObject({ status: "idle" });

    const { chat, transport, state } = setUp({ threadId: "talk" });
    transport.list(gone);
    chat.connect();
    expect(await state()).toMatchObject({ status: "error", error: { code: "agent.unreachable" } });
    transport.list([{ taskId: "old" }]);
    chat.resend();
    await settle();
    expect(transport.joined).toEqual(["old"]);
  });

  it("is taken up where it was left, by joining its task or by the same message", async () => {
    const { chat, transport, state } = setUp();
    chat.connect();
    chat.send("One");
    const first = transport.reading;
    chat.disconnect();
    expect(first.aborted).toBe(true);
    chat.connect();
    transport.reading.tell(...saying("a", "half"));
    await settle();
    chat.disconnect();
    expect((await state()).content).toBe("half");
    chat.connect();
    expect(await state()).toMatchObject({ status: "running", content: "half" });
    transport.reading.tell(...answer("half and half"));
    transport.reading.end();
    expect(await state()).toMatchObject({ status: "idle", content: "half and half" });
    expect(transport.sent.map(({ messageId }) => messageId)).toEqual(["id2", "id2"]);
    expect([transport.joined, transport.canceled]).toEqual([["t2"], []]);
  });
});
