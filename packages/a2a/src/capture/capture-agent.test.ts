import { virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { collect } from "../testing/index.ts";
import { captureAgent, type CaptureOptions } from "./capture-agent.ts";
import type { CapturedEvent, CaptureRecord } from "./capture-record.ts";

const url = "http://127.0.0.1:1";
const utf8 = new TextEncoder();
const card = {
  name: "paced",
  supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
};

/** A chunk, and how many milliseconds after the one before it arrives. */
type Paced = readonly [ms: number, chunk: string | Uint8Array | typeof BREAK];

const BREAK = Symbol("the connection breaks");

/** An agent whose answer arrives chunk by chunk at times that a virtual clock decides. */
function paced(chunks: readonly Paced[]) {
  const clock = virtualClock();
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetchImpl: typeof fetch = (input, init = {}) => {
    if (typeof input !== "string") throw new TypeError("asked otherwise");
    asked.push({ url: input, init });
    if (init.body === undefined) return Promise.resolve(Response.json(card));
    const left = [...chunks];
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const [ms, chunk] = left.shift() ?? [0, ""];
          await clock.advance(ms);
          if (chunk === BREAK) controller.error(new TypeError("terminated"));
          else if (chunk === "" && left.length === 0) controller.close();
          else controller.enqueue(typeof chunk === "string" ? utf8.encode(chunk) : chunk);
        },
      },
      { highWaterMark: 0 },
    );
    return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
  };
  const options = { signal: new AbortController().signal, clock, fetch: fetchImpl, newId: () => "m1" };
  const capture = (more: Partial<CaptureOptions> = {}, at = url): Promise<readonly CaptureRecord[]> =>
    collect(captureAgent(at, "hi", { ...options, ...more }));
  return { capture, asked };
}

function eventsOf(records: readonly CaptureRecord[]): readonly CapturedEvent[] {
  return records.filter((record) => "raw" in record);
}

const told = (records: readonly CaptureRecord[]): unknown => eventsOf(records).map(({ t, raw }) => [t, raw]);

describe("the arrival time", () => {
  it("is right to the chunk at 20 ms spacing, and that of the chunk which completed the event", async () => {
    const { capture } = paced([
      [20, 'data: {"a":1}\n\n'],
      [20, 'data: {"b":2}\n\ndata: {"c":3}\r\n\r\nda'],
      [20, 'ta: {"d":'],
      [20, ": 4"],
      [20, "}\n"],
      [20, "\n: alive\n\n"],
      [20, 'data: {\ndata: "e":5}\n\n'],
      [20, ""],
    ]);
    const records = await capture();
    expect(told(records)).toEqual([
      [20, '{"a":1}'],
      [40, '{"b":2}'],
      [40, '{"c":3}'],
      [120, '{"d":: 4}'],
      [140, '{\n"e":5}'],
    ]);
    expect(records.at(-1)).toEqual({ t: 160, end: "closed" });
  });

  it("is right where the chunks cut characters, and after a byte order mark", async () => {
    const bytes = utf8.encode('\uFEFFdata: "😀€"\n\n');
    const chunks = [...bytes].map((byte): Paced => [20, Uint8Array.of(byte)]);
    expect(told(await paced(chunks).capture())).toEqual([[bytes.length * 20, '"😀€"']]);
  });
});

describe("a capture", () => {
  it("begins with what was asked of whom, and asks as the protocol has it", async () => {
    const { capture, asked } = paced([[5, "data: {}\n\n"]]);
    const records = await capture({ collection: "docs", headers: { "X-Team": "blue" } });
    expect(records[0]).toEqual({
      v: 1,
      kind: "a2a-capture",
      url,
      endpoint: `${url}/a2a`,
      protocol: "1.0",
      binding: "JSONRPC",
      agent: "paced",
      question: "hi",
      startedAt: "2023-11-14T22:13:20.000Z",
    });
    expect(asked[1]?.url).toBe(`${url}/a2a`);
    expect(asked[1]?.init.headers).toMatchObject({ "A2A-Version": "1.0", "X-Team": "blue" });
    const body = asked[1]?.init.body;
    expect(JSON.parse(typeof body === "string" ? body : "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "SendStreamingMessage",
      params: {
        message: {
          messageId: "m1",
          role: "ROLE_USER",
          parts: [{ text: "hi" }],
          metadata: { collection: "docs" },
        },
      },
    });
  });

  it("holds no header, and no query of an address", async () => {
    const { capture, asked } = paced([[5, "data: {}\n\n"]]);
    const secretHeaders = { Authorization: "Bearer s3cret" };
    const records = await capture({ headers: { "X-Team": "blue" }, secretHeaders }, `${url}/?key=s3cret`);
    expect(asked.map(({ init }) => init)).toMatchObject([
      { headers: secretHeaders, redirect: "manual" },
      { headers: secretHeaders, redirect: "manual" },
    ]);
    expect(asked[0]?.url).toContain("?key=s3cret");
    expect(JSON.stringify(records)).not.toMatch(/s3cret|blue/);
  });

  it("gives credentials to nobody but the address that was named", async () => {
    const { capture } = paced([]);
    const elsewhere = "http://localhost:1";
    await expect(capture({ secretHeaders: { Authorization: "x" } }, elsewhere)).rejects.toMatchObject({
      code: "agent.config",
      message: expect.stringContaining("of another origin"),
    });
    await expect(capture({}, "http://me:pw@127.0.0.1:1")).rejects.toMatchObject({
      code: "agent.config",
      message: expect.not.stringContaining("pw"),
    });
  });

  it("keeps what came before the connection broke, half an event included", async () => {
    const { capture } = paced([
      [10, "data: 1\n\ndata: 2"],
      [10, BREAK],
    ]);
    expect((await capture()).slice(1)).toEqual([
      { t: 10, raw: "1", bytes: 1 },
      { t: 10, raw: "2", bytes: 1, unterminated: true },
      { t: 20, end: "broken", error: "terminated" },
    ]);
  });

  it("cuts an event that is too large, and goes on", async () => {
    const { capture } = paced([[10, `data: ${"x".repeat(1_000)}\n\ndata: y\n\n`]]);
    expect(eventsOf(await capture({ maxEventBytes: 4 }))).toEqual([
      { t: 10, raw: "xxxx", bytes: 1_000, cut: true },
      { t: 10, raw: "y", bytes: 1 },
    ]);
  });

  it("leaves a stream that the server does not end once the task is over", async () => {
    const over = { statusUpdate: { taskId: "t", status: { state: "TASK_STATE_COMPLETED" } } };
    const beat = (): Paced => [900, ": alive\n\n"];
    const { capture } = paced([
      [10, `data: ${JSON.stringify(over)}\n\n`],
      ...Array.from({ length: 9 }, beat),
    ]);
    const records = await capture();
    expect(records.at(-1)).toMatchObject({ end: "left-open" });
    expect(eventsOf(records)).toHaveLength(1);
  });

  it("ends where it is interrupted, and says so", async () => {
    const controller = new AbortController();
    const { capture } = paced([
      [10, "data: 1\n\n"],
      [10, BREAK],
    ]);
    const running = capture({ signal: controller.signal });
    controller.abort();
    expect((await running).slice(1)).toEqual([
      { t: 10, raw: "1", bytes: 1 },
      { t: 20, end: "interrupted" },
    ]);
  });
});
