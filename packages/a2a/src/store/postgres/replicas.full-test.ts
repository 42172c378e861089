import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { TaskState } from "@a2a-js/sdk";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import type { AgentEvent } from "@troupe/stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { connectAgent, type AgentConnection } from "../../client/index.ts";
import { collect } from "../../testing/index.ts";
import { openPostgresTaskStore } from "./index.ts";

let postgres: ThrowawayPostgres;
beforeAll(async () => {
  postgres = await throwawayPostgres();
});
afterAll(() => postgres.close());

const PROGRAM = join(import.meta.dirname, "../../testing/replica-main.ts");
const signal = AbortSignal.timeout(280_000);
let schema = "";
let runs = "";
let count = 0;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-replicas-"));
  runs = join(folder, "runs");
  writeFileSync(runs, "");
  schema = `replicas${++count}`;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

interface Replica {
  readonly url: string;
  readonly remote: AgentConnection;
  readonly process: ChildProcess;
  kill(): Promise<void>;
}

async function replica(own: { readonly [name: string]: string } = {}): Promise<Replica> {
  const env = {
    ...process.env,
    REPLICA_DATABASE: postgres.connectionString,
    REPLICA_RUNS: runs,
    REPLICA_SCHEMA: schema,
    ...own,
  };
  const child = spawn(process.execPath, ["--conditions=troupe-source", PROGRAM], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(kill);
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return { url, remote: await connectAgent(url, { signal }), process: child, kill };
}

/** What was begun, a line for each run. */
const begun = (): readonly string[] => readFileSync(runs, "utf8").split("\n").filter(Boolean);
const contentOf = (events: readonly AgentEvent[]): unknown => {
  const last = events.at(-1);
  return last?.type === "finish" ? { outcome: last.outcome, content: last.response.content } : last;
};
const deltasOf = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.delta : "")).join("");
/** The ids of all tasks, as the protocol tells them. */
async function listed(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/a2a/rest/tasks?pageSize=100`, { headers: { "A2A-Version": "1.0" } });
  const { tasks } = (await response.json()) as { tasks: { id: string }[] };
  return tasks.map(({ id }) => id);
}
const wordsOf = (n: number): string => Array.from({ length: n }, (_, i) => `${i} `).join("");

describe("two replicas of an agent on one database", () => {
  it("run what is sent to both at once only once, and each tells all of it", async () => {
    const both = [await replica(), await replica()];
    const rounds = Array.from({ length: 30 }, async (_, round) => {
      const request = { text: "count 60", messageId: `m${round}` };
      const sent = await Promise.all(both.map(({ remote }) => remote.send(request, { signal })));
      expect(sent[1]).toEqual(sent[0]);
      const { taskId } = sent[0] ?? { taskId: "" };
      const told = await Promise.all(both.map(({ remote }) => collect(remote.join(taskId, { signal }))));
      for (const events of told) {
        expect(contentOf(events)).toEqual({ outcome: "completed", content: wordsOf(60) });
        expect(deltasOf(events)).toBe(wordsOf(60));
      }
      for (const { remote } of both) expect(await remote.send(request, { signal })).toEqual({ taskId });
      return taskId;
    });
    const ids = await Promise.all(rounds);
    expect([...begun()].sort()).toEqual([...ids].sort());
    for (const { url } of both) {
      const found = await listed(url);
      expect([...found].sort()).toEqual([...ids].sort());
    }
  });

  it("cancel each other's tasks, within a second where the agent hears of it", async () => {
    const [one, two] = [await replica(), await replica()];
    for (const text of ["wait", "ignore"]) {
      const { taskId } = await one.remote.send({ text }, { signal });
      const told = collect(two.remote.join(taskId, { signal }));
      const begin = performance.now();
      await two.remote.cancel(taskId);
      const took = performance.now() - begin;
      expect(contentOf(await told)).toMatchObject({ outcome: "canceled" });
      // The agent's grace of 800 ms comes on top; the rest is for a machine that does other things too.
      expect(took).toBeLessThan(text === "wait" ? 2_000 : 3_000);
    }
  });
});

describe("a replica that is killed", () => {
  it("has its tasks ended as failed by the other within 10 s, told to who follows them there", async () => {
    const [one, two] = [await replica(), await replica()];
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => one.remote.send({ text: "wait" }, { signal })),
    );
    const told = sent.map(({ taskId }) => collect(two.remote.join(taskId, { signal })));
    // A task is told of before its agent begins.
    await expect.poll(() => begun().length, { timeout: 60_000 }).toBe(20);
    const begin = performance.now();
    await one.kill();
    for (const events of await Promise.all(told))
      expect(events.at(-1)).toMatchObject({ outcome: "failed", error: { code: "agent.restarted" } });
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(begun()).toHaveLength(20);
  });

  it("has its work taken up once by one that can, and told from its start", async () => {
    const own = { REPLICA_HAND_OVER: "true" };
    const [one, two, three] = [await replica(own), await replica(own), await replica(own)];
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => one.remote.send({ text: "count 300" }, { signal })),
    );
    await expect.poll(() => begun().length, { timeout: 60_000 }).toBe(10);
    await one.kill();
    for (const { remote } of [two, three])
      for (const { taskId } of sent)
        expect(contentOf(await collect(remote.join(taskId, { signal })))).toEqual({
          outcome: "completed",
          content: wordsOf(300),
        });
    for (const { taskId } of sent)
      expect(begun().filter((line) => line.startsWith(taskId))).toEqual([taskId, `${taskId} again`]);
  });

  it("leaves nothing working when both are killed under load and one is started again", async () => {
    const both = [await replica(), await replica()];
    const asked = Array.from({ length: 60 }, async (_, i) => {
      const { remote } = both[i % 2] ?? both[0]!;
      return remote.send({ text: i % 3 === 0 ? "count 2000" : "count 40", messageId: `m${i}` }, { signal });
    });
    const accepted: string[] = [];
    const settled = Promise.allSettled(asked.map(async (sent) => accepted.push((await sent).taskId)));
    await expect.poll(() => begun().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(30);
    await Promise.all(both.map((one) => one.kill()));
    await settled;
    await replica();
    const store = await openPostgresTaskStore({ connectionString: postgres.connectionString, schema });
    onTestFinished(() => store.close());
    const working = async (): Promise<number> => {
      const pages = await Promise.all(
        [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_SUBMITTED].map((state) =>
          store.list("", { state, pageSize: 100, pageToken: "" }),
        ),
      );
      return pages.reduce((sum, { totalSize }) => sum + totalSize, 0);
    };
    await expect.poll(working, { timeout: 10_000 }).toBe(0);
    for (const taskId of accepted) expect(await store.load("", taskId)).toBeDefined();
  });
});
