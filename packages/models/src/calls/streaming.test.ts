import { collectAnswer } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as fc from "fast-check";

import { type FakeModelServer } from "../testing/index.ts";
import { adapters, never, request } from "./adapters.test-bench.ts";

describe.each(adapters)("$name: what is streamed", ({ startFake, model }) => {
  let server: FakeModelServer;
  beforeEach(async () => {
    server = await startFake();
  });
  afterEach(() => server.close());

  const ask = (over = {}) => collectAnswer(model(server).stream(request(over), { signal: never }));

  it("puts text together and ends with usage and one stop", async () => {
    server.script({
      blocks: [{ type: "text", text: "Water at 12 °C 🌊" }],
      split: 1,
      usage: { input: 7, output: 3, cacheRead: 100 },
    });
    const answer = await ask();
    expect(answer.error).toBeUndefined();
    expect(answer.text).toBe("Water at 12 °C 🌊");
    expect(answer.usage).toEqual({
      inputTokens: 7,
      outputTokens: 3,
      cacheReadTokens: 100,
      cacheWriteTokens: 0,
      modelCalls: 1,
    });
    expect(answer.events.slice(-2).map((event) => event.type)).toEqual(["usage", "stop"]);
    expect(answer.stop).toBe("end");
  });

  it("keeps text before parallel calls and the calls in order", async () => {
    server.script({
      blocks: [
        { type: "text", text: "Looking." },
        { type: "tool-call", id: "a", name: "rag_search", arguments: { query: "pH" } },
        { type: "tool-call", id: "b", name: "query_db", arguments: { sql: "select 1" } },
      ],
    });
    const answer = await ask({
      tools: [{ name: "rag_search", description: "search", inputSchema: { type: "object" } }],
    });
    expect(answer.text).toBe("Looking.");
    expect(answer.calls).toEqual([
      { callId: "a", name: "rag_search", arguments: '{"query":"pH"}', ended: true },
      { callId: "b", name: "query_db", arguments: '{"sql":"select 1"}', ended: true },
    ]);
    expect(answer.stop).toBe("tool-calls");
  });

  it("gives the same text and arguments however the wire is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
        fc.boolean(),
        async (text, values, split, chop, interleave) => {
          // Through JSON once: -0 and the like do not survive the wire, and need not.
          const args = values.map((value) => JSON.stringify({ value }));
          server.script({
            blocks: [
              { type: "text", text },
              ...args.map((json, at) => ({
                type: "tool-call" as const,
                id: `call-${at}`,
                name: `tool_${at}`,
                arguments: json,
              })),
            ],
            split,
            interleave,
            ...(chop === undefined ? {} : { chop }),
          });
          const answer = await ask();
          expect(answer.error).toBeUndefined();
          expect(answer.text).toBe(text);
          expect(answer.calls.map((call) => call.arguments)).toEqual(args);
          expect(answer.calls.every((call) => call.ended)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("passes broken argument JSON on as it was written", async () => {
    server.script({
      blocks: [{ type: "tool-call", id: "a", name: "finish", arguments: '{"content": "half' }],
    });
    const answer = await ask();
    expect(answer.calls[0]?.arguments).toBe('{"content": "half');
    expect(answer.stop).toBe("tool-calls");
  });

  it("reads a call without arguments as an empty object", async () => {
    server.script({ blocks: [{ type: "tool-call", id: "a", name: "list_files", arguments: "" }] });
    expect((await ask()).calls[0]?.arguments).toBe("{}");
  });

  it("stops the request when the consumer walks away", async () => {
    server.script({ blocks: [{ type: "text", text: "a long answer" }], split: 1, stallAfter: 5 });
    for await (const event of model(server).stream(request(), { signal: never })) {
      expect(event.type).toBe("text-delta");
      break;
    }
    await server.waitForHangUp();
  });

  it("sends no half of a surrogate pair, wherever it came from", async () => {
    server.script({ blocks: [] });
    const half = "cut \uD83D";
    const call = { callId: "c1", name: "look", arguments: '{"at":"cut \\ud83d"}' };
    await ask({
      system: half,
      messages: [
        { role: "user", text: half },
        { role: "assistant", text: half, toolCalls: [call] },
        { role: "tool", results: [{ callId: "c1", name: "look", text: half, isError: false }] },
      ],
    });
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent.match(/cut \uFFFD/g)).toHaveLength(5);
    expect(sent).not.toMatch(/ud83d/i);
  });

  it("leaves the tools out when there are none", async () => {
    server.script({ blocks: [] });
    await ask();
    expect(server.requests[0]?.body).not.toHaveProperty("tools");
  });
});
