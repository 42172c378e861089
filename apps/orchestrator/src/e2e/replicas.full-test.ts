import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type AgentConnection } from "@troupe/a2a/client";
import { collect } from "@troupe/a2a/testing";
import { throwawayPostgres, type ThrowawayPostgres } from "@troupe/core/testing/postgres";
import type { AgentEvent } from "@troupe/stream";
import { openPostgresEventLog } from "@troupe/workflow/postgres";
import { startRestate, type RestateServer } from "@troupe/workflow-restate/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { freePorts } from "../supervisor/free-port.ts";
import { repository, runCommand, startServer, type Server } from "../testing/commands.ts";
import { tcpBalancer } from "../testing/tcp-balancer.ts";

const SOURCES = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];
const signal = AbortSignal.timeout(290_000);

let postgres: ThrowawayPostgres;
let restate: RestateServer;
let folder = "";
let identity = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "troupe-scale-"));
  const key = join(folder, "identity.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  identity = await runCommand(process.execPath, ["deploy/identity-key.mjs", key], { cwd: repository });
  const settings = { RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: key };
  [postgres, restate] = await Promise.all([throwawayPostgres(), startRestate({ settings })]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), restate.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

let agents: readonly string[] = [];
let begun = "";
beforeEach(async () => {
  begun = join(mkdtempSync(join(folder, "agents-")), "begun");
  writeFileSync(begun, "");
  const started = await Promise.all(
    ["first", "second"].map((name) =>
      startServer([...SOURCES, join(repository, "apps/orchestrator/src/testing/timed-agent-main.ts")], {
        cwd: folder,
        env: { AGENT_NAME: name, AGENT_BEGUN: begun },
      }),
    ),
  );
  for (const agent of started) onTestFinished(() => agent.stop());
  agents = started.map(({ url }) => url);
});

interface Replica extends Server {
  readonly remote: AgentConnection;
}

/** Orchestrators that know of each other by nothing but Restate, Postgres and a folder. */
async function replicas(count: number) {
  const ports = await freePorts(count);
  const balancer = await tcpBalancer(() => ports);
  onTestFinished(() => balancer.close());
  const env = {
    TROUPE_HOME: mkdtempSync(join(folder, "home-")),
    TROUPE_LOG_LEVEL: "warn",
    TROUPE_PORT: "0",
    TROUPE_AGENTS: JSON.stringify(agents),
    TROUPE_ENGINE: "restate",
    TROUPE_RUNS_URL: postgres.connectionString,
    TROUPE_TASKS_URL: postgres.connectionString,
    TROUPE_RESTATE_INGRESS: JSON.stringify([restate.ingressUrl]),
    TROUPE_RESTATE_ADMIN: JSON.stringify([restate.adminUrl]),
    TROUPE_RESTATE_ENDPOINT: balancer.url,
    TROUPE_RESTATE_IDENTITY_KEYS: JSON.stringify([identity.trim()]),
  };
  const start = async (index: number): Promise<Replica> => {
    const server = await startServer([...SOURCES, join(repository, "apps/orchestrator/src/main.ts")], {
      cwd: folder,
      env: { ...env, TROUPE_RESTATE_PORT: `${ports[index]}` },
    });
    onTestFinished(() => server.kill());
    return { ...server, remote: await connectAgent(server.url, { signal }) };
  };
  const all: Replica[] = [];
  for (const index of ports.keys()) all.push(await start(index));
  return { all, start, ports };
}

const workOf = (run: string, ms = 1_500) => ({
  version: 1,
  name: run,
  mode: "parallel",
  steps: [
    { id: "a", agent: "first", instruction: `take ${ms} ${run} a` },
    { id: "b", agent: "second", instruction: `take ${ms} ${run} b` },
    { id: "c", agent: "first", instruction: `take ${ms} ${run} c`, depends_on: ["a", "b"] },
  ],
});
const form = { title: "Who?", fields: [{ field_name: "audience" }] };
const asking = {
  version: 1,
  name: "Ask",
  steps: [
    { id: "who", kind: "human", instruction: "Who?", form },
    { id: "a", agent: "first", instruction: "take 100 answered" },
  ],
};

const endOf = (events: readonly AgentEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== "finish" || last.stepId !== undefined) throw new Error("it did not end");
  return last;
};
/** What agents began, an instruction for each time. */
const work = (): readonly string[] =>
  readFileSync(begun, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.slice(0, line.lastIndexOf(" ")));
const joined = (at: Replica, taskId: string) => collect(at.remote.join(taskId, { signal }));
/** What each step of an ended run said, as it stands in the log. */
async function said(runId: string): Promise<{ [stepId: string]: string }> {
  const log = await openPostgresEventLog({ connectionString: postgres.connectionString });
  const all: { [stepId: string]: string } = {};
  for await (const { event } of log.read(runId, { from: 0, signal }))
    if (event.type === "text-delta" && event.itemId === "notes")
      all[event.stepId ?? ""] = (all[event.stepId ?? ""] ?? "") + event.delta;
  await log.close();
  return all;
}
const json = async (url: string): Promise<unknown> => (await fetch(url, { signal })).json();

