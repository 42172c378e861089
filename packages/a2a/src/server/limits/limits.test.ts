import { once } from "node:events";
import { connect, Socket } from "node:net";
import { gzipSync } from "node:zlib";

import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, asking, heldAgent, scriptedAgent, withServed } from "../../testing/index.ts";
import type { Authenticate } from "../http/gate.ts";
import type { GivenLimits } from "./server-limits.ts";
import { MAX_JSON_KEYS, MAX_JSON_VALUES } from "./weigh-json.ts";

const authenticate: Authenticate = ({ authorization }) =>
  authorization === "wrong"
    ? Promise.reject(new Error("no such key"))
    : Promise.resolve({ id: String(authorization), scopes: ["*"] });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** One operation, as each binding and version has it. */
interface Way {
  readonly name: string;
  readonly send: (url: string, who: string, id: string, parts: readonly object[]) => Promise<Response>;
  readonly refused: (status: number, message: RegExp) => object;
}

const post = (url: string, who: string, version: string, body: object): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": version, Authorization: who },
    body: JSON.stringify(body),
  });

const rpcError = (status: number, message: RegExp): object => ({
  error: { code: status === 413 ? -32602 : -32000, message: expect.stringMatching(message) as unknown },
});

const now = { returnImmediately: true };
const ways: readonly Way[] = [
  ...(["SendMessage", "SendStreamingMessage"] as const).map((method) => ({
    name: `JSON-RPC ${method}`,
    send: (url: string, who: string, messageId: string, parts: readonly object[]) =>
      post(`${url}/a2a/jsonrpc`, who, "1.0", {
        jsonrpc: "2.0",
        id: 1,
        method,
        params: { message: { messageId, role: "ROLE_USER", parts }, configuration: now },
      }),
    refused: rpcError,
  })),
  ...(["send", "stream"] as const).map((verb) => ({
    name: `REST message:${verb}`,
    send: (url: string, who: string, messageId: string, parts: readonly object[]) =>
      post(`${url}/a2a/rest/message:${verb}`, who, "1.0", {
        message: { messageId, role: "ROLE_USER", parts },
        configuration: now,
      }),
    refused: (status: number, message: RegExp) => ({
      error: {
        code: status,
        status: "RESOURCE_EXHAUSTED",
        message: expect.stringMatching(message) as unknown,
        details: [{ reason: status === 413 ? "TOO_LARGE" : "TOO_MANY" }],
      },
    }),
  })),
  {
    name: "JSON-RPC of 0.3",
    send: (url, who, messageId, parts) =>
      post(`${url}/a2a/jsonrpc`, who, "0.3", {
        jsonrpc: "2.0",
        id: 1,
        method: "message/stream",
        params: { message: { kind: "message", messageId, role: "user", parts: parts.map(asLegacy) } },
      }),
    refused: rpcError,
  },
  {
    name: "REST of 0.3",
    send: (url, who, messageId, parts) =>
      post(`${url}/a2a/rest/v1/message:stream`, who, "0.3", {
        message: { messageId, role: "ROLE_USER", content: parts },
      }),
    refused: (_status, message) => ({ message: expect.stringMatching(message) as unknown }),
  },
];
const asLegacy = (part: object): object => ({ kind: "text", ...part });

async function answerOf(response: Response): Promise<Answer> {
  const { status } = response;
  const retryAfter = response.headers.get("Retry-After");
  return { status, retryAfter, body: await response.json() };
}

const quick = scriptedAgent(() => answering(["hello"]));
const hi = [{ text: "hi" }];

