import { once } from "node:events";
import { connect } from "node:http2";
import { createServer, type AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

import { AgentError } from "@troupe/core";
import { freePort, instantClock, serveHttp } from "@troupe/core/testing";
import { NO_USAGE, type Json } from "@troupe/stream";
import {
  earlierContext,
  normalizeWorkflow,
  workflowSchema,
  type DagSpec,
  type Thread,
} from "@troupe/workflow";
import { memoryEventLog, outcomeOf } from "@troupe/workflow/testing";
import { expect, it, onTestFinished } from "vitest";

import { openRestateEngine, type RestateEngineOptions } from "./open-restate-engine.ts";

const SPEC: DagSpec = { v: 1, name: "one", steps: [], final: "passthrough" };
const KEY = "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f";

interface Asked {
  readonly path: string;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

const result = (answer: string) => ({
  stepId: "a",
  agent: "a",
  state: "completed",
  outcome: "completed" as const,
  answer,
  data: null,
  citations: [],
  artifacts: [],
  usage: NO_USAGE,
  ms: 1,
  provenance: { attempt: 1, startedAt: 0, endedAt: 1 },
});

type Answer = readonly [status: number, body: Json];

/** Answers like a Restate server, as told by the beginning of the path; what is not told of succeeds. */
async function fakeRestate(answers: Readonly<Record<string, () => Answer>> = {}) {
  const asked: Asked[] = [];
  const server = await serveHttp(async (request, response) => {
    const path = `${request.method} ${decodeURIComponent(request.url ?? "")}`;
    const body = await json(request).catch(() => null);
    asked.push({ path, body: body as Json, headers: request.headers });
    const known = Object.keys(answers).find((start) => path.startsWith(start));
    const [status, answer] = (known === undefined ? undefined : answers[known]?.()) ?? [200, { rows: [] }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  onTestFinished(() => server.close());
  return { ...server, asked };
}

async function open(url: string | readonly string[], options: Partial<RestateEngineOptions> = {}) {
  const events = memoryEventLog();
  const addresses = { ingressUrl: url, adminUrl: url };
  const engine = await openRestateEngine({
    events,
    clock: instantClock,
    port: 0,
    patienceMs: 500,
    ...addresses,
    ...options,
  });
  onTestFinished(() => engine.close());
  return { engine, events };
}

/** What Restate asks before it calls a service, and its answer. */
async function discover(url: string) {
  const session = connect(url);
  const stream = session.request({
    ":path": "/discover",
    accept: "application/vnd.restate.endpointmanifest.v4+json",
  });
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  const body = (await json(stream).catch(() => null)) as { readonly services: readonly Json[] } | null;
  session.close();
  return { status: headers[":status"], services: body?.services ?? [] };
}

const noDriver = () => Promise.reject(new Error("not called"));

it("serves its runs on this machine alone and tells Restate where, with the bounds they run under", async () => {
  const restate = await fakeRestate();
  const { engine } = await open(restate.url, { service: "runs", headers: { authorization: "Bearer x" } });
  await engine.register(noDriver);
  const [registered] = restate.asked;
  expect(registered).toMatchObject({ path: "POST /deployments", headers: { authorization: "Bearer x" } });
  expect(registered?.body).toEqual({
    uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    force: true,
  });
  const { status, services } = await discover(
    String((registered?.body as { uri?: string } | undefined)?.uri),
  );
  expect(status).toBe(200);
  expect(services).toMatchObject([
    {
      name: "runs",
      inactivityTimeout: 60_000,
      abortTimeout: 600_000,
      idempotencyRetention: 7 * 24 * 3_600_000,
      retryPolicyMaxAttempts: 100,
      retryPolicyOnMaxAttempts: "PAUSE",
      handlers: expect.arrayContaining([expect.objectContaining({ name: "run", ty: "WORKFLOW" })]) as Json,
    },
  ]);
  await expect(engine.register(noDriver)).rejects.toThrow("a driver is registered already");
});

it("is reached where it is said to be, and refuses who has not signed", async () => {
  const restate = await fakeRestate();
  const port = await freePort();
  const endpointUrl = "https://runs.example.com";
  const { engine } = await open(restate.url, { port, endpointUrl, identityKeys: [KEY] });
  await engine.register(noDriver);
  expect(restate.asked[0]?.body).toMatchObject({ uri: endpointUrl });
  expect(await discover(`http://127.0.0.1:${port}`)).toEqual({ status: 401, services: [] });
});

it("is not opened for other machines without keys, and not twice on a port", async () => {
  const restate = await fakeRestate();
  await expect(open(restate.url, { host: "0.0.0.0" })).rejects.toThrow(/0\.0\.0\.0.*identityKeys/);
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { engine } = await open(restate.url, { port: (taken.address() as AddressInfo).port });
  await expect(engine.register(noDriver)).rejects.toMatchObject({ code: "process.port-taken" });
});

it("says under which address Restate could not reach it, and may be told to try again", async () => {
  let status = 400;
  const restate = await fakeRestate({
    "POST /deployments": () => [status, { message: "internal: 10.0.0.1" }],
  });
  const { engine } = await open(restate.url, { endpointUrl: "http://nowhere:1" });
  const refused = engine.register(noDriver);
  await expect(refused).rejects.toMatchObject({ code: "process.start" });
  await expect(refused).rejects.toThrow(/^Restate did not take http:\/\/nowhere:1 .* \(status 400\)/);
  status = 201;
  await expect(engine.register(noDriver)).resolves.toBeUndefined();
});

it("goes on at once with what was cut off, and serves also when that cannot be asked", async () => {
  const rows = [{ id: "inv_1", key: "r", status: "backing-off" }];
  const restate = await fakeRestate({ "POST /query": () => [200, { rows }] });
  await (await open(restate.url)).engine.register(noDriver);
  expect(restate.asked.map(({ path }) => path)).toContain("PATCH /invocations/inv_1/resume");
  const poor = await fakeRestate({ "POST /query": () => [400, { message: "no such table" }] });
  await expect((await open(poor.url)).engine.register(noDriver)).resolves.toBeUndefined();
});

it("starts a run once, on record from then on", async () => {
  let status = "Accepted";
  const restate = await fakeRestate({ "POST /": () => [202, { invocationId: "inv_1", status }] });
  const { engine, events } = await open(restate.url);
  const start = () => engine.start(SPEC, { objective: "o", userId: "ann" }, { runId: "a b/c" });
  expect(await start()).toEqual({ created: true });
  expect(restate.asked[0]).toMatchObject({
    path: "POST /troupe-runs/a b/c/run/send",
    body: { spec: SPEC, input: { objective: "o", userId: "ann" } },
  });
  expect(await events.view("a b/c")).toMatchObject({ name: "one", objective: "o", userId: "ann" });
  status = "PreviouslyAccepted";
  expect(await start()).toEqual({ created: false });
});

it("asks the next server when one is away, and first the one that answered", async () => {
  const gone = await freePort();
  const restate = await fakeRestate({ "POST /": () => [202, { invocationId: "inv_1", status: "Accepted" }] });
  const { engine } = await open([`http://127.0.0.1:${gone}`, `${restate.url}/`]);
  for (const runId of ["1", "2"]) await engine.start(SPEC, {}, { runId });
  expect(restate.asked).toHaveLength(2);
  const { engine: alone } = await open(`http://127.0.0.1:${gone}`, { patienceMs: 0 });
  await expect(alone.start(SPEC, {}, { runId: "3" })).rejects.toMatchObject({
    code: "store.io",
    message: `Restate cannot be reached at http://127.0.0.1:${gone}; is it running?`,
    retryable: true,
  });
});

it("bears with servers that have no leader, and says what else they refused without its inside", async () => {
  let times = 0;
  const accepted: Answer = [202, { invocationId: "inv_1", status: "Accepted" }];
  const busy = await fakeRestate({
    "POST /": () => (++times < 3 ? [503, { message: "no leader" }] : accepted),
  });
  expect(await (await open(busy.url)).engine.start(SPEC, {}, { runId: "r" })).toEqual({ created: true });
  for (const [status, text] of [
    [404, /^Restate knows no service "troupe-runs"/],
    [413, /larger than Restate takes/],
    [400, /^Restate refused a request \(status 400\)$/],
  ] as const) {
    const strict = await fakeRestate({ "POST /": () => [status, { message: "secret" }] });
    const { engine } = await open(strict.url);
    await expect(engine.start(SPEC, {}, { runId: "r" })).rejects.toThrow(text);
  }
});

it("sends no more than a run may hold", async () => {
  const restate = await fakeRestate();
  const { engine } = await open(restate.url);
  const large = "x".repeat(8_400_000);
  await expect(engine.start(SPEC, large, { runId: "r" })).rejects.toThrow(
    "the workflow and what it is given are 8.5 MB, of at most 8.4 MB; hand on what is large as a file",
  );
  const kept = { a: result("x".repeat(7_400_000)) };
  await expect(engine.start(SPEC, plain({ objective: "o", kept }), { runId: "r" })).rejects.toThrow(
    "the results kept of the earlier run are 7.5 MB, of at most 7.4 MB; begin it at an earlier step, so that there is room for what is new",
  );
  const answer = engine.signal("r", "s", large, { idempotencyKey: "k" });
  await expect(answer).rejects.toMatchObject({ code: "input.too-large" });
  expect(restate.asked).toEqual([]);
});

it("sends the largest workflow there is with the most that a conversation hands over and a run can keep", async () => {
  const restate = await fakeRestate({ "POST /": () => [202, { invocationId: "inv_1", status: "Accepted" }] });
  const { engine } = await open(restate.url);
  const step = (n: number, earlier: readonly string[]) => ({
    id: `s${n}`,
    agent: "a",
    instruction: "字".repeat(1_900),
    earlier,
  });
  const names = Array.from({ length: 20 }, (_, n) => `turn1.s${n}`);
  const workflow = workflowSchema.parse({
    version: 1,
    name: "large",
    steps: Array.from({ length: 100 }, (_, n) => step(n, n === 0 ? names : [])),
  });
  const spec = normalizeWorkflow(workflow);
  const thread: Thread = [
    {
      turn: 1,
      runId: "before",
      asked: "字".repeat(5_000),
      status: "completed",
      answer: "",
      steps: names.map((name) => ({
        name,
        id: name,
        kind: "agent" as const,
        agent: "a",
        instruction: "",
        dependsOn: [],
        earlier: [],
        result: { ...result("字".repeat(700_000)), stepId: name, data: { found: "x".repeat(700_000) } },
      })),
    },
  ];
  const earlier = earlierContext(spec, thread);
  const approval = { workflow };
  const kept = { s1: result("x".repeat(7 * 2 ** 20 - 1_000)) };
  const input = plain({ objective: "字".repeat(10_000), earlier, approval, kept });
  expect(await engine.start(spec, input, { runId: "r" })).toEqual({ created: true });
});

it("signals a run under a key that any text may be, and none where there is no run", async () => {
  let output: Answer = [470, { message: "not ready" }];
  const restate = await fakeRestate({
    "GET /restate/workflow/troupe-runs/r/output": () => output,
    "POST /troupe-runs/r/signal": () => [200, "accepted"],
  });
  const { engine } = await open(restate.url);
  const signal = () => engine.signal("r", "human:a", { n: 1 }, { idempotencyKey: "é\r\nx-admin: 1" });
  expect(await signal()).toBe("accepted");
  const [, sent] = restate.asked;
  expect(sent).toMatchObject({ body: { name: "human:a", value: { n: 1 } } });
  expect(sent?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{64}$/);
  expect(sent?.headers).not.toHaveProperty("x-admin");
  output = [404, { code: 404, message: "invocation not found", source: "ingress" }];
  expect(await signal()).toBe("no-run");
  output = [409, { code: 409, message: "killed", source: "invocation" }];
  expect(await signal()).toBe("no-run");
  expect(restate.asked).toHaveLength(4);
});

it("waits for the end of a run through absences of Restate", async () => {
  const outcome = outcomeOf({ runId: "r" }, "done");
  const answers: Answer[] = [
    [503, { message: "no leader" }],
    [500, { message: "gone" }],
    [200, outcome as unknown as Json],
  ];
  const restate = await fakeRestate({ "GET ": () => answers.shift() ?? [404, { source: "invocation" }] });
  const { engine } = await open(restate.url);
  expect(await engine.result("r")).toEqual(outcome);
  await expect(engine.result("r")).rejects.toMatchObject({ code: "input.not-found" });
});

it("tells of a run what Restate has of it: how it ended, what it was handed and what was answered", async () => {
  const outcome = outcomeOf({ runId: "r" }, "done");
  const request = { spec: SPEC, input: { objective: "o" } };
  const bytes = (value: Json) => [...Buffer.from(JSON.stringify({ ok: true, value }))];
  const entries = [
    { Command: { Run: { completion_id: 1, name: "a" } } },
    { Notification: { Completion: { Run: { completion_id: 1, result: { Success: bytes("found") } } } } },
    { Command: { GetPromise: { completion_id: 2, key: "human:b" } } },
    { Notification: { Completion: { GetPromise: { completion_id: 2, result: { Success: bytes(5) } } } } },
  ];
  const told = (sql: string): Json =>
    sql.includes("sys_promise")
      ? [{ key: "human:b", value: JSON.stringify({ ok: true, value: 5 }) }, { key: "rejected" }]
      : entries.map((entry) => ({ entry: JSON.stringify(entry) }));
  const restate = await fakeRestate({
    "GET /restate/workflow/troupe-runs/r/output": () => [200, plain(outcome)],
    "POST /troupe-runs/r/request": () => [200, plain(request)],
    "POST /troupe-runs/r/order": () => [200, order],
    "POST /query": () => [200, { rows: told(JSON.stringify(restate.asked.at(-1)?.body)) }],
  });
  const { engine } = await open(restate.url);
  let order = ["a", "signal:human:b"];
  const journal = [
    { name: "a", value: { ok: true, value: "found" } },
    { name: "signal:human:b", value: { ok: true, value: 5 } },
  ];
  const known = { ...request, outcome, signals: new Map([["human:b", 5]]) };
  expect(await engine.recorded("r")).toEqual({ ...known, journal });
  // What an operator of Restate canceled has no value of its own; where another one is missing, there is no journal.
  order = ["a", "signal:$cancel"];
  expect((await engine.recorded("r"))?.journal?.[1]).toMatchObject({
    value: { value: { reason: "canceled in Restate" } },
  });
  order = ["a", "b"];
  expect(await engine.recorded("r")).toEqual(known);
  expect(await engine.input("r")).toEqual({ objective: "o" });
});

it("takes a run for gone by Restate's own word alone", async () => {
  let output: Answer = [404, { code: 404, message: "invocation not found", source: "ingress" }];
  const restate = await fakeRestate({ "GET ": () => output });
  const { engine } = await open(restate.url);
  expect(await engine.recorded("r")).toBeUndefined();
  output = [410, { code: 410, message: "gone", source: "ingress" }];
  expect(await engine.recorded("r")).toBeUndefined();
  for (const [status, body] of [
    [404, "no such route"],
    [410, { message: "moved" }],
    [401, { code: 401, message: "who are you", source: "ingress" }],
  ] as const) {
    output = [status, body];
    await expect(engine.recorded("r")).rejects.toMatchObject({ code: "workflow.internal" });
    await expect(engine.result("r")).rejects.toMatchObject({ code: "workflow.internal" });
    await expect(engine.signal("r", "s", 1, { idempotencyKey: "k" })).rejects.toMatchObject({
      code: "workflow.internal",
    });
  }
});

it("ends a run as failed that was ended from outside, and tells it", async () => {
  const killed: Answer = [409, { code: 409, message: "killed", source: "invocation" }];
  const restate = await fakeRestate({ "GET ": () => killed });
  const { engine, events } = await open(restate.url);
  await events.begin({ runId: "r", name: "w", objective: "o" });
  expect(await engine.result("r")).toMatchObject({ outcome: "failed", error: { code: "workflow.internal" } });
  await expect.poll(() => events.events("r")).toHaveLength(1);
  expect(events.events("r")).toMatchObject([{ type: "finish", outcome: "failed" }]);
});

it("lets waiters go with their own reason, and all when it is closed", async () => {
  const waiting = Promise.withResolvers<void>();
  const server = await serveHttp(() => waiting.resolve());
  onTestFinished(() => server.close());
  const { engine } = await open(server.url);
  const leave = new AbortController();
  const left = engine.result("r", { signal: leave.signal });
  const stays = engine.result("r");
  await waiting.promise;
  leave.abort(new AgentError("agent.timeout", "waited long enough"));
  await expect(left).rejects.toMatchObject({ code: "agent.timeout" });
  await engine.close();
  await expect(stays).rejects.toMatchObject({ code: "workflow.closed" });
  await expect(engine.start(SPEC, {}, { runId: "s" })).rejects.toMatchObject({ code: "workflow.closed" });
});

it("tells which runs stand still and why, of any name", async () => {
  const paused = (code: string) =>
    JSON.stringify({ ty: "Paused", last_failure: { error_message: "secret", restate_doc_error_code: code } });
  const rows = [
    { id: "inv_1", key: "new", status: "backing-off", failure: "secret", code: "RT0016" },
    { id: "inv_2", key: "old", status: "paused", event: paused("RT0016") },
    { id: "inv_3", key: "ill", status: "paused", event: paused("RT0010") },
    { id: "inv_3", key: "ill", status: "paused", event: paused("RT0006") },
    { id: "inv_4", key: "soon", status: "backing-off", failure: "secret", code: "RT0010" },
  ];
  const restate = await fakeRestate({ "POST /query": () => [200, { rows }] });
  const { engine } = await open(restate.url);
  const stuck = await engine.stuck(["it's", "b"]);
  expect([...stuck].map(([runId, error]) => [runId, (error as AgentError).code])).toEqual([
    ["new", "workflow.journal-mismatch"],
    ["old", "workflow.journal-mismatch"],
    ["ill", "workflow.internal"],
  ]);
  expect([...stuck.values()].join()).not.toContain("secret");
  expect(restate.asked[0]?.body).toMatchObject({
    query: expect.stringContaining("IN ('it''s', 'b')") as Json,
  });
  expect([...(await engine.stuck([]))]).toEqual([]);
  expect(restate.asked).toHaveLength(1);
});
