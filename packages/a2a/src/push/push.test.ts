import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

import { TaskState } from "@a2a-js/sdk";
import { silentLog, systemClock, type Caller, type Log } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { serveHttp } from "@troupe/core/testing";
import { afterEach, describe, expect, it } from "vitest";

import { serveAgent, type ServedAgent, type ServeAgentOptions } from "../server/index.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import { answering, scriptedAgent, taskWriter } from "../testing/index.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Told {
  readonly headers: { readonly [name: string]: unknown };
  readonly body: { readonly [key: string]: unknown };
}

/** Takes notifications, and hands them out one after the other. */
async function receiver(answer: Parameters<typeof serveHttp>[0] = (_request, response) => response.end()) {
  const arrived: Told[] = [];
  const waiting: (() => void)[] = [];
  const server = await serveHttp(async (request, response) => {
    const text = (await request.setEncoding("utf8").toArray()).join("");
    arrived.push({ headers: request.headers, body: JSON.parse(text) as Told["body"] });
    waiting.shift()?.();
    await answer(request, response);
  });
  closing.push(server.close);
  const next = async (): Promise<Told> => {
    if (arrived.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return arrived.shift() as Told;
  };
  return { url: server.url, arrived, next, sockets: server.sockets };
}

async function serve(options: Partial<ServeAgentOptions> = {}): Promise<ServedAgent> {
  const agent = scriptedAgent(() => answering(["Done."]));
  const served = await serveAgent({ agent, ...options });
  closing.push(served.close);
  return served;
}

interface Answer {
  readonly result?: { readonly [key: string]: unknown } & { readonly task?: { readonly id: string } };
  readonly error?: { readonly code: number; readonly message: string };
}

function rpc(url: string, version: string, who?: string) {
  return async (method: string, params: object): Promise<Answer> => {
    const response = await fetch(`${url}/a2a/jsonrpc`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "A2A-Version": version,
        ...(who === undefined ? {} : { Authorization: who }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as Answer;
  };
}

const message = (messageId = "m") => ({ messageId, role: "ROLE_USER", parts: [{ text: "Go." }] });
const hidden = "a-token-that-nobody-sees";
const stateOf = ({ body }: Told): unknown =>
  (body["statusUpdate"] as { status: { state: string } } | undefined)?.status.state;

describe("push notifications", () => {
  it("are off unless they are configured: the card says so, and nothing of them is taken", async () => {
    const { url } = await serve();
    const card: unknown = await (await fetch(`${url}/.well-known/agent-card.json`)).json();
    expect(JSON.stringify(card)).not.toMatch(/"pushNotifications":true/);
    const call = rpc(url, "1.0");
    const configuration = { taskPushNotificationConfig: { url: "https://hooks.example/" } };
    expect((await call("SendMessage", { message: message(), configuration })).error?.code).toBe(-32003);
    const sent = await call("SendMessage", { message: message() });
    const taskId = sent.result?.task?.id;
    for (const [method, params] of [
      ["CreateTaskPushNotificationConfig", { taskId, url: "https://hooks.example/" }],
      ["ListTaskPushNotificationConfigs", { taskId }],
      ["GetTaskPushNotificationConfig", { taskId, id: "x" }],
      ["DeleteTaskPushNotificationConfig", { taskId, id: "x" }],
    ] as const)
      expect((await call(method, params)).error?.code).toBe(-32003);
  });

  it("tell each state of a task in its order, with token and credentials, as StreamResponse", async () => {
    const hook = await receiver();
    const { url } = await serve({ push: { allow: [hook.url] } });
    const card: unknown = await (await fetch(`${url}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({ capabilities: { pushNotifications: true } });
    const wanted = {
      url: `${hook.url}/hook?key=1`,
      token: hidden,
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    const sent = await rpc(url, "1.0")("SendMessage", {
      message: message(),
      configuration: { taskPushNotificationConfig: wanted },
    });
    const first = await hook.next();
    const told = [first];
    while (stateOf(told.at(-1) as Told) !== "TASK_STATE_COMPLETED") told.push(await hook.next());
    expect(told.map(stateOf).at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(told.length).toBeLessThanOrEqual(2);
    expect(first.headers).toMatchObject({
      "content-type": "application/a2a+json",
      "x-a2a-notification-token": hidden,
      authorization: "Bearer c",
    });
    expect(told.at(-1)?.body).toMatchObject({ statusUpdate: { taskId: sent.result?.task?.id } });
  });

  it("are told to 0.3 in its own form", async () => {
    const hook = await receiver();
    const { url } = await serve({ push: { allow: [hook.url] } });
    const call = rpc(url, "0.3");
    const sent = await call("message/send", {
      message: { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "Go." }] },
      configuration: { blocking: true, pushNotificationConfig: { id: "h", url: hook.url, token: hidden } },
    });
    const taskId = String(sent.result?.["id"]);
    let told = await hook.next();
    while ((told.body["status"] as { state: string }).state !== "completed") told = await hook.next();
    expect(told.body).toMatchObject({ kind: "task", id: taskId });
    expect(told.headers).toMatchObject({ "x-a2a-notification-token": hidden });
    const got = await call("tasks/pushNotificationConfig/get", { id: taskId });
    expect(got.result).toMatchObject({ taskId, pushNotificationConfig: { id: "h", url: hook.url } });
    const listed = await call("tasks/pushNotificationConfig/list", { id: taskId });
    expect(listed.result).toHaveLength(1);
    const configs = `${url}/a2a/rest/v1/tasks/${taskId}/pushNotificationConfigs`;
    expect(await (await fetch(configs)).text()).toContain(hook.url);
    expect(await (await fetch(`${configs}/h`)).text()).toContain(hook.url);
    expect((await fetch(`${configs}/h`, { method: "DELETE" })).ok).toBe(true);
    expect(await (await fetch(configs)).text()).not.toContain(hook.url);
  });

  it("are made, read, listed and deleted on both bindings, by the owner of the task alone", async () => {
    const authenticate = (headers: { readonly [name: string]: unknown }): Promise<Caller> =>
      Promise.resolve({ id: String(headers["authorization"]), scopes: ["*"] });
    const { url } = await serve({ authenticate, push: true });
    const [ann, bob] = [rpc(url, "1.0", "ann"), rpc(url, "1.0", "bob")];
    const taskId = (await ann("SendMessage", { message: message() })).result?.task?.id ?? "";
    const rest = async (who: string, method: string, path = "", body?: object) => {
      const response = await fetch(`${url}/a2a/rest/tasks/${taskId}/pushNotificationConfigs${path}`, {
        method,
        headers: { Authorization: who, "A2A-Version": "1.0", "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return [response.status, await response.text()] as const;
    };
    const made = await ann("CreateTaskPushNotificationConfig", {
      taskId,
      id: "one",
      url: "https://hooks.example/1",
    });
    expect(made.result).toMatchObject({ taskId, id: "one", url: "https://hooks.example/1" });
    const [status, second] = await rest("ann", "POST", "", { url: "https://hooks.example/2" });
    const { id = "" } = JSON.parse(second) as { id?: string };
    expect([status, id === ""]).toEqual([200, false]);
    expect((await rest("ann", "GET", `/${id}`))[1]).toContain("hooks.example/2");
    expect((await ann("GetTaskPushNotificationConfig", { taskId, id: "one" })).result).toEqual(made.result);
    expect((await ann("ListTaskPushNotificationConfigs", { taskId })).result?.["configs"]).toHaveLength(2);
    for (const method of ["Get", "Delete", "Create", "List"])
      expect(
        (
          await bob(`${method}TaskPushNotificationConfig${method === "List" ? "s" : ""}`, {
            taskId,
            id: "one",
            url: "https://hooks.example/3",
          })
        ).error?.code,
      ).toBe(-32001);
    expect((await rest("bob", "GET"))[0]).toBe(404);
    expect((await ann("DeleteTaskPushNotificationConfig", { taskId, id: "one" })).error).toBeUndefined();
    expect((await ann("DeleteTaskPushNotificationConfig", { taskId, id: "one" })).error).toBeUndefined();
    expect((await ann("GetTaskPushNotificationConfig", { taskId, id: "one" })).error?.code).toBe(-32001);
    expect((await rest("ann", "DELETE", `/${id}`))[0]).toBe(200);
    expect((await rest("ann", "GET"))[1]).toContain('"configs":[]');
    for (let n = 0; n < 10; n++)
      await ann("CreateTaskPushNotificationConfig", { taskId, id: `${n}`, url: "https://hooks.example/" });
    const more = await ann("CreateTaskPushNotificationConfig", { taskId, url: "https://hooks.example/" });
    expect(more.error?.message).toContain("delete one first");
  });

  it.each([
    "http://hooks.example/",
    "https://127.0.0.1/",
    "https://localhost:8101/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00:ec2::254]/",
    "https://10.0.0.1/",
    "https://user:secret@hooks.example/",
    "file:///etc/passwd",
    "gopher://hooks.example:70/",
    "hooks.example",
    "",
    `https://hooks.example/${"x".repeat(2_048)}`,
  ])("are not sent to %s: the config is refused before anything is begun", async (target) => {
    const agent = scriptedAgent(() => answering(["Done."]));
    const { url } = await serve({ agent, push: true });
    const { error } = await rpc(url, "1.0")("SendMessage", {
      message: message(),
      configuration: { taskPushNotificationConfig: { url: target, token: hidden } },
    });
    expect(error?.message).toContain("push notification config cannot be used");
    expect(error?.message).not.toMatch(/secret|a-token/);
    expect(agent.requests).toHaveLength(0);
  });

  it.each([
    [{ token: "a\r\nX-Other: 1" }],
    [{ token: "ü" }],
    [{ authentication: { scheme: "Bearer x", credentials: "c" } }],
    [{ authentication: { scheme: "Bearer", credentials: "c\r\nX-Other: 1" } }],
  ])("put nothing into a header that does not belong there: %j", async (more) => {
    const { url } = await serve({ push: true });
    const taskPushNotificationConfig = { url: "https://hooks.example/", ...more };
    const { error } = await rpc(url, "1.0")("SendMessage", {
      message: message(),
      configuration: { taskPushNotificationConfig },
    });
    expect(error?.message).toContain("push notification config cannot be used");
  });

  describe("to a hostile receiver", () => {
    /** One task whose state is told to `target`; answers what the log says of it. */
    async function give(target: string, push: ServeAgentOptions["push"]): Promise<string> {
      const told = Promise.withResolvers<string>();
      const log: Log = {
        ...silentLog,
        child: () => log,
        warn: (text, fields) => told.resolve(`${text} ${JSON.stringify(fields)}`),
      };
      const { url } = await serve({ push: push as NonNullable<typeof push>, log });
      await rpc(url, "1.0")("SendMessage", {
        message: message(),
        configuration: { taskPushNotificationConfig: { url: target, token: hidden } },
      });
      return told.promise;
    }

    it("go nowhere by way of a redirect", async () => {
      const inside = await receiver();
      const hook = await receiver((_request, response) => {
        response.writeHead(307, { Location: inside.url }).end();
      });
      const logged = await give(`${hook.url}/?key=${hidden}`, { allow: [hook.url] });
      expect(logged).toContain("HTTP 307");
      expect(logged).not.toContain(hidden);
      expect(inside.sockets.size).toBe(0);
    });

    it("wait no longer than they may for an answer that never ends its head", async () => {
      const trickling = createServer((socket) => {
        socket.on("error", () => undefined);
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
        socket.on("data", () => socket.write("x"));
      });
      trickling.listen(0, "127.0.0.1");
      await once(trickling, "listening");
      closing.push(() => trickling.close());
      const target = `http://127.0.0.1:${(trickling.address() as AddressInfo).port}`;
      const logged = await give(target, { allow: [target], timeoutMs: 50, attempts: 1 });
      expect(logged).toContain("no answer within 50 ms");
    });

    it("go nowhere by way of a name, also of one that turns", async () => {
      const inside = await receiver();
      const asked: string[] = [];
      const resolve = (hostname: string) => {
        asked.push(hostname);
        return Promise.resolve(["127.0.0.1", "::1", "169.254.169.254"]);
      };
      const target = `https://turned.example:${new URL(inside.url).port}/`;
      const logged = await give(target, { fetch: guardedFetch({ httpsOnly: true, resolve }) });
      expect(logged).toContain("leads to no public address");
      expect(logged).not.toContain("127.0.0.1");
      expect(asked).toEqual(["turned.example"]);
      expect(inside.sockets.size).toBe(0);
    });
  });

  it("read no more of an answer than its head", async () => {
    const left = Promise.withResolvers<void>();
    const hook = await receiver((_request, response) => {
      response.on("close", () => left.resolve());
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const { url } = await serve({ push: { allow: [hook.url] } });
    await rpc(url, "1.0")("SendMessage", {
      message: message(),
      configuration: { taskPushNotificationConfig: { url: hook.url } },
    });
    await left.promise;
    expect(stateOf(await hook.next())).toMatch(/WORKING|COMPLETED/);
  });

  it("that a process did not send before its end are sent by the next one", async () => {
    const hook = await receiver();
    const store = createMemoryTaskStore({ clock: systemClock });
    const tried = Promise.withResolvers<void>();
    const stuck: typeof fetch = (_input, init) => {
      tried.resolve();
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
      });
    };
    const first = await serve({ store, push: { allow: [hook.url], fetch: stuck } });
    await rpc(first.url, "1.0")("SendMessage", {
      message: message(),
      configuration: { taskPushNotificationConfig: { url: hook.url } },
    });
    await tried.promise;
    await first.close();
    await serve({ store, push: { allow: [hook.url] } });
    expect(stateOf(await hook.next())).toBe("TASK_STATE_COMPLETED");
    expect(hook.arrived).toEqual([]);
  });

  it("tell that a task was cut off by the end of its process", async () => {
    const hook = await receiver();
    const store = createMemoryTaskStore({ clock: systemClock });
    await taskWriter(store).claim("", "m", {
      id: "t",
      contextId: "c",
      status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: "2026-01-01T00:00:00Z" },
      artifacts: [],
      history: [],
      metadata: undefined,
    });
    const config = { id: "h", url: hook.url, token: "", version: "1.0" } as const;
    await store.push?.put({ owner: "", taskId: "t" }, config, "");
    await serve({ store, push: { allow: [hook.url] } });
    expect(stateOf(await hook.next())).toBe("TASK_STATE_FAILED");
  });

  it("need a store that keeps whom to notify", async () => {
    const { push: _push, ...store } = createMemoryTaskStore({ clock: systemClock });
    const agent = scriptedAgent(() => answering(["Done."]));
    await expect(serveAgent({ agent, store, push: true })).rejects.toThrow(/keeps no configs/);
  });
});