describe("two orchestrators on one Restate and one Postgres", () => {
  it("have Restate know ended runs for a day longer than they are kept", async () => {
    await replicas(1);
    const service = await fetch(`${restate.adminUrl}/services/troupe-runs`, { signal });
    expect(await service.json()).toMatchObject({ workflow_completion_retention: "91d" });
  });

  it("tell of what the other was asked, take answers to it and cancel it", async () => {
    const { all } = await replicas(2);
    const [one, other] = all as [Replica, Replica];
    const sent = await one.remote.send({ text: "x", metadata: { workflow: asking } }, { signal });
    expect(endOf(await joined(other, sent.taskId)).outcome).toBe("input-required");
    expect(await json(`${other.url}/api/runs/${sent.taskId}`)).toMatchObject({ status: "input-required" });
    const reply = { requestId: "who", values: { audience: "all" } };
    await other.remote.send({ taskId: sent.taskId, reply }, { signal });
    const [here, there] = await Promise.all([joined(one, sent.taskId), joined(other, sent.taskId)]);
    for (const events of [here, there]) expect(endOf(events).outcome).toBe("completed");
    expect(await json(`${one.url}/api/runs/${sent.taskId}`)).toMatchObject({ status: "completed" });

    const steps = [{ agent: "first", instruction: "wait for ever" }];
    const waits = await one.remote.send(
      { text: "x", metadata: { workflow: { ...asking, name: "Wait", steps } } },
      { signal },
    );
    const told = joined(other, waits.taskId);
    await expect.poll(work, { timeout: 60_000 }).toContain("wait for ever");
    await other.remote.cancel(waits.taskId);
    expect(endOf(await told).outcome).toBe("canceled");
    await expect
      .poll(() => json(`${other.url}/api/runs/${waits.taskId}`), { timeout: 60_000 })
      .toMatchObject({ status: "canceled", steps: [{ state: "canceled" }] });
    expect(await (await fetch(`${one.url}/readyz`)).json()).toMatchObject({ ok: true });
  });

  it("end each other's runs when one is killed: nothing is done twice, and all is told at the other", async () => {
    const { all } = await replicas(2);
    const [one, other] = all as [Replica, Replica];
    const waits = await one.remote.send({ text: "x", metadata: { workflow: asking } }, { signal });
    expect(endOf(await joined(one, waits.taskId)).outcome).toBe("input-required");
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const workflow = workOf(`run-${i}`);
        return (await one.remote.send({ text: "x", metadata: { workflow } }, { signal })).taskId;
      }),
    );
    const followed = ids.map((taskId) => joined(other, taskId));
    // Restate drives them where the first that it reaches is, which is the one that goes.
    await expect.poll(() => work().length, { timeout: 60_000 }).toBeGreaterThan(20);
    await one.kill();
    for (const [i, events] of (await Promise.all(followed)).entries()) {
      const end = endOf(events);
      expect([i, end.outcome]).toEqual([i, "completed"]);
      expect(end.response.content).toMatch(new RegExp(`^take 1500 run-${i} c: 0 1 `));
    }
    const all60 = ids.flatMap((_, i) => ["a", "b", "c"].map((step) => `take 1500 run-${i} ${step}`));
    expect(work().toSorted()).toEqual(all60.toSorted());
    const words = Array.from({ length: 30 }, (_, i) => `${i} `).join("");
    for (const runId of ids) expect(await said(runId)).toEqual({ a: words, b: words, c: words });
    const reply = { requestId: "who", values: { audience: "all" } };
    await other.remote.send({ taskId: waits.taskId, reply }, { signal });
    expect(endOf(await joined(other, waits.taskId)).outcome).toBe("completed");
  });

  it("take nothing from anybody but their Restate at the port that is for it", async () => {
    const { ports } = await replicas(1);
    const session = connect(`http://127.0.0.1:${ports[0]}`);
    onTestFinished(() => session.destroy());
    const call = session.request({ ":method": "GET", ":path": "/discover" });
    const [headers] = (await once(call, "response")) as [{ ":status"?: number }];
    expect(headers[":status"]).toBe(401);
  });

  it("lose nothing and do nothing twice when Postgres and then Restate are reset under them", async () => {
    const { all } = await replicas(2);
    const [one, other] = all as [Replica, Replica];
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const workflow = workOf(`run-${i}`, 3_000);
        return (await one.remote.send({ text: "x", metadata: { workflow } }, { signal })).taskId;
      }),
    );
    await expect.poll(() => work().length, { timeout: 60_000 }).toBe(20);
    await postgres.crash();
    expect((await fetch(`${other.url}/api/runs`)).status).toBe(503);
    expect(await json(`${other.url}/readyz`)).toMatchObject({
      reasons: ["the database of runs does not answer"],
    });
    await postgres.start();
    await expect.poll(() => work().length, { timeout: 60_000 }).toBeGreaterThan(20);
    await restate.restart();
    await expect
      .poll(
        async () => {
          const runs = (await json(`${other.url}/api/runs`)) as { runId: string; status: string }[];
          return runs.filter(({ runId, status }) => ids.includes(runId) && status === "completed").length;
        },
        { timeout: 120_000 },
      )
      .toBe(10);
    expect(work()).toHaveLength(30);
    expect(new Set(work()).size).toBe(30);
    const words = Array.from({ length: 60 }, (_, i) => `${i} `).join("");
    for (const runId of ids) expect(await said(runId)).toEqual({ a: words, b: words, c: words });
  });

  it("go on with everything when both are killed and one comes back", async () => {
    const { all, start } = await replicas(2);
    const sent = await Promise.all(
      all.flatMap(({ remote }, n) =>
        Array.from({ length: 6 }, (_, i) =>
          remote.send({ text: "x", metadata: { workflow: workOf(`run-${n}-${i}`) } }, { signal }),
        ),
      ),
    );
    await expect.poll(() => work().length, { timeout: 60_000 }).toBeGreaterThan(12);
    await Promise.all(all.map((one) => one.kill()));
    const back = await start(1);
    for (const { taskId } of sent) expect(endOf(await joined(back, taskId)).outcome).toBe("completed");
    expect(work()).toHaveLength(36);
    expect(new Set(work()).size).toBe(36);
  });
});
