import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

const agent = scriptedAgent(() => answering(["hello"]));

function post(url: string, body: object, headers: object = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

let next = 0;
const message = () => ({ messageId: `m${next++}`, role: "user", parts: [{ kind: "text", text: "hi" }] });

describe("clients that know an agent's address only", () => {
  it.each(["", "/"])("post calls of both versions to it (%j)", async (path) => {
    await withServed({ agent }, async ({ url }) => {
      const old = await post(url + path, { id: "1", method: "message/send", params: { message: message() } });
      expect(await old.json()).toMatchObject({ jsonrpc: "2.0", id: "1", result: { kind: "task" } });
      const streamed = await post(url + path, {
        id: "2",
        method: "message/stream",
        params: { message: message() },
      });
      expect(streamed.headers.get("content-type")).toContain("text/event-stream");
      expect(await streamed.text()).toContain('"final":true');
      const parts = [{ text: "hi" }];
      const params = { message: { messageId: "1.0", role: "ROLE_USER", parts } };
      const call = { jsonrpc: "2.0", id: 3, method: "SendMessage", params };
      const current = await post(url + path, call, { "A2A-Version": "1.0" });
      expect(await current.json()).toMatchObject({ id: 3, result: { task: {} } });
    });
  });

  it("do so below the path of a public address, with and without it, and only with credentials", async () => {
    const authenticate = ({ authorization }: { readonly [name: string]: unknown }) =>
      Promise.resolve(authorization === "ann" ? { id: "ann", scopes: ["*"] } : undefined);
    await withServed({ agent, authenticate, publicUrl: "https://a.example/agents/x" }, async ({ url }) => {
      for (const path of ["/agents/x", "/agents/x/", "/"]) {
        const call = { method: "message/send", params: { message: message() } };
        const answer = await post(url + path, call, { Authorization: "ann" });
        expect(await answer.json()).toMatchObject({ result: { kind: "task" } });
        expect((await post(url + path, call)).status).toBe(401);
      }
    });
  });

  it("find the card where 0.2 had it", async () => {
    await withServed({ agent }, async ({ url }) => {
      const [old, current] = await Promise.all(
        ["agent.json", "agent-card.json"].map((name) => fetch(`${url}/.well-known/${name}`)),
      );
      expect(await old?.json()).toEqual(await current?.json());
    });
  });
});

it.each<[string, object]>([
  ["a wrong jsonrpc", { jsonrpc: "1.0", id: 1, method: "message/send", params: {} }],
  ["no jsonrpc and bad params", { id: 1, method: "message/send", params: {} }],
  ["a bad id and bad params", { jsonrpc: "2.0", id: {}, method: "message/send", params: "x" }],
  ["no method", { jsonrpc: "2.0", id: 1, params: {} }],
])("refuses a call of 0.3 with %s as an invalid request", async (_, call) => {
  await withServed({ agent }, async ({ url }) => {
    expect(await (await post(`${url}/a2a/jsonrpc`, call)).json()).toMatchObject({ error: { code: -32600 } });
  });
});

it("takes a push config over REST of 0.3 as the Python SDK wraps it", async () => {
  await withServed({ agent, push: true }, async ({ url }) => {
    const sent = await post(`${url}/a2a/jsonrpc`, { method: "message/send", params: { message: message() } });
    const { result } = (await sent.json()) as { result: { id: string } };
    const parent = `tasks/${result.id}`;
    const path = `${url}/a2a/rest/v1/${parent}/pushNotificationConfigs`;
    const pushNotificationConfig = { url: "https://hooks.example.com/x", token: "t" };
    const config = { name: `${parent}/pushNotificationConfigs/`, pushNotificationConfig };
    for (const [given, id] of [
      [{ configId: "mine" }, "mine"],
      [{ config_id: "other" }, "other"],
      [{}, expect.stringMatching(/^[0-9a-f-]{36}$/) as string],
    ] as const) {
      const answer = await post(path, { parent, config, ...given });
      expect([answer.status, await answer.json()]).toMatchObject([
        201,
        {
          name: expect.stringContaining(`${parent}/pushNotificationConfigs/`) as string,
          pushNotificationConfig: { id, url: pushNotificationConfig.url },
        },
      ]);
    }
  });
});

it.each(["https://localhost./x", "https://LOCALHOST/x", "https://a.localhost./x", "https://127.0.0.1./x"])(
  "refuses to notify %s",
  async (address) => {
    await withServed({ agent, push: true }, async ({ url }) => {
      const configuration = { pushNotificationConfig: { url: address } };
      const call = { method: "message/send", params: { message: message(), configuration } };
      expect(await (await post(url, call)).json()).toMatchObject({
        error: { code: -32602, message: expect.stringContaining("which is no public address") as string },
      });
    });
  },
);
