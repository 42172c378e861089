import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";

import { AgentCard, TaskState } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { systemClock } from "@troupe/core";
import type { Express } from "express";
import { describe, expect, it } from "vitest";

import {
  answering,
  collect,
  heldAgent,
  plainMessage,
  scriptedAgent,
  withServed,
} from "../../testing/index.ts";
import { createMemoryTaskStore } from "../../store/memory-task-store.ts";
import type { TaskStore } from "../../store/task-store.ts";
import { textOf } from "../../wire/parts.ts";
import { serveAgent } from "../serve-agent.ts";
import type { Lacks } from "./health.ts";

const agent = scriptedAgent(() => answering(["hello"]));
const JSON_TYPE = { "Content-Type": "application/json" };

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: text });
}

describe("the HTTP side", () => {
  it("serves the card as ProtoJSON to 1.0 and as a 0.3 card to who names no version, with an ETag", async () => {
    await withServed({ agent, publicUrl: "https://agents.example/rag/" }, async ({ url }) => {
      const address = `${url}/.well-known/agent-card.json`;
      const current = await fetch(address, { headers: { "A2A-Version": "1.0" } });
      const json: unknown = await current.json();
      const card = AgentCard.fromJSON(json);
      expect(AgentCard.toJSON(card)).toEqual(json);
      expect(JSON.stringify(json)).not.toContain("$case");
      expect(card.supportedInterfaces[0]?.url).toBe("https://agents.example/rag/a2a/jsonrpc");
      const again = await fetch(address, {
        headers: {
          "A2A-Version": "1.0",
          "If-None-Match": current.headers.get("ETag") ?? "",
          "Cache-Control": "max-age=0",
        },
      });
      expect(again.status).toBe(304);
      const old: unknown = await (await fetch(address)).json();
      expect(old).toMatchObject({
        url: "https://agents.example/rag/a2a/jsonrpc",
        preferredTransport: "JSONRPC",
      });
    });
  });

  it("serves a 0.3 client: JSON-RPC blocking and streaming, and REST", async () => {
    await withServed({ agent }, async ({ url }) => {
      // A server of 0.3 knows nothing of the 1.0 interfaces.
      const raw = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
      const old = JSON.parse(raw, (key, value: unknown) =>
        key === "supportedInterfaces" ? undefined : value,
      ) as AgentCard;
      const legacyCompat = { enabled: true };
      const client = await new ClientFactory({
        transports: [new JsonRpcTransportFactory({ legacyCompat })],
        cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
      }).createFromAgentCard(old);
      expect(client.protocolVersion).toBe("0.3");
      const task = await client.sendMessage(plainMessage("hi"));
      expect("artifacts" in task && task.artifacts.map((artifact) => textOf(artifact.parts))).toContain(
        "hello",
      );
      const events = await collect(client.sendMessageStream(plainMessage("hi")));
      expect(events.map(({ payload }) => payload?.$case)).toContain("artifactUpdate");
      const message = {
        kind: "message",
        messageId: "m",
        role: "user",
        parts: [{ kind: "text", text: "hi" }],
      };
      const rest = await post(`${url}/a2a/rest/v1/message:send`, {
        message: { messageId: "m2", role: "ROLE_USER", content: [{ text: "hi" }] },
        configuration: { blocking: true },
      });
      expect(await rest.text()).toContain("hello");
      const rpc = await post(`${url}/a2a/jsonrpc`, {
        jsonrpc: "2.0",
        id: 1,
        method: "message/send",
        params: { message },
      });
      expect(await rpc.json()).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
    });
  });

  it("refuses a version it does not speak, and a 0.3 body sent as 1.0 instead of damaging it", async () => {
    await withServed({ agent }, async ({ url }) => {
      const params = { message: { messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] } };
      const call = { jsonrpc: "2.0", id: 7, method: "SendMessage", params };
      const future = await post(`${url}/a2a/jsonrpc`, call, { "A2A-Version": "9.0" });
      expect(await future.json()).toMatchObject({ id: 7, error: { code: -32009 } });
      const damaged = await post(`${url}/a2a/jsonrpc`, call, { "A2A-Version": "1.0" });
      expect(await damaged.json()).toMatchObject({
        id: 7,
        error: { code: -32602, message: expect.stringMatching(/role/) as unknown },
      });
    });
  });

  it("says which version a method is of, where it is asked for in the other", async () => {
    await withServed({ agent }, async ({ url }) => {
      const call = (method: string): object => ({ jsonrpc: "2.0", id: 7, method, params: {} });
      const unnamed = await post(`${url}/a2a/jsonrpc`, call("GetTask"));
      const told = {
        code: -32601,
        message: expect.stringContaining("Send the header A2A-Version: 1.0.") as unknown,
      };
      expect(await unnamed.json()).toMatchObject({ id: 7, error: told });
      const old = await post(`${url}/a2a/jsonrpc`, call("tasks/get"), { "A2A-Version": "1.0" });
      const toldToo = {
        code: -32601,
        message: expect.stringContaining("sent without an A2A-Version") as unknown,
      };
      expect(await old.json()).toMatchObject({ id: 7, error: toldToo });
    });
  });

  it.each([
    ["no parts", { messageId: "m", role: "ROLE_USER", parts: [] }, /parts/],
    ["a part without content", { messageId: "m", role: "ROLE_USER", parts: [{}] }, /parts\[0\]/],
    ["no id", { role: "ROLE_USER", parts: [{ text: "x" }] }, /messageId/],
    [
      "an id that is too long",
      { messageId: "m".repeat(257), role: "ROLE_USER", parts: [{ text: "x" }] },
      /messageId has 257 characters/,
    ],
    [
      "a context that is too long",
      { messageId: "m", contextId: "c".repeat(257), role: "ROLE_USER", parts: [{ text: "x" }] },
      /contextId has 257 characters/,
    ],
    [
      "a broken delegation",
      {
        messageId: "m",
        role: "ROLE_USER",
        parts: [{ data: {}, metadata: { "urn:troupe:a2a:events:v1": { v: 1, kind: "delegation" } } }],
      },
      /delegation/,
    ],
  ])("refuses a message with %s, on both bindings", async (_what, message, why) => {
    await withServed({ agent }, async ({ url }) => {
      const version = { "A2A-Version": "1.0" };
      const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
      const rpc = await post(`${url}/a2a/jsonrpc`, call, version);
      expect(await rpc.json()).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(why) as unknown },
      });
      const rest = await post(`${url}/a2a/rest/message:send`, { message }, version);
      expect(rest.status).toBe(400);
      expect(await rest.json()).toMatchObject({ error: { message: expect.stringMatching(why) as unknown } });
    });
  });

  it("answers a body that is too large or no JSON in the protocol's own form", async () => {
    await withServed({ agent, limits: { bodyBytes: 1_000 } }, async ({ url }) => {
      const version = { "A2A-Version": "1.0" };
      const large = JSON.stringify({ x: "x".repeat(2_000) });
      const rpc = await post(`${url}/a2a/jsonrpc`, large, version);
      expect(await rpc.json()).toMatchObject({
        jsonrpc: "2.0",
        error: {
          code: -32602,
          message: expect.stringMatching(/1000 bytes/) as unknown,
          data: [{ reason: "TOO_LARGE" }],
        },
      });
      const rest = await post(`${url}/a2a/rest/message:send`, large, version);
      expect(rest.status).toBe(413);
      expect(await rest.json()).toMatchObject({
        error: {
          code: 413,
          message: expect.stringMatching(/1000 bytes/) as unknown,
          details: [{ reason: "TOO_LARGE", metadata: { limit: "1000" } }],
        },
      });
      const broken = await post(`${url}/a2a/jsonrpc`, "{", version);
      expect(await broken.json()).toMatchObject({ error: { code: -32700 } });
      const client = await new ClientFactory().createFromUrl(url);
      await expect(client.sendMessage(plainMessage("x".repeat(2_000)))).rejects.toThrow(/1000 bytes/);
    });
  });

  it.each([
    ["1.0", "/a2a/rest/tasks/%E0%A4%A"],
    ["0.3", "/a2a/rest/v1/tasks/%E0%A4%A"],
  ])("says of a path of %s that is not encoded that it is not", async (version, path) => {
    await withServed({ agent }, async ({ url }) => {
      const answer = await fetch(url + path, { headers: { "A2A-Version": version } });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/not encoded/);
    });
  });

  it.each([
    ["GET", "/a2a/jsonrpc", "POST"],
    ["GET", "/a2a/rest/message:send", "POST"],
    ["PUT", "/a2a/rest/tasks/t:subscribe", "GET, POST"],
    ["DELETE", "/a2a/rest/tasks/t", "GET"],
    ["PATCH", "/a2a/rest/tasks/t/pushNotificationConfigs", "POST, GET"],
  ])("says which method to use where %s is not one of %s", async (method, path, allow) => {
    await withServed({ agent }, async ({ url }) => {
      const answer = await fetch(url + path, { method, headers: { "A2A-Version": "1.0" } });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
      expect(await answer.text()).toContain(allow);
    });
  });

  it.each([
    ["1.0", "message:send", /application\/json\..*CONTENT_TYPE_NOT_SUPPORTED/],
    ["0.3", "v1/message:send", /"code":-32005,.*Send it as application\/json\./],
    ["1.0", "tasks/t/pushNotificationConfigs", /application\/json\..*CONTENT_TYPE_NOT_SUPPORTED/],
  ])("says how to send a body that came as another type to %s %s", async (version, path, told) => {
    await withServed({ agent }, async ({ url }) => {
      const headers = { "A2A-Version": version, "Content-Type": "text/plain" };
      const answer = await post(`${url}/a2a/rest/${path}`, {}, headers);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(told);
    });
  });

  it.each([
    ["no gzip", Buffer.from("{}"), 400, /could not be read/],
    [
      "gzip that is cut off",
      gzipSync(JSON.stringify({ x: "x".repeat(500) })).subarray(0, 25),
      400,
      /could not/,
    ],
    ["a bomb", gzipSync(" ".repeat(1_000_000)), 413, /1000 bytes/],
  ])("refuses a body said to be gzip that is %s", async (_what, body, status, why) => {
    await withServed({ agent, limits: { bodyBytes: 1_000 } }, async ({ url }) => {
      const headers = { ...JSON_TYPE, "A2A-Version": "1.0", "Content-Encoding": "gzip" };
      for (const path of ["/a2a/jsonrpc", "/a2a/rest/message:send"]) {
        const answer = await fetch(url + path, { method: "POST", headers, body });
        expect(answer.status).toBe(status);
        expect(await answer.json()).toMatchObject({
          error: { message: expect.stringMatching(why) as unknown },
        });
      }
    });
  });

  it("closes connections that send nothing, half a head or half a body, and lets a stream run on", async () => {
    const head = "POST /a2a/jsonrpc HTTP/1.1\r\nhost: 127.0.0.1\r\n";
    const late = ["", `${head}x:`, `${head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`];
    const { agent: slow, goOn } = heldAgent();
    const connectionLimits = { headersMs: 1_000, requestMs: 1_000 };
    await withServed({ agent: slow, connectionLimits }, async ({ url }) => {
      const client = await new ClientFactory().createFromUrl(url);
      const stream = client.sendMessageStream(plainMessage("hi"));
      await stream.next();
      const closed = late.map((sent) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1").resume();
        socket.write(sent);
        return once(socket, "close");
      });
      await Promise.all(closed);
      goOn();
      const events = await collect(stream);
      expect(events.at(-1)?.payload).toMatchObject({
        value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
      });
    });
  });

  it("takes no more connections than it may", async () => {
    await withServed({ agent, connectionLimits: { connections: 1 } }, async ({ url }) => {
      const port = Number(new URL(url).port);
      const first = connect(port, "127.0.0.1");
      await once(first, "connect");
      const second = connect(port, "127.0.0.1").resume();
      await once(second, "close");
      expect(first.destroyed).toBe(false);
      first.destroy();
    });
  });

  it("answers only under its own name on loopback", async () => {
    await withServed({ agent }, async ({ url }) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const call = httpRequest(`${url}/livez`, { headers: { Host: "evil.example" } }, (res) => {
          res.resume();
          resolve(res.statusCode);
        });
        call.on("error", reject).end();
      });
      expect(status).toBe(403);
      const both = ["Host", "127.0.0.1", "Host", "evil.example", "Connection", "close"];
      const two = httpRequest(`${url}/livez`, { headers: both }).end();
      const [answer] = (await once(two, "response")) as [IncomingMessage];
      expect(answer.resume().statusCode).toBe(403);
      expect((await fetch(url.replace("127.0.0.1", "localhost") + "/livez")).status).toBe(200);
    });
  });

  it("says that it lives, whether it is ready and why not, and mounts further routes", async () => {
    const ready = (): Promise<Lacks> => Promise.resolve({ model: ["no model"] });
    const routes = (app: Express): void => {
      app.get("/files", (_req, res) => res.send("files"));
      app.get("/broken", () => {
        throw new Error("secret");
      });
    };
    await withServed({ agent, ready, routes }, async ({ url, instance }) => {
      expect(await (await fetch(`${url}/livez`)).json()).toEqual({ ok: true, instance });
      const readyz = await fetch(`${url}/readyz`);
      expect(readyz.status).toBe(503);
      expect(await readyz.json()).toMatchObject({ ok: false, reasons: ["no model"] });
      expect(await (await fetch(`${url}/files`)).text()).toBe("files");
      const broken = await fetch(`${url}/broken`);
      expect(broken.status).toBe(500);
      expect(await broken.text()).not.toMatch(/secret|at /);
      expect((await fetch(`${url}/nothing`)).status).toBe(404);
    });
  });

  it("does not listen where others reach it without authentication", async () => {
    await expect(serveAgent({ agent, host: "0.0.0.0" })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("names the port that is taken", async () => {
    await withServed({ agent }, async ({ url }) => {
      const { port } = new URL(url);
      await expect(serveAgent({ agent, port: Number(port) })).rejects.toMatchObject({
        code: "input.invalid",
        message: expect.stringContaining(`port ${port} on 127.0.0.1`) as unknown,
      });
    });
  });

  it("lets go of the tasks it holds where it cannot listen", async () => {
    const store = createMemoryTaskStore({ clock: systemClock, leaseMs: 5_000 });
    const holders = new Map<string, string>();
    const { shared } = store;
    if (shared === undefined) throw new Error("not shared");
    const watched: TaskStore = {
      ...store,
      shared: {
        ...shared,
        renew: (holder) => (holders.set(holder, "renewed"), shared.renew(holder)),
        release: (holder) => (holders.set(holder, "released"), shared.release(holder)),
      },
    };
    await withServed({ agent }, async ({ url }) => {
      const port = Number(new URL(url).port);
      await expect(serveAgent({ agent, port, store: watched })).rejects.toThrow("it is taken");
    });
    expect([...holders.values()]).toEqual(["released"]);
  });

  it("lists and reads tasks over REST, page by page, and refuses what it does not offer", async () => {
    await withServed({ agent }, async ({ url }) => {
      const client = await new ClientFactory({
        transports: [new RestTransportFactory()],
      }).createFromUrl(url);
      for (const text of ["a", "b", "c"]) await client.sendMessage(plainMessage(text, { contextId: "c1" }));
      const list = {
        tenant: "",
        contextId: "c1",
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: "",
        statusTimestampAfter: undefined,
      };
      const first = await client.listTasks({ ...list, pageSize: 2 });
      expect(first).toMatchObject({ totalSize: 3, tasks: [{ artifacts: [] }, {}] });
      const second = await client.listTasks({ ...list, pageSize: 2, pageToken: first.nextPageToken });
      expect(second.tasks).toHaveLength(1);
      expect(second.nextPageToken).toBe("");
      const id = second.tasks[0]?.id ?? "";
      expect((await client.getTask({ id, tenant: "", historyLength: 0 })).history).toEqual([]);
      const version = { "A2A-Version": "1.0" };
      const tooMany = await fetch(`${url}/a2a/rest/tasks?pageSize=1000`, { headers: version });
      expect(tooMany.status).toBe(400);
      const push = await post(`${url}/a2a/rest/tasks/${id}/pushNotificationConfigs`, {}, version);
      expect(await push.json()).toMatchObject({
        error: { details: [{ reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" }] },
      });
      const missing = await fetch(`${url}/a2a/rest/tasks/nobody`, { headers: version });
      expect(missing.status).toBe(404);
    });
  });
});
