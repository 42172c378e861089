import { AgentError } from "@troupe/core";
import type { AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { answer, approval, asking, finish, form, saying } from "./testing/events.ts";
import { manualFrames } from "./testing/manual-frames.ts";
import { renderHook } from "./testing/render.ts";
import { scriptedTransport } from "./testing/scripted-transport.ts";
import { useAgentChat, type UseAgentChatOptions } from "./use-agent-chat.ts";

async function setUp(options: Partial<UseAgentChatOptions> = {}, mode: { readonly strict?: boolean } = {}) {
  const transport = scriptedTransport();
  const { frames, draw } = manualFrames();
  let given: UseAgentChatOptions = { transport, frames, ...options };
  const view = await renderHook(() => useAgentChat(given), mode);
  /** Tells something, and renders. */
  const tell = async (...bodies: readonly AgentEventBody[]): Promise<void> => {
    await view.act(() => transport.reading.tell(...bodies));
    await view.act(draw);
  };
  return {
    transport,
    view,
    tell,
    draw,
    give: (more: Partial<UseAgentChatOptions>) => (given = { ...given, ...more }),
  };
}

describe("useAgentChat", () => {
  it("renders an answer while it grows, once a frame", async () => {
    const { transport, view, tell, draw } = await setUp();
    expect(view.current).toMatchObject({ status: "idle", items: [], content: "" });
    await view.act(() => view.current.send("How high is it?"));
    expect(view.current.status).toBe("running");
    const before = view.renders;
    await view.act(() => transport.reading.tell(...saying("a", "It ", "is ", "2.4 m.")));
    expect([view.renders, view.current.content]).toEqual([before, ""]);
    await view.act(draw);
    expect([view.renders, view.current.content]).toEqual([before + 1, "It is 2.4 m."]);
    await tell(finish("It is 2.4 m."));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "idle", turns: [{ text: "How high is it?" }] });
  });

  it("stops the task, not only the reading", async () => {
    const { transport, view, tell } = await setUp();
    await view.act(() => view.current.send("Go"));
    await tell(...saying("a", "On my w"));
    await view.act(() => view.current.stop());
    expect([transport.canceled, transport.reading.aborted]).toEqual([["t1"], false]);
    await tell(finish("", "canceled"));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "idle", turns: [{ state: { outcome: "canceled" } }] });
  });

  it("takes something else that is sent while the agent works", async () => {
    const { transport, view, tell } = await setUp();
    await view.act(() => view.current.send("One"));
    await tell(...saying("a", "On"));
    await view.act(() => view.current.send("Two"));
    expect(view.current.queued).toEqual(["Two"]);
    await tell(finish("", "canceled"));
    await tell(...answer("2"));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "idle", content: "2", queued: [] });
  });

  it("replies to a form and to an approval", async () => {
    const { transport, view, tell } = await setUp();
    await view.act(() => view.current.send("Delete it"));
    await tell(...asking(form));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "input-required", requests: [form] });
    await view.act(() => view.current.reply({ requestId: "f1", values: { year: 2026 } }));
    await tell(...asking(approval));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "input-required", requests: [approval] });
    const decisions = [{ callId: "c1", type: "reject", reason: "not that one" }] as const;
    await view.act(() => view.current.reply({ requestId: "p1", decisions }));
    await tell(...answer("Left alone."));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "idle", content: "Left alone." });
    expect(transport.sent.map(({ reply }) => reply?.requestId)).toEqual([undefined, "f1", "p1"]);
    expect(() => view.current.reply({ requestId: "p1", decisions })).toThrow(/Nobody asks/);
  });

  it("shows an error, and tries again", async () => {
    const { transport, view, tell } = await setUp();
    await view.act(() => view.current.send("One"));
    await view.act(() =>
      transport.reading.fail(new AgentError("agent.unreachable", "It cannot be reached.")),
    );
    expect(view.current).toMatchObject({ status: "error", error: { message: "It cannot be reached." } });
    await view.act(() => view.current.resend());
    await tell(...answer("1"));
    await view.act(() => transport.reading.end());
    expect(view.current).toMatchObject({ status: "idle", content: "1" });
    expect(view.current.error).toBeUndefined();
  });

  it("resumes a thread: what has ended is read, what runs is followed", async () => {
    const { transport, view, tell } = await setUp({
      threadId: "talk",
      tasks: [{ taskId: "old" }, { taskId: "now" }],
    });
    await tell(...answer("1"));
    await tell(...saying("a", "2 is st"));
    expect(view.current).toMatchObject({ status: "running", content: "2 is st", threadId: "talk" });
    expect([transport.joined, transport.sent]).toEqual([["old", "now"], []]);
  });

  it("ends the reading and no task when it is unmounted, and another one takes the task up", async () => {
    const { transport, view, tell } = await setUp();
    await view.act(() => view.current.send("Go"));
    await tell(...saying("a", "On my w"));
    const { threadId, turns } = view.current;
    const { reading } = transport;
    await view.unmount();
    expect([reading.aborted, transport.canceled]).toEqual([true, []]);
    const { taskId = "" } = turns[0] ?? {};
    const { frames, draw } = manualFrames();
    const next = await renderHook(() =>
      useAgentChat({ transport, frames, threadId, tasks: [{ taskId, text: "Go" }] }),
    );
    await next.act(() => transport.reading.tell(...answer("On my way.")));
    await next.act(() => transport.reading.end());
    await next.act(draw);
    expect(next.current).toMatchObject({ status: "idle", content: "On my way." });
    expect(transport.joined).toEqual(["t1"]);
  });

  it("is mounted twice by StrictMode without asking, reading or canceling twice", async () => {
    const { transport, view, tell } = await setUp(
      { threadId: "talk", tasks: [{ taskId: "old" }] },
      { strict: true },
    );
    // The first reading was called off with the first mount.
    expect(transport.joined).toEqual(["old", "old"]);
    await tell(...answer("1"));
    await view.act(() => transport.reading.end());
    await view.act(() => view.current.send("Two"));
    await tell(...answer("2"));
    await view.act(() => transport.reading.end());
    expect(view.current.turns.map((turn) => turn.state.content)).toEqual(["1", "2"]);
    expect([transport.sent.length, transport.canceled]).toEqual([1, []]);
  });

  it("changes to another thread with its id, and keeps to the first options otherwise", async () => {
    const { transport, view, tell, give } = await setUp({ threadId: "one" });
    await view.act(() => view.current.send("Go"));
    await tell(...saying("a", "On my w"));
    const { reading } = transport;
    give({ threadId: "two" });
    await view.mount();
    expect(view.current).toMatchObject({ threadId: "two", turns: [], status: "idle" });
    expect([reading.aborted, transport.canceled]).toEqual([true, []]);
    const { send } = view.current;
    give({ whileRunning: "queue" });
    await view.mount();
    expect(view.current.send).toBe(send);
  });

  it("says what it needs", async () => {
    const nothing: UseAgentChatOptions = {};
    await expect(renderHook(() => useAgentChat(nothing))).rejects.toThrow(
      /needs a url, a connect or a transport/,
    );
  });
});