describe.each(ways)("over $name", ({ send, refused }) => {
  it("a caller has so many calls a minute, others have theirs, and both are told when", async () => {
    const clock = virtualClock();
    const limits = { requestsPerMinute: 2 };
    await withServed({ agent: quick, authenticate, limits, clock }, async ({ url }) => {
      const ask = (who: string, id: string): Promise<Response> => send(url, who, id, hi);
      for (const id of ["1", "2"]) expect((await ask("ann", id)).status).toBeLessThan(300);
      expect(await answerOf(await ask("ann", "3"))).toMatchObject({
        status: 429,
        retryAfter: "30",
        body: refused(429, /More than 2 calls a minute/),
      });
      expect((await ask("bob", "1")).status).toBeLessThan(300);
      await clock.advance(30_000);
      expect((await ask("ann", "3")).status).toBeLessThan(300);
    });
  });

  it("a large body counts as several calls, and one of countless values is not read", async () => {
    const clock = virtualClock();
    const limits = { requestsPerMinute: 5 };
    const agent = scriptedAgent(() => answering(["hello"]));
    await withServed({ agent, authenticate, limits, clock }, async ({ url }) => {
      const large = [{ text: "x".repeat(200_000) }];
      expect((await send(url, "ann", "1", large)).status).toBeLessThan(300);
      expect(await answerOf(await send(url, "ann", "2", large))).toMatchObject({
        status: 429,
        retryAfter: "36",
        body: refused(429, /More than 5 calls, or bodies as large as so many, a minute/),
      });
      expect((await send(url, "bob", "1", large)).status).toBeLessThan(300);
      await clock.advance(60_000);
      const data = Array.from({ length: MAX_JSON_VALUES }, () => 0);
      expect(await answerOf(await send(url, "ann", "3", [{ data }]))).toMatchObject({
        status: 413,
        body: refused(413, /more than 100000 values/),
      });
      const keys = Array.from({ length: MAX_JSON_KEYS + 1 }, (_, at) => [`k${at}`, 0] as const);
      expect(await answerOf(await send(url, "eve", "4", [{ data: Object.fromEntries(keys) }]))).toMatchObject(
        {
          status: 413,
          body: refused(413, /more than 10000 different keys/),
        },
      );
      expect(agent.requests).toHaveLength(2);
    });
  });

  it("a message has so many parts of such a size, and nothing is begun with a larger one", async () => {
    const agent = scriptedAgent(() => answering(["hello"]));
    await withServed({ agent, limits: { parts: 2, partBytes: 100 } }, async ({ url }) => {
      const many = await send(url, "ann", "1", [...hi, ...hi, ...hi]);
      expect(await answerOf(many)).toMatchObject({
        status: 413,
        body: refused(413, /has 3 parts; at most 2/),
      });
      // 51 characters of 2 bytes each.
      const large = await send(url, "ann", "2", [...hi, { text: "\u00fc".repeat(51) }]);
      expect(await answerOf(large)).toMatchObject({
        status: 413,
        body: refused(413, /parts\[1\] is larger than the 100/),
      });
      expect(agent.requests).toHaveLength(0);
      expect((await send(url, "ann", "3", [{ text: "\u00fc".repeat(50) }])).status).toBeLessThan(300);
    });
  });

  it("a caller has so many tasks going, a resend is led to its own, and others are not in the way", async () => {
    const { agent, goOn } = heldAgent();
    await withServed({ agent, authenticate, limits: { tasksPerUser: 1 } }, async ({ url }) => {
      const open = [await send(url, "ann", "1", hi)];
      expect(await answerOf(await send(url, "ann", "2", hi))).toMatchObject({
        status: 429,
        retryAfter: "1",
        body: refused(429, /1 tasks of yours are being worked on/),
      });
      open.push(await send(url, "ann", "1", hi), await send(url, "bob", "1", hi));
      for (const { status } of open) expect(status).toBeLessThan(300);
      goOn();
      await Promise.all(open.map((response) => response.text()));
    });
  });
});

