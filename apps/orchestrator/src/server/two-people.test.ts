import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent, type RemoteAgent } from "@troupe/a2a/client";
import { serveAgent, type Authenticate } from "@troupe/a2a/server";
import { answering, collect, scriptedAgent } from "@troupe/a2a/testing";
import { ownerIn, silentLog, systemClock } from "@troupe/core";
import { addKey, homeArtifacts, openProcessAuth } from "@troupe/service";
import { agentSettings } from "@troupe/service/agent";
import type { AgentEvent, ArtifactRef } from "@troupe/stream";
import { expect, it, onTestFinished } from "vitest";

import { freePorts } from "../supervisor/free-port.ts";
import { KEY_SET_PATH } from "./key-set-handler.ts";
import { settings } from "./settings.ts";
import { start } from "./start.ts";

const signal = AbortSignal.timeout(40_000);
type Headers = Parameters<Authenticate>[0];

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "troupe-people-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An agent of ours on a machine of its own, which makes a file for whoever it works for. */
async function makesFiles(name: string, boss: string) {
  const home = folder();
  let url = "";
  const files = homeArtifacts({ home, baseUrl: () => url, log: silentLog, authenticated: true });
  const agent = scriptedAgent(
    async function* (request) {
      const meta = { name: `${name}.txt`, mediaType: "text/plain", owner: ownerIn(request) };
      const bytes = new TextEncoder().encode(`${name} for ${request.userId}`);
      yield { type: "artifact", artifact: await files.store.put(bytes, meta) };
      yield* answering([`Done for ${request.userId}.`]);
    },
    { name },
  );
  const given = { home, auth: "on", trusted_issuers: { [boss]: `${boss}${KEY_SET_PATH}` } };
  const auth = openProcessAuth(agentSettings(0).parse(given), { addresses: () => [url], log: silentLog });
  if (auth === undefined) throw new Error("authentication is off");
  const heard: Headers[] = [];
  const served = await serveAgent({
    agent,
    authenticate: (headers) => {
      heard.push(headers);
      return auth.authenticate(headers);
    },
    security: auth.security(name),
    openRoutes: files.openRoutes,
    routes: files.routes,
  });
  onTestFinished(() => served.close());
  url = served.url;
  return { agent, heard, url, home };
}

/** An orchestrator and two agents that ask who calls, a foreign one that does not, and two people. */
async function staged() {
  const [port = 0] = await freePorts(1);
  const boss = `http://127.0.0.1:${port}`;
  const notes = await makesFiles("notes-agent", boss);
  const data = await makesFiles("data-agent", boss);
  const foreign = scriptedAgent(() => answering(["Hello."]), { name: "foreign-agent" });
  const heardAbroad: Headers[] = [];
  const abroad = await serveAgent({
    agent: foreign,
    // Its card says nothing of this: it asks nobody, and takes whatever comes.
    authenticate: async (headers) => {
      heardAbroad.push(headers);
      return { id: "anybody", scopes: ["*"] };
    },
  });
  onTestFinished(() => abroad.close());
  const home = folder();
  const agents = [notes.url, data.url, abroad.url];
  const open = async () => {
    const running = await start(settings.parse({ home, port, agents, auth: "on" }), { log: silentLog });
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= running.close());
    onTestFinished(close);
    return close;
  };
  const key = (user: string, scopes: readonly string[]): string =>
    addKey({ home, name: user, user, scopes, clock: systemClock }).key;
  const tokens = {
    ann: key("ann", ["*"]),
    bob: key("bob", ["agent:orchestrator", "agent:notes-agent", "agent:foreign-agent"]),
  };
  const as = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  const get = (path: string, token: string) => fetch(boss + path, { headers: as(token) });
  const connect = (token: string) => connectAgent(boss, { headers: () => as(token), signal });
  return { boss, notes, data, heardAbroad, open, tokens, as, get, connect };
}

async function turn(remote: RemoteAgent, request: Parameters<RemoteAgent["send"]>[0]) {
  const { taskId } = await remote.send(request, { signal });
  const events = await collect(remote.join(taskId, { signal }));
  const files = events.flatMap((event): ArtifactRef[] => (event.type === "artifact" ? [event.artifact] : []));
  const end = events.at(-1);
  if (end?.type !== "finish") throw new Error("the turn did not end");
  return { taskId, events, files, end };
}

