import { TaskState, type Message, type Part } from "@a2a-js/sdk";
import { AgentEvent as SdkEvent } from "@a2a-js/sdk/server";
import type { Delegation } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import {
  answering,
  artifactExecutor,
  collect,
  messageExecutor,
  scriptedAgent,
  servePlainAgent,
  withServed,
} from "../testing/index.ts";
import { agentMessage, artifactOf, dataPart, filePart, textOf, textPart } from "../wire/parts.ts";
import { connectAgent } from "./index.ts";

const signal = new AbortController().signal;

/** Every item with its text and role, and how it ended. */
function told(events: readonly AgentEvent[]): unknown {
  const items = new Map<string, { text: string; role: string }>();
  for (const event of events) {
    if (event.type === "text-start") items.set(event.itemId, { text: "", role: event.role });
    const item = "itemId" in event ? items.get(event.itemId) : undefined;
    if (event.type === "text-delta" && item !== undefined) item.text += event.delta;
    if (event.type === "text-role" && item !== undefined) item.role = event.role;
  }
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  return { items: [...items.values()], outcome: finish.outcome, content: finish.response.content };
}

describe("connecting", () => {
  it.each([
    ["not an address", "agent.config"],
    ["ftp://127.0.0.1", "agent.config"],
    ["http://127.0.0.1:1", "agent.unreachable"],
  ])("to %s fails with %s", async (url, code) => {
    await expect(connectAgent(url)).rejects.toMatchObject({ code });
  });

  it("names the address that was tried where the card says another than its own", async () => {
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent, publicUrl: "http://127.0.0.1:1/team" }, async ({ url }) => {
      const remote = await connectAgent(url);
      await expect(remote.send({ text: "hi" }, { signal })).rejects.toMatchObject({
        code: "agent.unreachable",
        message: expect.stringMatching(
          new RegExp(`at http://127\\.0\\.0\\.1:1/team\\S*, as its card at ${url} has it, cannot be reached`),
        ) as unknown,
      });
    });
  });

  it("to something that is no agent says so", async () => {
    const answer =
      (body: string, status = 200): typeof fetch =>
      () =>
        Promise.resolve(new Response(body, { status }));
    const connecting = (fetchImpl: typeof fetch): Promise<unknown> =>
      connectAgent("http://127.0.0.1:1", { fetch: fetchImpl });
    await expect(connecting(answer("<html>"))).rejects.toMatchObject({ code: "agent.protocol" });
    await expect(connecting(answer("{}"))).rejects.toMatchObject({ code: "agent.protocol" });
    await expect(connecting(answer('{"name":"x"}'))).rejects.toMatchObject({ code: "agent.protocol" });
    await expect(connecting(answer("", 404))).rejects.toMatchObject({ code: "agent.unreachable" });
  });

  it("keeps the caller's reason when the caller aborts", async () => {
    const reason = new Error("never mind");
    await withServed({ agent: scriptedAgent(() => answering(["x"])) }, async ({ url }) => {
      await expect(connectAgent(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const remote = await connectAgent(url);
      await expect(collect(remote.stream({ text: "x" }, { signal: AbortSignal.abort(reason) }))).rejects.toBe(
        reason,
      );
    });
  });
});

describe("a task that is gone", () => {
  it("is reported as lost", async () => {
    await withServed({ agent: scriptedAgent(() => answering(["x"])) }, async ({ url }) => {
      const remote = await connectAgent(url);
      await expect(collect(remote.join("nobody", { signal }))).rejects.toMatchObject({
        code: "agent.task-lost",
      });
      await expect(remote.cancel("nobody")).rejects.toMatchObject({ code: "agent.task-lost" });
      await expect(collect(remote.join("message:gone", { signal }))).rejects.toMatchObject({
        code: "agent.task-lost",
      });
    });
  });
});

