import { silentLog, type RunnableAgent } from "@troupe/core";
import { gate, virtualClock } from "@troupe/core/testing";
import type { AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { answering, collect, responseOf, scriptedAgent, type AgentScript } from "../testing/index.ts";
import { localConnection } from "./local-connection.ts";

const signal = new AbortController().signal;

function connect(script: AgentScript) {
  let id = 0;
  const clock = virtualClock();
  const agent = scriptedAgent(script);
  const connection = localConnection(agent, { clock, newId: () => `id-${id++}`, log: silentLog });
  return { agent, clock, connection };
}

describe("an agent of this process", () => {
  it("streams what it emits, and can be joined from the start again", async () => {
    const { connection } = connect(() => answering(["a", "b"]));
    const { taskId } = await connection.send({ text: "hi" }, { signal });
    const joined = await collect(connection.join(taskId, { signal }));
    expect(joined).toHaveLength(5);
    expect(await collect(connection.join(taskId, { signal }))).toEqual(joined);
    expect(await collect(connection.stream({ text: "hi" }, { signal }))).toHaveLength(5);
  });

  it("runs the same message once", async () => {
    const { agent, connection } = connect(() => answering(["a"]));
    const first = await connection.send({ text: "hi", messageId: "m" }, { signal });
    expect(await connection.send({ text: "hi", messageId: "m" }, { signal })).toEqual(first);
    expect(agent.requests).toHaveLength(1);
  });

  it("ends failed when it throws, like one behind the wire", async () => {
    const { connection } = connect(() => {
      throw new Error("secret");
    });
    const events = await collect(connection.stream({ text: "hi" }, { signal }));
    expect(events).toMatchObject([{ type: "finish", outcome: "failed", error: { code: "agent.internal" } }]);
  });

  it("is canceled through its signal, or for it when it does not listen", async () => {
    const { connection, clock } = connect(async function* (): AsyncGenerator<AgentEventBody> {
      yield { type: "text-start", itemId: "1", role: "open" };
      await new Promise(() => undefined);
    });
    const { taskId } = await connection.send({ text: "hi" }, { signal });
    const joined = collect(connection.join(taskId, { signal }));
    await connection.cancel(taskId);
    await clock.advance(1_000);
    expect((await joined).at(-1)).toMatchObject({ outcome: "canceled" });
    await connection.cancel(taskId);
    expect(clock.pending).toBe(0);
    await connection.cancel("nobody");
  });

  it("leaves no timer when it is canceled and obeys", async () => {
    const { connection, clock } = connect(async function* (_request, { signal: stopped }) {
      yield { type: "text-start", itemId: "1", role: "open" } as const;
      await new Promise((resolve) => stopped.addEventListener("abort", resolve));
    });
    const { taskId } = await connection.send({ text: "hi" }, { signal });
    const joined = collect(connection.join(taskId, { signal }));
    await clock.advance(0);
    await connection.cancel(taskId);
    expect((await joined).at(-1)).toMatchObject({ outcome: "canceled" });
    expect(clock.pending).toBe(0);
  });

  it("goes on with a task that asked, knowing what was said, and with no other", async () => {
    const asked = responseOf("", {
      metadata: { user_input: true, question: "Which year?", input_fields: [] },
    });
    const { agent, connection } = connect((request) =>
      request.reply === undefined
        ? [{ type: "finish", outcome: "input-required", response: asked, answerItems: [] }]
        : answering(["2026 it is"]),
    );
    const { taskId } = await connection.send({ text: "report" }, { signal });
    await collect(connection.join(taskId, { signal }));
    const reply = { requestId: "q", values: { year: 2026 } };
    await collect(connection.stream({ taskId, reply }, { signal }));
    expect(agent.requests[1]).toMatchObject({
      reply,
      history: [
        { role: "user", text: "report" },
        { role: "agent", text: "Which year?" },
      ],
    });
    await expect(connection.send({ taskId, text: "more" }, { signal })).rejects.toMatchObject({
      code: "agent.protocol",
      message: expect.stringContaining("has ended"),
    });
  });

  it("tells the agent when what it asked is called off, and takes no reply any more", async () => {
    const { agent, connection } = connect(() => [
      { type: "finish", outcome: "input-required", response: responseOf(""), answerItems: [] },
    ]);
    const { taskId } = await connection.send({ text: "report" }, { signal });
    await collect(connection.join(taskId, { signal }));
    await connection.cancel(taskId);
    await connection.cancel(taskId);
    expect(agent.canceled).toEqual([taskId]);
    expect((await collect(connection.join(taskId, { signal }))).at(-1)).toMatchObject({
      outcome: "canceled",
    });
    await expect(connection.send({ taskId, text: "2026" }, { signal })).rejects.toThrow("has ended");
    expect(agent.requests).toHaveLength(1);
  });

  it("waits for no agent that cannot let go", async () => {
    const clock = virtualClock();
    const asked = gate();
    const waiting = scriptedAgent(() => [
      { type: "finish", outcome: "input-required", response: responseOf(""), answerItems: [] },
    ]);
    const agent: RunnableAgent = {
      profile: waiting.profile,
      run: (...call) => waiting.run(...call),
      cancel: () => {
        asked.open();
        return new Promise(() => undefined);
      },
    };
    const connection = localConnection(agent, { clock, newId: () => "id", log: silentLog });
    const { taskId } = await connection.send({ text: "report" }, { signal });
    await collect(connection.join(taskId, { signal }));
    const canceled = connection.cancel(taskId);
    await asked.opened;
    await clock.advance(1_000);
    await expect(canceled).resolves.toBeUndefined();
  });

  it("lets a joiner leave with its reason, and does not know other tasks", async () => {
    const { connection } = connect(async function* (): AsyncGenerator<AgentEventBody> {
      yield { type: "text-start", itemId: "1", role: "open" };
      await new Promise(() => undefined);
    });
    const leaving = new AbortController();
    const { taskId } = await connection.send({ text: "hi" }, { signal });
    const joined = collect(connection.join(taskId, { signal: leaving.signal }));
    leaving.abort(new Error("enough"));
    await expect(joined).rejects.toThrow("enough");
    await expect(collect(connection.join("nobody", { signal }))).rejects.toMatchObject({
      code: "agent.task-lost",
    });
  });
});
