import { once } from "node:events";
import { connect } from "node:net";
import { request as httpRequest, type IncomingMessage } from "node:http";

import { SendMessageRequest } from "@a2a-js/sdk";
import { gate, virtualClock } from "@troupe/core/testing";
import type { Caller } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { connectAgent } from "../../client/index.ts";
import { answering, collect, plainMessage, scriptedAgent, withServed } from "../../testing/index.ts";
import { EXT } from "../../wire/extension.ts";

/** Opens a stream with nothing between the test and the socket. */
function openStream(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const params = SendMessageRequest.toJSON(plainMessage("hi"));
  const call = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params };
  return new Promise((resolve, reject) => {
    const version = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    const req = httpRequest(
      `${url}/a2a/jsonrpc`,
      { method: "POST", headers: { ...version, ...headers } },
      resolve,
    );
    req.on("error", reject).end(JSON.stringify(call));
  });
}

async function read(res: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of res.setEncoding("utf8")) text += String(chunk);
  return text;
}

describe("a stream", () => {
  it("lets go of a reader that is too slow, which comes back and has lost nothing", async () => {
    const texts = Array.from({ length: 64 }, (_, i) =>
      String.fromCodePoint(97 + (i % 26)).repeat(256 * 1024),
    );
    const done = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* () {
      for (const [i, delta] of texts.entries()) {
        const itemId = `item-${i}`;
        yield { type: "text-start", itemId, role: "answer" };
        yield { type: "text-delta", itemId, delta };
        yield { type: "text-end", itemId };
        await new Promise((resolve) => setImmediate(resolve));
      }
      done.resolve();
      yield* answering(["done"]);
    });
    await withServed({ agent }, async ({ url }) => {
      const res = await openStream(url);
      res.pause();
      await done.promise;
      const before = await read(res);
      expect(before).not.toContain("TASK_STATE_COMPLETED");
      const taskId = /"taskId":"([^"]+)"/.exec(before)?.[1] ?? "";
      const lastEventId = [...before.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
      const after = await fetch(`${url}/a2a/rest/tasks/${taskId}:subscribe`, {
        headers: { "A2A-Version": "1.0", "Last-Event-ID": lastEventId },
      });
      const told = await after.text();
      expect(told).toContain("TASK_STATE_COMPLETED");
      for (const text of texts) expect(told).toContain(text);
    });
  });

  it("tells that it lives while nothing happens, and stops when its reader is gone", async () => {
    const clock = virtualClock();
    const agent = scriptedAgent(async function* () {
      yield* answering(["x"]).slice(0, 2);
      await new Promise(() => undefined);
    });
    await withServed({ agent, clock }, async ({ url, close }) => {
      const res = await openStream(url);
      const beat = new Promise<void>((resolve) => {
        res.on("data", (chunk: Buffer) => {
          if (chunk.includes(": alive")) resolve();
        });
      });
      await new Promise((resolve) => res.once("data", resolve));
      await clock.advance(15_000);
      await expect(beat).resolves.toBeUndefined();
      res.destroy();
      const closing = close();
      await clock.advance(1_000);
      await closing;
    });
  });

  it("turns a call away for a while, not for good, that arrives as it shuts down", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const agent = scriptedAgent(async function* () {
      await released;
      yield* answering(["x"]);
    });
    const clock = virtualClock();
    await withServed({ agent, clock }, async ({ url, close }) => {
      const stream = await openStream(url);
      const late = connect(Number(new URL(url).port), "127.0.0.1");
      await once(late, "connect");
      late.write("POST /a2a/jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n");
      // Whatever the server answers now, it has read what was sent before.
      await (await fetch(`${url}/livez`)).text();
      const closing = close();
      late.write("Content-Length: 2\r\n\r\n{}");
      const [answer] = (await once(late, "data")) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1/i);
      release();
      await read(stream);
      await clock.advance(1_000);
      await closing;
    });
  });

  it("names our extension when the caller asked for it, and only then", async () => {
    await withServed({ agent: scriptedAgent(() => answering(["x"])) }, async ({ url }) => {
      const asked = await openStream(url, { "A2A-Extensions": EXT });
      expect(asked.headers["a2a-extensions"]).toBe(EXT);
      const plain = await openStream(url);
      expect(plain.headers["a2a-extensions"]).toBeUndefined();
      await Promise.all([read(asked), read(plain)]);
    });
  });
});

