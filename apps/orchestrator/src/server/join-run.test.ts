import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TaskState } from "@a2a-js/sdk";
import { toMessage } from "@troupe/a2a";
import { connectAgent, type RemoteRequest } from "@troupe/a2a/client";
import { openSqliteTaskStore } from "@troupe/a2a/sqlite";
import { silentLog, systemClock } from "@troupe/core";
import { finishOf } from "@troupe/core/testing";
import type { AgentEvent } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";

import { readRuns } from "../testing/read-runs.ts";
import { settings } from "./settings.ts";
import { start } from "./start.ts";

const signal = AbortSignal.timeout(30_000);
const form = { title: "Who?", fields: [{ field_name: "audience" }] };
const workflow = {
  version: 1,
  name: "Ask",
  mode: "parallel",
  steps: ["first", "second"].map((id, index) => ({
    id,
    kind: "human",
    instruction: "Who?",
    form,
    ...(index === 0 ? {} : { depends_on: ["first"] }),
  })),
};
const reply = (step: string) => ({ requestId: step, values: { audience: "Board" } });

/** A home with a run that waits, whose orchestrator was stopped and started again. */
async function restarted(user: { readonly userId?: string } = {}) {
  const home = mkdtempSync(join(tmpdir(), "troupe-join-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const open = async () => {
    const running = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
    const remote = await connectAgent(running.url, { signal });
    const follow = async (taskId: string) => {
      const events: AgentEvent[] = [];
      for await (const event of remote.join(taskId, { signal })) events.push(event);
      return events;
    };
    const turn = async (request: RemoteRequest) => {
      const { taskId } = await remote.send(request, { signal });
      const events = await follow(taskId);
      return { taskId, events, end: finishOf(events) };
    };
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= running.close());
    onTestFinished(close);
    return { close, remote, turn, follow };
  };
  const before = await open();
  const asked = await before.turn({ text: "x", ...user, metadata: { workflow } });
  await before.close();
  const runId = asked.taskId;
  return { home, asked, runId, open, ...(await open()) };
}

it("tells a run again from its start, takes its answers, and tells its end, after a restart", async () => {
  const { asked, runId, turn } = await restarted();
  const metadata = { run_id: runId };
  const again = await turn({ text: "", metadata });
  expect(again.events).toEqual(asked.events);
  const second = await turn({ reply: reply("first"), metadata });
  expect(second.end).toMatchObject({ runId, outcome: "input-required" });
  expect(second.events.map((event) => event.type)).toContain("input-required");
  const third = await turn({ text: "", metadata });
  const asks = third.events.flatMap((event) => (event.type === "input-required" ? event.stepId : []));
  expect(asks).toEqual(["first", "second"]);
  expect(third.end.outcome).toBe("input-required");
  const done = await turn({ reply: reply("second"), taskId: third.taskId });
  expect(done.end).toMatchObject({ runId, outcome: "completed" });
  const last = await turn({ text: "", metadata });
  expect(last.end.response).toEqual(done.end.response);
});

it("leads a request that is sent again to its run, and refuses another one under its id, also after a restart", async () => {
  const { close, open, remote } = await restarted();
  const asks = (metadata: RemoteRequest["metadata"] = {}) => ({ text: "x", messageId: "m", metadata });
  const { taskId } = await remote.send(asks({ workflow }), { signal });
  await close();
  const { remote: again } = await open();
  expect(await again.send(asks({ workflow, through: "cli" }), { signal })).toEqual({ taskId });
  for (const other of [
    { workflow: { ...workflow, name: "Other" } },
    { workflow, plan_only: true },
    { workflow, approve_plan: true },
    { workflow, run_id: taskId },
    { retry_of: taskId },
    {},
  ])
    await expect(again.send(asks(other), { signal })).rejects.toThrow(/"m" is that of another message/);
});

it("cancels a run that is joined after a restart", async () => {
  const { home, runId, remote, turn } = await restarted();
  const { taskId } = await turn({ text: "", metadata: { run_id: runId } });
  await remote.cancel(taskId);
  const state = async () => (await readRuns(home)).map(({ outcome }) => outcome);
  await expect.poll(state).toEqual(["canceled"]);
});

it("lets nobody but the user who began it see, answer or cancel a run", async () => {
  const { home, runId, remote, turn } = await restarted({ userId: "ann" });
  const metadata = { run_id: runId };
  for (const other of [{ userId: "bob" }, {}]) {
    for (const said of [{ text: "" }, { reply: reply("first") }]) {
      const { taskId, events, end } = await turn({ ...said, ...other, metadata });
      expect(events.map((event) => event.type)).toEqual(["finish"]);
      expect(end).toMatchObject({ outcome: "failed", error: { message: `There is no run "${runId}".` } });
      await remote.cancel(taskId);
    }
  }
  const [kept] = await readRuns(home);
  expect(kept).toMatchObject({ runId, userId: "ann", status: "input-required" });
  const own = await turn({ reply: reply("first"), userId: "ann", metadata });
  expect(own.end).toMatchObject({ runId, outcome: "input-required" });
});

it.each([
  ["did not arrive yet", false],
  ["had arrived already", true],
])("goes on with an answer that was cut off by a crash when it %s", async (_when, arrived) => {
  const { home, asked, runId, close, open } = await restarted();
  const taskId = asked.taskId;
  const answer = { reply: reply("first"), taskId };
  await close();
  if (arrived) {
    const again = await open();
    const metadata = { run_id: runId };
    await again.turn({ reply: reply("first"), metadata });
    await again.close();
  }
  // As a process leaves it that is killed while it works on the answer.
  const store = openSqliteTaskStore({ path: join(home, "tasks", "orchestrator.db"), clock: systemClock });
  const stored = await store.load("", taskId);
  if (stored === undefined) throw new Error("the task is gone");
  const { task, version } = stored;
  const message = toMessage(answer, "answer-1");
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined };
  const answered = { ...task, status, history: [...task.history, message] };
  await store.claim("", "answer-1", answered, { version });
  store.close();

  const last = await open();
  const events = await last.follow(taskId);
  expect(events.at(-1)).toMatchObject({ type: "finish", runId, outcome: "input-required" });
  const asks = events.flatMap((event) => (event.type === "input-required" ? event.request.requestId : []));
  expect(asks).toEqual(["first", "second"]);
  const done = await last.turn({ reply: reply("second"), taskId });
  expect(done.end).toMatchObject({ runId, outcome: "completed" });
  // Its sender did not hear of it and sends it again.
  expect(await last.remote.send({ ...answer, messageId: "answer-1" }, { signal })).toEqual({ taskId });
});

it("takes one of two answers that come at once, and tells the other", async () => {
  const { runId, turn } = await restarted();
  const answers = ["Board", "Team", "Guests"].map((audience) =>
    turn({ reply: { requestId: "first", values: { audience } }, metadata: { run_id: runId } }),
  );
  const ends = (await Promise.all(answers)).map(({ end }) => end);
  const refused = ends.filter(({ error }) => error !== undefined);
  expect(refused).toHaveLength(2);
  for (const { error } of refused) expect(error?.message).toMatch(/answered already|does not ask/);
});

it("refuses a run that is not there", async () => {
  const { turn } = await restarted();
  const { end } = await turn({ text: "", metadata: { run_id: "no-run" } });
  expect(end).toMatchObject({ outcome: "failed", error: { code: "input.not-found" } });
});
