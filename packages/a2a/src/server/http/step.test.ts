import { serveHttp } from "@troupe/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { scriptedAgent, withServed, answering } from "../../testing/index.ts";
import { sendJson } from "./send-json.ts";
import { inTurn, type ErrorStep, type Step } from "./step.ts";

async function serve(steps: readonly Step[], errors: readonly ErrorStep[]): Promise<string> {
  const server = await serveHttp(inTurn(steps, errors));
  onTestFinished(server.close);
  return server.url;
}

const goOn: Step = (_req, _res, next) => next();
const tells: ErrorStep = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else sendJson(res, 500, { told: String(error) });
};
const passesOn: ErrorStep = (_error, _req, _res, next) => next();

describe("steps in turn", () => {
  it("are done one after another, until one answers", async () => {
    const done: string[] = [];
    const noting =
      (name: string): Step =>
      async (_req, _res, next) => {
        done.push(name);
        await Promise.resolve();
        next();
      };
    const answers: Step = (_req, res) => sendJson(res, 200, { ok: true });
    const url = await serve([noting("a"), noting("b"), answers, noting("never")], [tells]);
    expect(await (await fetch(url)).json()).toEqual({ ok: true });
    expect(done).toEqual(["a", "b"]);
  });

  it.each<[string, Step]>([
    ["tells", (_req, _res, next) => next(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["is rejected with", () => Promise.reject(new Error("broken"))],
  ])("hand an error that one %s to whoever answers it", async (_, broken) => {
    const url = await serve([goOn, broken, goOn], [passesOn, tells]);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ told: "Error: broken" });
  });

  it("end the connection of an answer that breaks off, instead of leaving it open", async () => {
    const breaksOff: Step = (_req, res) => {
      res.writeHead(200, { "Content-Length": 10 });
      res.write("half");
      throw new Error("broken");
    };
    const url = await serve([breaksOff], [tells]);
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow(TypeError);
  });
});

it.each([
  "/a2a/jsonrpc",
  "/a2a/jsonrpc?x=1",
  "/a2a/jsonrpc/",
  "/A2A/JsonRpc",
  "/agents/one/a2a/jsonrpc",
  "/agents/one/a2a/jsonrpc/",
])("a call to %s is answered", async (path) => {
  const agent = scriptedAgent(() => answering(["hello"]));
  await withServed({ agent, publicUrl: "https://a.example/agents/one/" }, async ({ url }) => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ id: 1, result: { task: { artifacts: [{}, {}] } } });
  });
});

it.each([
  ["/a2a/jsonrpc", { jsonrpc: "2.0", id: null, error: { data: [{ reason: "UNAUTHENTICATED" }] } }],
  ["/agents/one/a2a/jsonrpc", { jsonrpc: "2.0", id: null, error: { data: [{ reason: "UNAUTHENTICATED" }] } }],
  ["/a2a/rest/message:send", { error: { code: 401, status: "UNAUTHENTICATED" } }],
  ["/agents/one/a2a/rest/message:send", { error: { code: 401, status: "UNAUTHENTICATED" } }],
])("a stranger's call to %s is refused in the words of its binding", async (path, words) => {
  const agent = scriptedAgent(() => answering(["hello"]));
  const options = { agent, authenticate: async () => undefined, publicUrl: "https://a.example/agents/one/" };
  await withServed(options, async ({ url }) => {
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: "{}" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject(words);
  });
});

it.each([
  [
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    403,
    /https:..evil.example.*publicUrl/,
  ],
  [{ Origin: "null" }, 403, /null.*authentication/],
  [{ "Sec-Fetch-Site": "cross-site" }, 403, /another site.*authentication/],
  [{ Origin: "http://localhost:3000", "Sec-Fetch-Site": "same-site" }, 404, /not found/],
  [{ Origin: "https://a.example", "Sec-Fetch-Site": "same-origin" }, 404, /not found/],
  [{}, 404, /not found/],
])("what a page with %j has a browser send is answered with %i", async (headers, status, words) => {
  const agent = scriptedAgent(() => answering(["hello"]));
  await withServed({ agent, publicUrl: "https://a.example" }, async ({ url }) => {
    const path = `${url}/a2a/rest/tasks/t:cancel?A2A-Version=1.0`;
    const response = await fetch(path, { method: "POST", headers });
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(words);
    expect((await fetch(`${url}/livez`, { headers })).status).toBe(200);
  });
});
