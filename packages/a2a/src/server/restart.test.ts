import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { gate } from "@troupe/core/testing";
import { silentLog, systemClock, type Log } from "@troupe/core";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { connectAgent } from "../client/index.ts";
import { openSqliteTaskStore } from "../store/sqlite/index.ts";
import { answering, asking, collect, scriptedAgent, type AgentScript } from "../testing/index.ts";
import { textOf } from "../wire/parts.ts";
import { serveAgent, type ServeAgentOptions } from "./serve-agent.ts";

const signal = AbortSignal.timeout(20_000);
let path = "";
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-restart-"));
  path = join(folder, "tasks.db");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const request = {
  requestId: "q1",
  kind: "approval",
  calls: [{ callId: "c1", tool: "send_mail", arguments: { to: "ann@example.com" } }],
} as const;
const asks = [
  { type: "text-start", itemId: "t", role: "open" },
  { type: "text-delta", itemId: "t", delta: "I would send it." },
  { type: "text-end", itemId: "t" },
  { type: "input-required", request },
  ...asking(),
] as const;

/** A server on the file, and how it is stopped as by a crash: nothing of it reaches the file any more. */
async function start(script: AgentScript, own: Partial<ServeAgentOptions> = {}) {
  const store = openSqliteTaskStore({ path, clock: systemClock });
  const agent = scriptedAgent(script);
  const served = await serveAgent({ agent, store, ...own });
  const remote = await connectAgent(served.url, { signal });
  let stopped: Promise<void> | undefined;
  const crash = (): Promise<void> => {
    store.close();
    return (stopped ??= served.close());
  };
  onTestFinished(crash);
  return { agent, remote, crash };
}

const left = (stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    stopped.addEventListener("abort", () => resolve(), { once: true });
  });

const told = async (events: AsyncIterable<{ readonly type: string }>) =>
  (await collect(events)).map(({ type }) => type);