describe.each(ways.filter(({ name }) => /stream/i.test(name) || name.includes("0.3")))(
  "over $name",
  ({ send, refused }) => {
    it("a caller has so many streams open, and one more when one has ended", async () => {
      const { agent, goOn } = heldAgent();
      await withServed({ agent, authenticate, limits: { streamsPerUser: 1 } }, async ({ url }) => {
        const first = await send(url, "ann", "1", hi);
        expect(await answerOf(await send(url, "ann", "2", hi))).toMatchObject({
          status: 429,
          body: refused(429, /1 streams of yours are open/),
        });
        expect(agent.requests.length).toBeLessThan(2);
        const other = await send(url, "bob", "1", hi);
        goOn();
        await Promise.all([first.text(), other.text()]);
        expect((await send(url, "ann", "2", hi)).status).toBeLessThan(300);
      });
    });

    it("a reader that leaves gives its place back", async () => {
      const { agent, goOn } = heldAgent();
      await withServed({ agent, limits: { streamsPerUser: 1 } }, async ({ url }) => {
        const first = await send(url, "", "1", hi);
        await first.body?.cancel();
        let again = await send(url, "", "2", hi);
        // The server learns of it a moment later.
        while (again.status === 429) {
          await again.text();
          again = await send(url, "", "2", hi);
        }
        goOn();
        expect(await again.text()).toContain("done");
      });
    });
  },
);

describe("limits of a server", () => {
  it("that there are none of are refused by name", async () => {
    const limits: GivenLimits = {};
    Object.assign(limits, { requestPerMinute: 5, toString: 1 });
    await expect(withServed({ agent: quick, limits }, () => Promise.resolve())).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringMatching(
        /no limit "requestPerMinute", "toString"; known are bodyBytes/,
      ) as unknown,
    });
  });

  it("count callers without a name by where they connect from", async () => {
    await withServed({ agent: quick, limits: { requestsPerMinute: 1 } }, async ({ url }) => {
      const get = (host: string): Promise<Response> =>
        fetch(`${url.replace("127.0.0.1", host)}/a2a/rest/tasks`, { headers: { "A2A-Version": "1.0" } });
      expect((await get("127.0.0.1")).status).toBe(200);
      expect((await get("localhost")).status).toBe(429);
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    });
  });

  it("refuse a caller that is not let in before its body is read, and at its own cost", async () => {
    await withServed({ agent: quick, authenticate, limits: { requestsPerMinute: 1 } }, async ({ url }) => {
      for (let i = 0; i < 3; i++) {
        const rpc = await post(`${url}/a2a/jsonrpc`, "wrong", "1.0", { large: "x".repeat(100_000) });
        expect(await answerOf(rpc)).toMatchObject({ status: 401, body: { jsonrpc: "2.0", id: null } });
      }
      const rest = await post(`${url}/a2a/rest/message:send`, "wrong", "1.0", {});
      expect(rest.status).toBe(401);
      expect((await ways[0]?.send(url, "ann", "1", hi))?.status).toBe(200);
    });
  });

  it.each(["Content-Length: 100", "Transfer-Encoding: chunked"])(
    "hold so much of a caller's bodies that are on their way, with %s",
    async (length) => {
      await withServed({ agent: quick, authenticate, limits: { bodyBytes: 100 } }, async ({ url }) => {
        const hold = async (): Promise<Socket> => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1");
          const head = ["POST /a2a/jsonrpc HTTP/1.1", "Host: localhost", "Authorization: ann", length];
          socket.write(`${[...head, "Expect: 100-continue"].join("\r\n")}\r\n\r\n`);
          // Told when the head has come.
          await once(socket, "data");
          return socket;
        };
        const held = await Promise.all(Array.from({ length: 32 }, hold));
        const large = (who: string): Promise<Response> =>
          post(`${url}/a2a/rest/message:send`, who, "1.0", { text: "x".repeat(100) });
        expect(await answerOf(await large("ann"))).toMatchObject({
          status: 429,
          retryAfter: "1",
          body: { error: { status: "RESOURCE_EXHAUSTED" } },
        });
        expect((await large("bob")).status).toBe(413);
        const [first, ...others] = held;
        first?.end(length.startsWith("C") ? "x".repeat(100) : "0\r\n\r\n");
        await once(first ?? new Socket(), "close");
        expect((await large("ann")).status).toBe(413);
        for (const socket of others) socket.destroy();
      });
    },
  );

  it("keep room for short calls beside the streams", async () => {
    const { agent, goOn } = heldAgent();
    await withServed({ agent, limits: { streamsPerUser: 1 } }, async ({ url }) => {
      const stream = await ways[1]?.send(url, "", "1", hi);
      const list = await fetch(`${url}/a2a/rest/tasks`, { headers: { "A2A-Version": "1.0" } });
      expect(list.status).toBe(200);
      goOn();
      await stream?.text();
    });
  });

  it("bound the tasks that wait for an answer; one that is answered makes room", async () => {
    const agent = scriptedAgent(({ reply, text }) =>
      reply !== undefined || text === "answer" ? answering(["thanks"]) : asking("Which year?"),
    );
    await withServed({ agent, limits: { waitingPerUser: 1 } }, async ({ url }) => {
      const send = async (messageId: string, text: string, taskId?: string) => {
        const message = { messageId, role: "ROLE_USER", parts: [{ text }], taskId };
        return answerOf(await post(`${url}/a2a/rest/message:send`, "", "1.0", { message }));
      };
      const first = await send("1", "ask");
      expect(first.body).toMatchObject({ task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } });
      expect(await send("2", "ask")).toMatchObject({ status: 429, retryAfter: "60" });
      const { task } = first.body as { task: { id: string } };
      expect(await send("3", "answer", task.id)).toMatchObject({ status: 200 });
      expect(await send("4", "ask")).toMatchObject({ status: 200 });
    });
  });

  it("refuse a head that is too large", async () => {
    await withServed({ agent: quick }, async ({ url }) => {
      const long = "x".repeat(20_000);
      expect((await fetch(`${url}/livez`, { headers: { "X-Long": long } })).status).toBe(431);
      expect((await fetch(`${url}/a2a/rest/tasks?contextId=${long}`)).status).toBe(431);
    });
  });

  it.each([0, -1, 1.5, Number.NaN])("are not %s", async (parts) => {
    await expect(
      withServed({ agent: quick, limits: { parts } }, () => Promise.resolve()),
    ).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("parts") as unknown,
    });
  });
});