const steps = [
  { agent: "notes-agent", instruction: "Note." },
  { agent: "data-agent", instruction: "Count." },
  { agent: "foreign-agent", instruction: "Greet." },
];
const workflow = { version: 1, name: "Both", mode: "parallel", final: "synthesize", steps };
const asked = { text: "Go.", contextId: "shared", messageId: "same", userId: "root", metadata: { workflow } };
const states = (events: readonly AgentEvent[]) =>
  Object.fromEntries(
    events.flatMap((event) =>
      event.type === "step-status" ? [[event.step, [event.state, event.reason]]] : [],
    ),
  );

it("keeps two people apart, in tasks, runs and files, and takes neither further than they may go", async () => {
  const { boss, notes, data, heardAbroad, open, tokens, as, get, connect } = await staged();
  await open();
  const [ann, bob] = await Promise.all([connect(tokens.ann), connect(tokens.bob)]);
  const [mine, theirs] = await Promise.all([turn(ann, asked), turn(bob, asked)]);

  // Each got their own run of the same words, and the agents worked for each by name.
  expect(mine.end.outcome).toBe("completed");
  expect(theirs.taskId).not.toBe(mine.taskId);
  expect(notes.agent.requests).toHaveLength(2);
  expect(new Set(notes.agent.requests.map(({ userId }) => userId))).toEqual(new Set(["ann", "bob"]));
  for (const { scopes } of notes.agent.requests) expect(scopes).toEqual(["agent:notes-agent"]);

  // What Bob may not use was not asked for him, and his run says so.
  expect(theirs.end.outcome).toBe("partial");
  expect(states(theirs.events)).toMatchObject({
    "notes-agent": ["completed", undefined],
    "data-agent": ["failed", expect.stringContaining('"bob" may not use agent "data-agent"')],
  });
  expect(data.agent.requests.map(({ userId }) => userId)).toEqual(["ann"]);

  // Nobody sees what the other has.
  const lost = { code: "agent.task-lost" };
  for (const [other, { taskId }] of [
    [bob, mine],
    [ann, theirs],
  ] as const) {
    await expect(collect(other.join(taskId, { signal }))).rejects.toMatchObject(lost);
    await expect(other.cancel(taskId)).rejects.toMatchObject(lost);
    const joined = await turn(other, { text: "", metadata: { run_id: taskId } });
    expect(joined.end).toMatchObject({ outcome: "failed", error: { code: "input.not-found" } });
  }
  const runsOf = async (token: string) =>
    ((await (await get("/api/runs", token)).json()) as { runId: string }[]).map(({ runId }) => runId);
  expect(await runsOf(tokens.ann)).toEqual([mine.taskId]);
  expect(await runsOf(tokens.bob)).toEqual([theirs.taskId]);
  for (const id of [mine.taskId, mine.taskId.slice(0, 6)])
    expect((await get(`/api/runs/${id}`, tokens.bob)).status).toBe(404);
  for (const what of ["", "/detail", "/events", "/export"]) {
    const theirs = await get(`/api/runs/${mine.taskId}${what}`, tokens.bob);
    const nobodys = await get(`/api/runs/nosuch${what}`, tokens.bob);
    expect([what, theirs.status, nobodys.status]).toEqual([what, 404, 404]);
    const said = (await theirs.text()).replaceAll(mine.taskId, "nosuch");
    expect(said).toBe(await nobodys.text());
    expect((await get(`/api/runs/${mine.taskId}${what}`, tokens.ann)).status).toBe(200);
  }
  for (const deed of ["resume", "retry?from=notes-agent"]) {
    const post = { method: "POST", headers: as(tokens.bob) };
    expect((await fetch(`${boss}/api/runs/${mine.taskId}/${deed}`, post)).status).toBe(404);
  }
  const taken = await turn(bob, { text: "", metadata: { retry_of: mine.taskId } });
  expect(taken.end).toMatchObject({ outcome: "failed", error: { code: "input.not-found" } });
  const names = ((await (await get("/api/agents", tokens.bob)).json()) as { name: string }[]).map(
    ({ name }) => name,
  );
  expect(names.toSorted()).toEqual(["foreign-agent", "notes-agent"]);

  // Their files were taken over, for each their own.
  expect(mine.files.map(({ name }) => name).toSorted()).toEqual(["data-agent.txt", "notes-agent.txt"]);
  for (const { url } of mine.files) {
    const { pathname, origin } = new URL(url);
    expect(origin).toBe(boss);
    expect(await (await get(pathname, tokens.ann)).text()).toMatch(/^(data|notes)-agent for ann$/);
    expect((await get(pathname, tokens.bob)).status).toBe(404);
    expect((await fetch(boss + pathname)).status).toBe(401);
  }

  // What people brought stayed at the door, and who asks nobody was shown nothing.
  const shown = [...notes.heard, ...data.heard].map((headers) => String(headers["authorization"]));
  expect(shown.length).toBeGreaterThan(4);
  for (const token of Object.values(tokens)) expect(shown.join()).not.toContain(token.slice(0, 15));
  expect(heardAbroad.length).toBeGreaterThan(2);
  for (const headers of heardAbroad) expect(headers["authorization"]).toBeUndefined();

  // A key of the orchestrator is none of an agent on another machine.
  const direct = await connectAgent(data.url, { headers: () => as(tokens.bob), signal });
  await expect(direct.send({ text: "x" }, { signal })).rejects.toMatchObject({
    code: "agent.unauthenticated",
  });

  // A token for one agent is none for the other, nor for the orchestrator.
  const token = String(notes.heard.at(-1)?.["authorization"]).slice("Bearer ".length);
  for (const url of [data.url, boss])
    expect(
      (await fetch(`${url}/a2a/rest/tasks`, { headers: { ...as(token), "A2A-Version": "1.0" } })).status,
    ).toBe(401);
});

