import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { openSqliteTaskStore } from "@troupe/a2a/sqlite";
import { createAgent, silentLog, systemClock } from "@troupe/core";
import { gate, scriptedModel } from "@troupe/core/testing";
import { lockHome, newId, readOwner } from "@troupe/service";
import type { AgentEvent } from "@troupe/stream";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { readRuns } from "../testing/read-runs.ts";
import { settings } from "./settings.ts";
import { start } from "./start.ts";

const tools = { log: silentLog };
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-start-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const config = (given: object = {}) => settings.parse({ home, port: 0, agents: [], ...given });

it("gives its home back when its port is taken", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  await expect(start(config({ port }), tools)).rejects.toThrow(`port ${port}`);
  lockHome(home).release();
  const running = await start(config(), tools);
  const owner = readOwner(home);
  expect(owner?.url).toBe(running.url);
  const lives = await (await fetch(`${running.url}/livez`)).json();
  expect(lives).toEqual({ ok: true, instance: owner?.instance });
  await running.close();
  expect(readOwner(home)).toBeUndefined();
});

it("takes no run up when its tasks cannot be opened", async () => {
  const held = openSqliteTaskStore({ path: join(home, "tasks", "orchestrator.db"), clock: systemClock });
  await expect(start(config(), tools)).rejects.toMatchObject({ code: "store.locked" });
  expect(existsSync(join(home, "runs.db"))).toBe(false);
  held.close();
  await (await start(config(), tools)).close();
});

it("lets go of a run when it is stopped, and goes on with it when it and its agent are started again", async () => {
  const asked = gate();
  const slow = (turn: Parameters<typeof scriptedModel>[0][number]) =>
    createAgent(
      { agent_type: "slow", name: "slow", title: "Slow", description: "Slow.", system_prompt: "Wait." },
      { model: scriptedModel([turn]) },
    );
  const agent = slow({ gate: new Promise(() => undefined), text: "never" });
  const watched = {
    ...agent,
    run: (...args: Parameters<typeof agent.run>) => {
      asked.open();
      return agent.run(...args);
    },
  };
  const served = await serveAgent({ agent: watched });
  onTestFinished(() => served.close());

  const first = await start(config({ agents: [served.url] }), tools);
  const signal = AbortSignal.timeout(15_000);
  const remote = await connectAgent(first.url, { clock: systemClock, newId, signal });
  const workflow = { version: 1, name: "One", steps: [{ agent: "slow", instruction: "Wait." }] };
  const { taskId } = await remote.send({ text: "x", metadata: { workflow } }, { signal });
  await asked.opened;
  const told = (async () => {
    const events: string[] = [];
    for await (const event of remote.join(taskId, { signal })) events.push(event.type);
    return events;
  })();
  const [left] = await Promise.allSettled([told, first.close()]);
  // Nobody hears that it failed: it did not.
  expect(left).toMatchObject({ status: "rejected", reason: { code: "agent.unreachable" } });
  const stored = async () => {
    const [run] = await readRuns(home);
    return [run?.runId, run?.outcome ?? run?.status];
  };
  expect(await stored()).toEqual([taskId, "running"]);

  await served.close();
  const second = await start(config({ agents: [served.url] }), tools);
  onTestFinished(() => second.close());
  const port = Number(new URL(served.url).port);
  const again = await serveAgent({ agent: slow({ text: "At last." }), port });
  onTestFinished(() => again.close());
  // Whoever followed the task follows it on, from its start.
  const back = await connectAgent(second.url, { clock: systemClock, newId, signal });
  const events: AgentEvent[] = [];
  for await (const event of back.join(taskId, { signal })) events.push(event);
  expect(events[0]).toMatchObject({ type: "plan-update", seq: 0 });
  expect(events.at(-1)).toMatchObject({ outcome: "completed", response: { content: "At last." } });
  expect(await stored()).toEqual([taskId, "completed"]);
});

it("ends the run too when a task that waits for a person is canceled", async () => {
  const running = await start(config(), tools);
  onTestFinished(() => running.close());
  const signal = AbortSignal.timeout(15_000);
  const remote = await connectAgent(running.url, { clock: systemClock, newId, signal });
  const form = { title: "Who?", fields: [{ field_name: "audience" }] };
  const steps = [{ id: "who", kind: "human", instruction: "Who?", form }];
  const workflow = { version: 1, name: "Ask", steps, final: "synthesize" };
  const { taskId } = await remote.send({ text: "x", metadata: { workflow } }, { signal });
  const asked = remote.join(taskId, { signal });
  const outcomes: unknown[] = [];
  for await (const event of asked) if (event.type === "finish") outcomes.push(event.outcome);
  expect(outcomes).toEqual(["input-required"]);
  await remote.cancel(taskId);
  const stored = async () => {
    const [run] = await readRuns(home);
    return [run?.runId, run?.status, run?.outcome, run?.requests, run?.steps[0]?.state];
  };
  await expect.poll(stored).toEqual([taskId, "canceled", "canceled", [], "canceled"]);
});