describe("authentication", () => {
  const authenticate = (headers: { readonly [name: string]: unknown }): Promise<Caller> => {
    const given = headers["authorization"];
    if (typeof given !== "string") throw new Error("secret detail");
    return Promise.resolve({ id: given, scopes: ["*"] });
  };
  const as =
    (who?: string): typeof fetch =>
    (input, init) => {
      const headers = new Headers(init?.headers);
      if (who !== undefined) headers.set("Authorization", who);
      return fetch(input, { ...init, headers });
    };

  it("refuses who cannot be named, without saying why, and keeps tasks with their owner", async () => {
    const signal = new AbortController().signal;
    const agent = scriptedAgent(() => answering(["x"]));
    await withServed({ agent, authenticate }, async ({ url }) => {
      for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
        const nobody = await connectAgent(url, { fetch: as(), binding });
        const refused = nobody.send({ text: "hi" }, { signal });
        await expect(refused).rejects.toMatchObject({ code: "agent.unauthenticated" });
        await expect(nobody.send({ text: "hi" }, { signal })).rejects.not.toThrow(/secret/);
      }
      const ann = await connectAgent(url, { fetch: as("ann") });
      const bob = await connectAgent(url, { fetch: as("bob") });
      const { taskId } = await ann.send({ text: "hi", messageId: "m", userId: "root" }, { signal });
      expect(agent.requests[0]?.userId).toBe("ann");
      expect((await collect(ann.join(taskId, { signal }))).at(-1)).toMatchObject({ outcome: "completed" });
      await expect(collect(bob.join(taskId, { signal }))).rejects.toMatchObject({ code: "agent.task-lost" });
      expect(await bob.send({ text: "hi", messageId: "m" }, { signal })).not.toEqual({ taskId });
    });
  });
});

it.each(["JSON-RPC", "REST of 0.3"])(
  "a stream over %s that ended behind another on its connection breaks nothing while that goes on",
  async (binding) => {
    const clock = virtualClock();
    const rest = gate();
    let turns = 0;
    const second = gate();
    const agent = scriptedAgent(async function* () {
      const events = answering(["begun", " and done"]);
      yield* events.slice(0, 2);
      if (++turns === 1) await rest.opened;
      else second.open();
      yield* events.slice(2);
    });
    await withServed({ agent, clock }, async ({ url }) => {
      const call = (id: string, of: string): string => {
        const old = of === "REST of 0.3";
        const parts = [{ text: "hi" }];
        const message = { messageId: id, role: "ROLE_USER", ...(old ? { content: parts } : { parts }) };
        const params = { jsonrpc: "2.0", id, method: "SendStreamingMessage", params: { message } };
        const body = JSON.stringify(old ? { message } : params);
        return [
          `POST ${old ? "/a2a/rest/v1/message:stream" : "/a2a/jsonrpc"} HTTP/1.1`,
          `Host: localhost\r\nA2A-Version: ${old ? "0.3" : "1.0"}`,
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ].join("\r\n");
      };
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      let said = "";
      socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
      socket.write(call("first", "JSON-RPC") + call("second", binding));
      await second.opened;
      // Its end is told, and heartbeats are due.
      for (let n = 0; n < 10; n++) await clock.advance(15_000);
      const over = once(socket, "close");
      rest.open();
      await expect
        .poll(() => said.match(/TASK_STATE_COMPLETED|"completed"/g)?.length)
        .toBeGreaterThanOrEqual(2);
      socket.end();
      await over;
    });
  },
);