describe("an agent that is started again with its tasks on a file", () => {
  it("takes the answer to what it asked before, once however often it is sent", async () => {
    const first = await start(() => asks);
    const { taskId } = await first.remote.send({ text: "Send it.", messageId: "m1" }, { signal });
    const before = await collect(first.remote.join(taskId, { signal }));
    await first.crash();

    const second = await start(() => answering(["Sent."]));
    expect(await collect(second.remote.join(taskId, { signal }))).toEqual(before);
    const reply = { requestId: "q1", decisions: [{ callId: "c1", type: "approve" }] } as const;
    const answer = { reply, taskId, messageId: "m2" };
    const sent = await Promise.all([1, 2].map(() => second.remote.send(answer, { signal })));
    expect(sent).toEqual([{ taskId }, { taskId }]);
    const events = await collect(second.remote.join(taskId, { signal }));
    expect(events.at(-1)).toMatchObject({ type: "finish", outcome: "completed" });
    expect(second.agent.requests).toMatchObject([
      { runId: taskId, reply, history: [{ role: "user", text: "Send it." }, { role: "agent" }] },
    ]);
    await second.crash();

    const third = await start(() => answering(["Again?"]));
    expect(await third.remote.send(answer, { signal })).toEqual({ taskId });
    expect(await third.remote.send({ text: "Send it.", messageId: "m1" }, { signal })).toEqual({ taskId });
    expect(await collect(third.remote.join(taskId, { signal }))).toEqual(events);
    expect(third.agent.requests).toEqual([]);
  });

  it("says that what it worked on is lost", async () => {
    const working = gate();
    const first = await start(async function* (_request, options) {
      yield* answering(["Half"]).slice(0, 2);
      working.open();
      await left(options.signal);
    });
    const { taskId } = await first.remote.send({ text: "Wait." }, { signal });
    await working.opened;
    await first.crash();
    const { remote } = await start(() => answering(["no"]));
    const [end] = (await collect(remote.join(taskId, { signal }))).slice(-1);
    expect(end).toMatchObject({ type: "finish", outcome: "failed", error: { code: "agent.restarted" } });
  });

  it("says so too to whoever was told more than it had stored", async () => {
    const store = openSqliteTaskStore({ path, clock: systemClock });
    onTestFinished(() => store.close());
    const agent = scriptedAgent(async function* (_request, options) {
      yield { type: "tool-start", callId: "c1", tool: "look", arguments: {} };
      await left(options.signal);
    });
    // As killed: nothing is stored after the message was taken, and nothing is said at the end.
    const unsaved = { ...store, save: () => Promise.resolve(1) };
    const first = await serveAgent({ agent, store: unsaved, handOver: true });
    const remote = await connectAgent(first.url, { signal });
    const seen: unknown[] = [];
    for await (const event of remote.stream({ text: "Go." }, { signal })) {
      seen.push(event);
      if (event.type !== "tool-start") continue;
      await first.close();
      const second = await serveAgent({ agent, store, port: Number(new URL(first.url).port) });
      onTestFinished(() => second.close());
    }
    expect(seen).toMatchObject([
      { type: "tool-start" },
      { type: "finish", outcome: "failed", error: { code: "agent.restarted" } },
    ]);
  });

  it("has stored all that was told of work that outlives the process, when that is stopped", async () => {
    const store = openSqliteTaskStore({ path, clock: systemClock });
    const failed: unknown[] = [];
    const log: Log = { ...silentLog, child: () => log, error: (text) => failed.push(text) };
    const said = Array.from({ length: 20 }, (_, n) => `word ${n} `);
    const agent = scriptedAgent(async function* (_request, options) {
      yield* answering(said).slice(0, -2);
      await left(options.signal);
    });
    const served = await serveAgent({ agent, store, log, handOver: true, coalesceMs: 0 });
    const remote = await connectAgent(served.url, { signal });
    let heard = "";
    for await (const event of remote.stream({ text: "Go." }, { signal })) {
      if (event.type === "text-delta") heard += event.delta;
      if (heard === said.join("")) break;
    }
    await served.close();
    const [stored] = (await store.list("", { pageSize: 10, pageToken: "" })).tasks;
    store.close();
    expect(textOf(stored?.artifacts[0]?.parts ?? [])).toBe(said.join(""));
    expect(failed).toEqual([]);
  });

  it("goes on with work that outlives the process, and tells it from its start", async () => {
    const working = gate();
    const first = await start(
      async function* (_request, options) {
        yield* answering(["Half"]).slice(0, 2);
        working.open();
        await left(options.signal);
      },
      { handOver: true },
    );
    const { taskId } = await first.remote.send({ text: "Go.", userId: "ann" }, { signal });
    await working.opened;
    await first.crash();
    const { agent, remote } = await start(() => answering(["Whole", " answer"]), { handOver: true });
    const events = await collect(remote.join(taskId, { signal }));
    expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "Whole answer" } });
    expect(agent.requests).toMatchObject([{ runId: taskId, text: "Go.", userId: "ann", recovered: true }]);
    expect(await told(remote.join(taskId, { signal }))).not.toContain("attempt-start");
  });
});

describe("a reply to a task", () => {
  it("is taken from the user who asked and from nobody else", async () => {
    const { agent, remote } = await start(({ reply }) => (reply ? answering(["Sent."]) : asks));
    const { taskId } = await remote.send({ text: "Send it.", userId: "ann" }, { signal });
    await collect(remote.join(taskId, { signal }));
    const reply = { requestId: "q1", decisions: [{ callId: "c1", type: "approve" }] } as const;
    for (const other of [{ userId: "bob" }, {}])
      await expect(remote.send({ reply, taskId, ...other }, { signal })).rejects.toMatchObject({
        code: "agent.task-lost",
      });
    expect(agent.requests).toHaveLength(1);
    await remote.send({ reply, taskId, userId: "ann" }, { signal });
    expect((await collect(remote.join(taskId, { signal }))).at(-1)).toMatchObject({ outcome: "completed" });
  });

  it("goes to the run that the task tells of, also when it was joined", async () => {
    const joined = scriptedAgent(({ reply }) =>
      (reply ? answering(["Done."]) : asks).map((body, seq) => ({
        v: 1 as const,
        runId: "another-run",
        seq,
        attempt: 1,
        agent: "a",
        ...body,
      })),
    );
    const served = await serveAgent({ agent: joined });
    onTestFinished(() => served.close());
    const remote = await connectAgent(served.url, { signal });
    const { taskId } = await remote.send({ text: "Join it." }, { signal });
    await collect(remote.join(taskId, { signal }));
    await remote.send({ text: "yes", taskId }, { signal });
    await collect(remote.join(taskId, { signal }));
    expect(joined.requests.map(({ runId }) => runId)).toEqual([taskId, "another-run"]);
  });
});