describe("a broken connection", () => {
  /** Breaks the first stream in the middle of its body, after `frames` frames. */
  function breaking(frames: number): typeof fetch {
    let broken = false;
    return async (input, init) => {
      const response = await fetch(input, init);
      const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
      if (!streamed || broken || response.body === null) return response;
      broken = true;
      let seen = 0;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk);
          seen += new TextDecoder().decode(chunk).split("\n\n").length - 1;
          if (seen >= frames) controller.error(new TypeError("terminated"));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    };
  }

  it.each([1, 3])("after %i frames is taken up again without a gap or a repeat", async (frames) => {
    const chunks = Array.from({ length: 60 }, (_, i) => `[${i}]`);
    const agent = scriptedAgent(async function* () {
      for (const body of answering(chunks)) {
        yield body;
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await withServed({ agent, coalesceMs: 0 }, async ({ url }) => {
      const calls: [body: string, lastEventId: string | null][] = [];
      const broken = breaking(frames);
      const noting: typeof fetch = (input, init) => {
        if (typeof init?.body === "string")
          calls.push([init.body, new Headers(init.headers).get("Last-Event-ID")]);
        return broken(input, init);
      };
      const remote = await connectAgent(url, { fetch: noting });
      const events = await collect(remote.stream({ text: "count" }, { signal }));
      // It comes back to where it was, and the whole task is not sent once more.
      expect(calls).toEqual([
        [expect.stringContaining("SendStreamingMessage"), null],
        [expect.stringContaining("SubscribeToTask"), expect.stringMatching(/^[0-9a-f]{12}\.\d+$/)],
      ]);
      expect(told(events)).toEqual({
        items: [{ text: chunks.join(""), role: "answer" }],
        outcome: "completed",
        content: chunks.join(""),
      });
      expect(events.filter((event) => event.type === "text-start")).toHaveLength(1);
      expect(agent.requests).toHaveLength(1);
    });
  });

  it.each(["JSONRPC", "HTTP+JSON"] as const)(
    "over %s brings an answer too large for a stream",
    async (binding) => {
      const text = "x".repeat(5 * 1024 * 1024);
      await withServed({ agent: scriptedAgent(() => answering([text])) }, async ({ url }) => {
        const remote = await connectAgent(url, { binding });
        const events = await collect(remote.stream({ text: "hi" }, { signal }));
        expect(told(events)).toEqual({
          items: [{ text, role: "answer" }],
          outcome: "completed",
          content: text,
        });
      });
    },
  );

  it("is unreachable once the agent stays away", async () => {
    const clock = virtualClock();
    const reached = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* () {
      yield* answering(["x"]).slice(0, 2);
      reached.resolve();
      await new Promise(() => undefined);
    });
    let gone = false;
    const refused: typeof fetch = (input, init) =>
      gone ? Promise.reject(new TypeError("fetch failed")) : fetch(input, init);
    await withServed({ agent, clock }, async ({ url, close }) => {
      const remote = await connectAgent(url, { fetch: refused, clock });
      const { taskId } = await remote.send({ text: "x" }, { signal });
      await reached.promise;
      gone = true;
      const joined = collect(remote.join(taskId, { signal }));
      const failed = joined.catch((error: unknown) => error);
      await clock.advance(10_000);
      expect(await failed).toMatchObject({ code: "agent.unreachable", retryable: true });
      const closing = close();
      await clock.advance(1_000);
      await closing;
    });
  });
});

describe("a foreign agent", () => {
  async function ask(
    plain: Awaited<ReturnType<typeof servePlainAgent>>,
    how: "stream" | "join",
  ): Promise<readonly AgentEvent[]> {
    try {
      const remote = await connectAgent(plain.url);
      if (how === "stream") return await collect(remote.stream({ text: "hi" }, { signal }));
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      return await collect(remote.join(taskId, { signal }));
    } finally {
      await plain.close();
    }
  }

  it.each(["stream", "join"] as const)("that answers by message only (%s)", async (how) => {
    const plain = await servePlainAgent(messageExecutor((text) => `you said ${text}`));
    expect(told(await ask(plain, how))).toEqual({
      items: [{ text: "you said hi", role: "answer" }],
      outcome: "completed",
      content: "you said hi",
    });
  });

  it.each([
    ["stream", "JSONRPC", true],
    ["join", "JSONRPC", true],
    ["stream", "HTTP+JSON", true],
    ["stream", "JSONRPC", false],
  ] as const)("that streams artifacts (%s, %s, streaming %s)", async (how, binding, streaming) => {
    const executor = artifactExecutor([
      { artifactId: "a", text: "one " },
      { artifactId: "a", text: "two", append: true },
    ]);
    const plain = await servePlainAgent(executor, { binding, streaming });
    expect(told(await ask(plain, how))).toEqual({
      items: [{ text: "one two", role: "answer" }],
      outcome: "completed",
      content: "one two",
    });
  });

  it("that flags its texts: narration is not the answer, and both flags mean the answer", async () => {
    const executor = artifactExecutor([
      { artifactId: "n", name: "streaming_result", text: "thinking", metadata: { is_narration: true } },
      { artifactId: "t", name: "tool_notification_start", text: "Calling search" },
      {
        artifactId: "f",
        name: "streaming_result",
        text: "42",
        metadata: { is_narration: true, is_final_answer: true },
      },
      { artifactId: "r", name: "final_result", text: "42" },
    ]);
    expect(told(await ask(await servePlainAgent(executor), "stream"))).toEqual({
      items: [
        { text: "thinking", role: "narration" },
        { text: "Calling search", role: "narration" },
        { text: "42", role: "answer" },
      ],
      outcome: "completed",
      content: "42",
    });
  });

  it("that says its answer only in a result, or only in the last status", async () => {
    const result = artifactExecutor([{ artifactId: "r", name: "partial_result", text: "half" }]);
    expect(told(await ask(await servePlainAgent(result), "stream"))).toMatchObject({
      items: [{ text: "half", role: "answer" }],
      outcome: "partial",
    });
    const status = artifactExecutor([], { say: "all is well" });
    expect(told(await ask(await servePlainAgent(status), "stream"))).toMatchObject({
      content: "all is well",
    });
  });

  it("that fails, is canceled, or asks: each is its own outcome", async () => {
    const ends = async (state: TaskState, say?: string): Promise<AgentEvent[]> => {
      const end = say === undefined ? { state } : { state, say };
      return [...(await ask(await servePlainAgent(artifactExecutor([], end)), "stream"))];
    };
    expect((await ends(TaskState.TASK_STATE_FAILED, "no disk")).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent.failed", message: "no disk" },
      response: { content: "" },
    });
    expect((await ends(TaskState.TASK_STATE_REJECTED)).at(-1)).toMatchObject({ outcome: "failed" });
    expect((await ends(TaskState.TASK_STATE_CANCELED)).at(-1)).toMatchObject({ outcome: "canceled" });
    expect((await ends(TaskState.TASK_STATE_INPUT_REQUIRED, "Which year?")).slice(-2)).toMatchObject([
      { type: "input-required", request: { kind: "form", form: { title: "Which year?" } } },
      { outcome: "input-required", response: { metadata: { user_input: true, question: "Which year?" } } },
    ]);
  });

  it("that takes words only is sent words, and its question is answered in them", async () => {
    const heard: Message[] = [];
    const ending = artifactExecutor([], { state: TaskState.TASK_STATE_INPUT_REQUIRED, say: "Where?" });
    const plain = await servePlainAgent({
      ...ending,
      execute: (context, bus) => {
        heard.push(context.userMessage);
        return ending.execute(context, bus);
      },
    });
    try {
      const headers = (): Record<string, string> => ({ traceparent: "00-1-2-01" });
      const remote = await connectAgent(plain.url, { headers });
      const delegation: Delegation = {
        v: 1,
        objective: "o",
        instruction: "Find it",
        expectedOutput: "",
        allowedTools: [],
        limits: {},
        results: {},
      };
      const { taskId } = await remote.send({ delegation }, { signal });
      const reply = { requestId: taskId, values: { reply: "Oslo" } };
      await collect(remote.stream({ taskId, delegation, reply }, { signal }));
      expect(heard.map(({ parts }) => parts.map(({ content }) => content?.$case))).toEqual([
        ["text"],
        ["text"],
      ]);
      expect(heard.map(({ parts }) => textOf(parts))).toEqual(["Find it\n\nThis is part of: o", "Oslo"]);
      expect(heard[0]?.extensions).toEqual([]);
    } finally {
      await plain.close();
    }
  });

  it("is joined in the middle, and what a subscription misses is made up for", async () => {
    const gate = Promise.withResolvers<void>();
    const chunks = [
      { artifactId: "a", text: "one " },
      { artifactId: "a", text: "two", append: true },
    ];
    const plain = await servePlainAgent(artifactExecutor(chunks, { gate: gate.promise, say: "ready" }));
    try {
      const remote = await connectAgent(plain.url);
      const { taskId } = await remote.send({ text: "hi" }, { signal });
      const events: AgentEvent[] = [];
      for await (const event of remote.join(taskId, { signal })) {
        events.push(event);
        gate.resolve();
      }
      expect(told(events)).toEqual({
        items: [{ text: "one two", role: "answer" }],
        outcome: "completed",
        content: "one two",
      });
    } finally {
      await plain.close();
    }
  });

  it("hands over its data by the artifact's name, and files by address", async () => {
    const plain = await servePlainAgent({
      ...artifactExecutor([]),
      execute(context, bus) {
        const ids = { taskId: context.taskId, contextId: context.contextId };
        const artifact = (name: string, parts: Part[]): void =>
          bus.publish(
            SdkEvent.artifactUpdate({
              ...ids,
              artifact: artifactOf(name, name, parts),
              append: false,
              lastChunk: true,
              metadata: undefined,
            }),
          );
        const status = (state: TaskState, say?: string) => ({
          state,
          message:
            say === undefined ? undefined : agentMessage("s1", { id: "", contextId: "" }, [textPart(say)]),
          timestamp: undefined,
        });
        const task = { id: context.taskId, contextId: context.contextId, artifacts: [], history: [] };
        const working = status(TaskState.TASK_STATE_WORKING);
        bus.publish(SdkEvent.task({ ...task, status: working, metadata: undefined }));
        const looking = status(TaskState.TASK_STATE_WORKING, "looking");
        bus.publish(SdkEvent.statusUpdate({ ...ids, status: looking, metadata: undefined }));
        artifact("sums", [dataPart({ total: 3 })]);
        artifact("charts", [dataPart({ a: 1 }), dataPart({ b: 2 })]);
        artifact("__proto__", [dataPart({ charts: "no list" })]);
        artifact("report", [filePart("http://127.0.0.1/r.pdf", "r.pdf", "application/pdf")]);
        const completed = status(TaskState.TASK_STATE_COMPLETED);
        bus.publish(SdkEvent.statusUpdate({ ...ids, status: completed, metadata: undefined }));
        return Promise.resolve();
      },
    });
    const events = await ask(plain, "stream");
    expect(told(events)).toMatchObject({ items: [{ text: "looking", role: "narration" }] });
    expect(events.at(-1)).toMatchObject({
      response: {
        data: {
          sums: { total: 3 },
          artifact_charts: [{ a: 1 }, { b: 2 }],
          ["__proto__"]: { charts: "no list" },
          files: [{ name: "r.pdf", mediaType: "application/pdf", url: "http://127.0.0.1/r.pdf" }],
        },
      },
    });
    const finish = events.at(-1);
    expect(finish?.type === "finish" && finish.response.data?.charts).toBeUndefined();
  });
});