it("knows after a restart what whoever began the run may use", async () => {
  const { open, data, tokens, connect } = await staged();
  const close = await open();
  const form = { title: "Who?", fields: [{ field_name: "audience" }] };
  const ask = { id: "ask", kind: "human", instruction: "Who?", form };
  const then = [ask, { ...steps[0], depends_on: ["ask"] }, { ...steps[1], depends_on: ["ask"] }];
  const bob = await connect(tokens.bob);
  const metadata = {
    workflow: { version: 1, name: "Ask", mode: "parallel", final: "synthesize", steps: then },
  };
  const first = await turn(bob, { text: "Go.", metadata });
  expect(first.end.outcome).toBe("input-required");
  await close();
  await open();
  const reply = { requestId: "ask", values: { audience: "Board" } };
  const done = await turn(await connect(tokens.bob), { reply, taskId: first.taskId });
  expect(done.end.outcome).toBe("partial");
  expect(states(done.events)).toMatchObject({
    "notes-agent": ["completed", undefined],
    "data-agent": ["failed", expect.stringContaining("agent:data-agent")],
  });
  expect(data.agent.requests).toEqual([]);
});

it("does a run again for whoever began it, with what they may use now, and leaves them the files it kept", async () => {
  const { boss, notes, data, open, tokens, as, get, connect } = await staged();
  await open();
  const ann = await connect(tokens.ann);
  const { taskId } = await turn(ann, asked);
  const post = { method: "POST", headers: as(tokens.ann) };
  const answer = await fetch(`${boss}/api/runs/${taskId}/retry?from=data-agent`, post);
  const { runId } = (await answer.json()) as { readonly runId: string };
  const again = await turn(ann, { text: "", metadata: { run_id: runId } });
  expect(again.end.outcome).toBe("completed");
  expect([notes.agent.requests.length, data.agent.requests.length]).toEqual([1, 2]);
  expect(data.agent.requests[1]).toMatchObject({ userId: "ann", scopes: ["agent:data-agent"] });
  const { artifacts } = (await (await get(`/api/runs/${runId}/detail`, tokens.ann)).json()) as {
    readonly artifacts: readonly ArtifactRef[];
  };
  expect(artifacts.map(({ name }) => name).toSorted()).toEqual(["data-agent.txt", "notes-agent.txt"]);
  for (const { url, name } of artifacts) {
    const { pathname, origin } = new URL(url);
    expect(origin).toBe(boss);
    expect(await (await get(pathname, tokens.ann)).text()).toBe(`${name.replace(".txt", "")} for ann`);
    expect((await get(pathname, tokens.bob)).status).toBe(404);
  }
  // Her file leaves with neither her name nor what she may do.
  const text = await (await get(`/api/runs/${runId}/export`, tokens.ann)).text();
  const { input } = JSON.parse(text) as { readonly input: object };
  expect(Object.keys(input).toSorted()).toEqual(["kept", "objective", "retryOf"]);
});