it("takes no share of a caller who has left while it was found out who they are", async () => {
  const waiting: (() => void)[] = [];
  let later = Promise.withResolvers<void>();
  const slow: Authenticate = async () => {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    later.resolve();
    await turn.promise;
    return { id: "ann", scopes: ["*"] };
  };
  const agent = scriptedAgent(() => answering(["hello"]));
  await withServed({ agent, authenticate: slow, limits: { streamsPerUser: 1 } }, async ({ url }) => {
    const port = Number(new URL(url).port);
    const head = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 9";
    // More than may go on at a time.
    for (let n = 0; n < 110; n++) {
      later = Promise.withResolvers();
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(`POST /a2a/jsonrpc HTTP/1.1\r\n${head}\r\n\r\n{`);
      await later.promise;
      const closed = once(socket, "close");
      socket.destroy();
      await closed;
    }
    // The server hears of them before the next call comes.
    await (await fetch(`${url}/livez`)).text();
    for (const decide of waiting) decide();
    const answer = post(`${url}/a2a/rest/message:send`, "ann", "1.0", {
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] },
    });
    while (waiting.length < 111) await (await fetch(`${url}/livez`)).text();
    waiting.at(-1)?.();
    expect((await answer).status).toBe(200);
  });
});

it("keeps no share of a caller who leaves while their body is unpacked", async () => {
  const agent = scriptedAgent(() => answering(["hello"]));
  const call = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} };
  await withServed({ agent, authenticate, limits: { streamsPerUser: 2 } }, async ({ url }) => {
    for (let n = 0; n < 10; n++) {
      const message = { messageId: `m${n}`, role: "ROLE_USER", parts: [{ text: "go" }] };
      const body = gzipSync(JSON.stringify({ ...call, params: { message } }));
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      const closed = once(socket, "close");
      socket.on("error", () => undefined).resume();
      socket.write(
        "POST /a2a/jsonrpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: ann\r\nA2A-Version: 1.0\r\n" +
          `Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.end(body);
      await closed;
    }
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };
    const response = await post(`${url}/a2a/rest/message:stream`, "ann", "1.0", { message });
    expect(response.status).toBe(200);
    await response.text();
  });
});
