import type { IncomingMessage, ServerResponse } from "node:http";

import { gate, serveHttp, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { createTracer } from "../trace/create-tracer.ts";
import type { Trace } from "../trace/trace.ts";
import {
  answering,
  artifactExecutor,
  messageExecutor,
  scriptedAgent,
  servePlainAgent,
  withServed,
} from "../testing/index.ts";
import { captureAgent, type CaptureOptions } from "./capture-agent.ts";
import { captureLine, readCaptureLine } from "./capture-line.ts";
import type { CaptureRecord } from "./capture-record.ts";

interface Captured {
  readonly records: readonly CaptureRecord[];
  readonly trace: Trace;
}

/** Captures, and traces what a file of it would hold. */
async function capture(url: string, options: Partial<CaptureOptions> = {}): Promise<Captured> {
  const records: CaptureRecord[] = [];
  const tracer = createTracer();
  const { signal } = new AbortController();
  for await (const record of captureAgent(url, "hi", { signal, ...options })) {
    records.push(record);
    const kept = readCaptureLine(captureLine(record));
    expect(kept).toEqual(record);
    if (kept !== undefined) tracer.push(kept);
  }
  return { records, trace: tracer.trace() };
}

type Handler = (body: string, res: ServerResponse, req: IncomingMessage) => void;

/** A server of any kind, for the time of `use`. */
async function serving<T>(handle: Handler, use: (url: string) => Promise<T>): Promise<T> {
  const { url, close } = await serveHttp((req, res) => {
    let body = "";
    req.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    req.on("end", () => handle(body, res, req));
  });
  try {
    return await use(url);
  } finally {
    close();
  }
}

const json = (res: ServerResponse, body: object, status = 200): void => {
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
};
const legacyCard = (url: string, streaming: boolean): object => ({
  name: "old",
  url: `${url}/rpc`,
  protocolVersion: "0.3.0",
  preferredTransport: "JSONRPC",
  capabilities: { streaming },
});

describe("an agent of ours", () => {
  const chunks = ["one ", "two ", "three"];
  it.each(["JSONRPC", "HTTP+JSON"] as const)("is told apart by role (%s)", async (binding) => {
    const agent = scriptedAgent(() => [
      { type: "text-start", itemId: "n", role: "open" },
      { type: "text-delta", itemId: "n", delta: "I look." },
      { type: "tool-start", callId: "c", tool: "search", arguments: {} },
      { type: "text-role", itemId: "n", role: "narration" },
      { type: "text-end", itemId: "n" },
      { type: "tool-end", callId: "c", tool: "search", status: "ok", summary: "found", ms: 1 },
      ...answering(chunks),
    ]);
    await withServed({ agent }, async ({ url }) => {
      const { records, trace } = await capture(url, { binding });
      expect(records[0]).toMatchObject({ protocol: "1.0", binding, agent: "scripted-agent" });
      expect(records.at(-1)).toMatchObject({ end: "closed" });
      expect(trace).toMatchObject({
        outcome: "completed",
        delivery: "stream",
        answer: { role: "answer", text: chunks.join("") },
        firstTool: { name: "search" },
        tools: 1,
        violations: [],
        unreadable: 0,
      });
      expect(trace.firstNarration).not.toBeNull();
      expect(trace.firstAnswer).not.toBeNull();
      expect(trace.artifacts.map(({ id, role, closed }) => [id, role, closed])).toEqual([
        ["n", "narration", true],
        ["tool-start:c", "tool", true],
        ["tool-end:c", "tool", true],
        ["answer", "answer", true],
        ["final_result", "result", true],
      ]);
    });
  });

  it("is captured over 0.3 as well, to the same answer", async () => {
    await withServed({ agent: scriptedAgent(() => answering(chunks)) }, async ({ url }) => {
      const old = await capture(url, { protocol: "0.3" });
      expect(old.records[0]).toMatchObject({ protocol: "0.3", binding: "JSONRPC" });
      expect(old.records[1]).toMatchObject({ raw: expect.stringContaining('"kind":"task"') });
      const { trace } = await capture(url);
      expect({ ...old.trace.answer, gradual: 0 }).toEqual({ ...trace.answer, gradual: 0 });
      expect(old.trace).toMatchObject({ outcome: "completed", violations: [] });
    });
  });

  it("that ends partly or badly says so", async () => {
    const partly = scriptedAgent(() => answering(["half"], "partial"));
    await withServed({ agent: partly }, async ({ url }) => {
      expect((await capture(url)).trace).toMatchObject({ outcome: "partial", answer: { text: "half" } });
    });
    const failing = scriptedAgent(() => {
      throw new Error("inside");
    });
    await withServed({ agent: failing }, async ({ url }) => {
      const { trace } = await capture(url);
      expect(trace).toMatchObject({ outcome: "failed", answer: { text: "" } });
      expect(trace.error).toContain("agent.internal");
    });
  });
});

describe("an agent on the bare SDK", () => {
  const pieces = [
    { artifactId: "a", text: "one " },
    { artifactId: "a", text: "two", append: true },
  ];
  it.each([
    ["JSONRPC", true, "stream"],
    ["HTTP+JSON", true, "stream"],
    ["JSONRPC", false, "send"],
    ["HTTP+JSON", false, "send"],
  ] as const)(
    "%s, streaming %s: what it says is text, and no role is guessed",
    async (binding, streaming, delivery) => {
      const plain = await servePlainAgent(artifactExecutor(pieces), { binding, streaming });
      try {
        const { records, trace } = await capture(plain.url);
        expect(records[0]).toMatchObject({ protocol: "1.0", binding });
        expect(trace).toMatchObject({
          outcome: "completed",
          delivery,
          answer: { role: "text", text: "one two" },
          firstNarration: null,
          firstAnswer: null,
        });
        expect(trace.firstText).not.toBeNull();
        expect(trace.artifacts).toMatchObject([{ id: "a", role: "text", characters: 7, closed: !streaming }]);
        const rules = trace.violations.map(({ rule }) => rule);
        expect(rules).toEqual(streaming ? ["left-open"] : []);
      } finally {
        await plain.close();
      }
    },
  );

  it.each([true, false])("answers by message only (streaming %s)", async (streaming) => {
    const plain = await servePlainAgent(
      messageExecutor((text) => `you said ${text}`),
      { streaming },
    );
    try {
      expect((await capture(plain.url)).trace).toMatchObject({
        outcome: "completed",
        answer: { role: "answer", text: "you said hi" },
        artifacts: [],
      });
    } finally {
      await plain.close();
    }
  });

  it("breaks the rules of artifacts, which is told", async () => {
    const plain = await servePlainAgent(artifactExecutor([{ artifactId: "a", text: "x", append: true }]));
    try {
      const { trace } = await capture(plain.url);
      expect(trace.violations).toContainEqual({ rule: "append-unknown", artifactId: "a", at: 1 });
    } finally {
      await plain.close();
    }
  });
});

describe("an agent of 0.3", () => {
  const status = (text: string, state = "working", final = false): object => ({
    kind: "status-update",
    taskId: "t",
    contextId: "c",
    final,
    status: {
      state,
      message: { kind: "message", messageId: "m", role: "agent", parts: [{ kind: "text", text }] },
    },
  });

  it("that streams its answer as status messages has streamed it", async () => {
    const results = [status("Hel"), status("lo "), status("world"), { ...status("", "completed", true) }];
    const handle: Handler = (body, res, req) => {
      if (req.method === "GET") {
        json(res, legacyCard(`http://${req.headers.host ?? ""}`, true));
        return;
      }
      expect(JSON.parse(body)).toMatchObject({
        method: "message/stream",
        params: { message: { kind: "message", role: "user", parts: [{ kind: "text", text: "hi" }] } },
      });
      expect(req.headers["a2a-version"]).toBeUndefined();
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const result of results)
        res.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\r\n\r\n`);
      res.end();
    };
    const { trace, records } = await serving(handle, (url) => capture(url));
    expect(records[0]).toMatchObject({ protocol: "0.3", agent: "old" });
    expect(trace).toMatchObject({
      outcome: "completed",
      events: 4,
      firstAnswer: null,
      answer: { role: "text", text: "Hello world" },
    });
  });

  it("without a card, and one that does not stream, is asked again until the task is over", async () => {
    const methods: string[] = [];
    const task = (state: string): object => ({
      kind: "task",
      id: "t",
      contextId: "c",
      status: { state },
      artifacts: state === "working" ? [] : [{ artifactId: "a", parts: [{ kind: "text", text: "done" }] }],
    });
    let looks = 0;
    const handle: Handler = (body, res, req) => {
      if (req.method === "GET") {
        res.writeHead(404).end();
        return;
      }
      const { method } = JSON.parse(body) as { method: string };
      methods.push(method);
      if (method === "message/stream")
        json(res, { jsonrpc: "2.0", id: 1, error: { code: -32004, message: "no" } });
      else
        json(res, {
          jsonrpc: "2.0",
          id: 1,
          result: task(method === "tasks/get" && ++looks === 3 ? "completed" : "working"),
        });
    };
    let slept = 0;
    const clock = {
      now: () => slept,
      schedule: () => () => undefined,
      sleep: (ms: number) => {
        slept += ms;
        return Promise.resolve();
      },
    };
    const { trace, records } = await serving(handle, (url) =>
      capture(`${url}/rpc`, { protocol: "0.3", clock }),
    );
    expect(methods).toEqual(["message/stream", "message/send", "tasks/get", "tasks/get", "tasks/get"]);
    expect(records.filter((record) => "raw" in record)).toHaveLength(3);
    expect(trace).toMatchObject({
      outcome: "completed",
      delivery: "poll",
      end: 1_500,
      answer: { text: "done" },
    });
    expect(trace.artifacts).toMatchObject([{ id: "a", chunks: 1, first: 1_500 }]);
  });
});

describe("a server that goes wrong", () => {
  const card = (url: string): object => ({
    name: "bad",
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
  });
  const bad =
    (answer: (res: ServerResponse) => void): Handler =>
    (_, res, req) => {
      if (req.method === "GET") json(res, card(`http://${req.headers.host ?? ""}`));
      else answer(res);
    };
  const update = (text: string, append: boolean): string =>
    `data: ${JSON.stringify({ artifactUpdate: { taskId: "t", artifact: { artifactId: "a", parts: [{ text }] }, append } })}\n\n`;

  it("dies in mid-stream: what came is kept", async () => {
    const handle = bad((res) => {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write(`${update("some", false)}data: {"artif`, () => res.destroy());
    });
    const { trace, records } = await serving(handle, (url) => capture(url));
    expect(records.at(-1)).toMatchObject({ end: "broken", error: expect.stringContaining("terminated") });
    expect(trace).toMatchObject({ outcome: "unfinished", ending: "broken", answer: { text: "some" } });
    expect(trace.unreadable).toBeLessThan(2);
  });

  it("streams garbage: it is kept, counted, and taken for nothing", async () => {
    const handle = bad((res) => {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.end(
        `data: <html>\n\ndata: {"jsonrpc":"2.0","id":1,"result":7}\n\ndata: []\n\n${update("ok", false)}`,
      );
    });
    const { trace } = await serving(handle, (url) => capture(url));
    expect(trace).toMatchObject({ events: 4, unreadable: 3, outcome: "unfinished", ending: "closed" });
    expect(trace.answer.text).toBe("ok");
  });

  it.each([
    ["an error page", 500, "<html>", "HTTP 500"],
    [
      "an error of the protocol",
      200,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}',
      "broken (-32603)",
    ],
    ["a page", 200, "<html>", "an answer that is not A2A"],
  ])("answers with %s", async (_, status, body, error) => {
    const handle = bad((res) => void res.writeHead(status).end(body));
    const { trace, records } = await serving(handle, (url) => capture(url));
    expect(records.at(-1)).toMatchObject({ end: "refused", error });
    expect(trace).toMatchObject({ events: 1, outcome: "unfinished", error, answer: { text: "" } });
  });

  it("sends elsewhere: credentials do not follow", async () => {
    const handle = bad((res) => void res.writeHead(307, { Location: "/elsewhere" }).end());
    const secretHeaders = { Authorization: "Bearer x" };
    const { records } = await serving(handle, (url) => capture(url, { secretHeaders }));
    expect(records.at(-1)).toMatchObject({ end: "refused", error: "HTTP 307" });
  });
});

describe("finding out how an agent is talked to", () => {
  it.each(["/", "/deep/", "/.well-known/agent-card.json", "/a2a/jsonrpc"])("from %s", async (path) => {
    const handle: Handler = (_, res, req) => {
      const base = `http://${req.headers.host ?? ""}`;
      if (req.url === "/.well-known/agent-card.json") json(res, legacyCard(base, false));
      else if (req.method === "POST")
        json(res, { result: { kind: "message", messageId: "m", parts: [{ text: "ok" }] } });
      else res.writeHead(404).end();
    };
    const { trace } = await serving(handle, (url) => capture(`${url}${path}`));
    expect(trace).toMatchObject({ delivery: "send", answer: { text: "ok" } });
  });

  it.each([
    [404, "agent.protocol", /say which protocol it speaks.*--protocol/],
    [401, "agent.protocol", /without authentication/],
    [503, "agent.unreachable", /No agent card/],
  ])("says what is wrong with HTTP %i", async (status, code, message) => {
    const handle: Handler = (_, res) => void res.writeHead(status).end();
    await serving(handle, (url) =>
      expect(capture(url)).rejects.toMatchObject({ code, message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ["GRPC", "1.0"],
    ["JSONRPC", "2.0"],
    ["JSONRPC", "1.0\r\nX-Evil: 1"],
  ])(
    "says what a card offers, where it cannot be talked to: %j %j",
    async (protocolBinding, protocolVersion) => {
      const handle: Handler = (_, res) =>
        json(res, {
          name: "g",
          supportedInterfaces: [{ url: "http://127.0.0.1:1", protocolBinding, protocolVersion }],
        });
      await serving(handle, (url) =>
        expect(capture(url)).rejects.toMatchObject({
          code: "agent.protocol",
          message: expect.stringContaining(`${protocolBinding} ${protocolVersion}`),
        }),
      );
    },
  );

  it.each(["not an address", "ftp://127.0.0.1"])("refuses %j", async (url) => {
    await expect(capture(url)).rejects.toMatchObject({ code: "agent.config" });
  });

  it.each([{}, { protocol: "1.0" }] as const)(
    "ends where nobody answers, whatever is known (%j)",
    async (known) => {
      const clock = virtualClock();
      const asked = gate();
      const handle: Handler = () => asked.open();
      await serving(handle, async (url) => {
        const ended = capture(url, { ...known, clock }).catch((error: unknown) => error);
        await asked.opened;
        await clock.advance(10_000);
        expect(await ended).toMatchObject({
          code: "agent.timeout",
          message: `${url}/.well-known/agent-card.json did not answer within 10 s.`,
        });
        expect(clock.pending).toBe(0);
      });
    },
  );

  it("says when nobody is there", async () => {
    await expect(capture("http://127.0.0.1:1")).rejects.toMatchObject({ code: "agent.unreachable" });
  });
});
