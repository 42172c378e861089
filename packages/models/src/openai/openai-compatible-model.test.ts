import { silentLog, type ModelMessage, type ToolDefinition } from "@troupe/core";
import { collectAnswer, virtualClock } from "@troupe/core/testing";
import type { JsonObject } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { adapters, never, request } from "../calls/adapters.test-bench.ts";
import { type FakeModelServer, type FakeServerOptions } from "../testing/index.ts";
import { openaiCompatibleModel } from "./openai-compatible-model.ts";

const { startFake, model } = adapters[1]!;

const finish: ToolDefinition = {
  name: "finish",
  description: "Ends the run.",
  inputSchema: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
  eager: true,
};

describe("the OpenAI-compatible adapter", () => {
  let server: FakeModelServer;
  const start = async (options?: FakeServerOptions): Promise<void> => {
    await server?.close();
    server = await startFake(options);
  };
  beforeEach(() => start());
  afterEach(() => server.close());

  const done = { blocks: [{ type: "text" as const, text: "done" }] };
  const ask = (over = {}, one = model(server)) => collectAnswer(one.stream(request(over), { signal: never }));
  const body = (at: number): JsonObject => server.requests[at]?.body ?? {};
  const sent = (at: number) => body(at)["messages"] as readonly JsonObject[];

  it("asks for usage in the stream, strict schemas and the given limit", async () => {
    server.script(done);
    await ask({ tools: [finish], maxOutputTokens: 500 });
    expect(body(0)).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
      messages: [
        { role: "system", content: "You are a test." },
        { role: "user", content: "Hello" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "finish", strict: true, parameters: { required: ["content"] } },
        },
      ],
    });
  });

  it("goes without what a server refuses and remembers it", async () => {
    await start({ refuses: ["stream_options", "strict", "max_tokens"] });
    server.script(done, done);
    const one = model(server);
    const over = { tools: [finish], maxOutputTokens: 500 };
    const answer = await ask(over, one);
    expect(answer.text).toBe("done");
    expect(answer.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      modelCalls: 1,
    });
    expect(server.requests).toHaveLength(4);
    await ask(over, one);
    expect(server.requests).toHaveLength(5);
    expect(body(4)).toMatchObject({ max_completion_tokens: 500 });
    expect(JSON.stringify(body(4))).not.toMatch(/stream_options|"strict"/);
  });

  it("sends no Authorization where there is no key", async () => {
    server.script(done);
    const open = openaiCompatibleModel({
      baseURL: server.url,
      model: "local",
      clock: virtualClock(),
      log: silentLog,
    });
    expect((await ask({}, open)).text).toBe("done");
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("sends null content beside calls, errors in words, and only whole JSON as arguments", async () => {
    server.script(done);
    const messages: ModelMessage[] = [
      { role: "user", text: "Hello" },
      { role: "assistant", text: "", toolCalls: [{ callId: "a", name: "search", arguments: '{"q' }] },
      { role: "tool", results: [{ callId: "a", name: "search", text: "bad JSON", isError: true }] },
      { role: "assistant", text: "I see.", toolCalls: [] },
    ];
    await ask({ messages });
    expect(sent(0).slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "search", arguments: '{"invalid_json":"{\\"q"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "Error: bad JSON" },
      { role: "assistant", content: "I see." },
    ]);
  });

  it.each([
    ["stop", "tool-calls"],
    ["tool_calls", "tool-calls"],
    ["length", "max-tokens"],
    ["content_filter", "refusal"],
  ])("reads %s beside a call as %s", async (stop, reason) => {
    server.script({ blocks: [{ type: "tool-call", id: "a", name: "finish", arguments: {} }], stop });
    expect((await ask()).stop).toBe(reason);
  });

  it("streams the words of a refusal", async () => {
    server.script({ blocks: [], refusal: "I cannot help with that." });
    const answer = await ask();
    expect(answer.text).toBe("I cannot help with that.");
    expect(answer.stop).toBe("refusal");
  });

  it.each([
    ["an answer", { tools: [finish] }, "It is 7."],
    ["the JSON of a plan", { responseFormat: { name: "plan", schema: { type: "object" } } }, '{"steps":[]}'],
  ])("leaves reasoning out of %s", async (_, over, text) => {
    server.script({ blocks: [{ type: "text", text: `<think>\n{"draft"}\n</think>\n\n${text}` }], split: 2 });
    const answer = await ask(over);
    expect(answer.text).toBe(text);
    expect(answer.stop).toBe("end");
  });

  it("reads the call behind reasoning, and reasoning that was cut off as no text", async () => {
    const thinking = { type: "text" as const, text: "<think>I look it up." };
    const call = { type: "tool-call" as const, id: "a", name: "finish", arguments: {} };
    server.script({ blocks: [thinking, call] }, { blocks: [thinking], stop: "length" });
    expect(await ask({ tools: [finish] })).toMatchObject({ text: "", calls: [{ name: "finish" }] });
    expect(await ask()).toMatchObject({ text: "", stop: "max-tokens" });
  });

  it("forces a tool, and says it in words where that is refused", async () => {
    await start({ refuses: ["tool_choice"] });
    server.script(done);
    await ask({ tools: [finish], toolChoice: "required" });
    expect(body(0)).toMatchObject({ tool_choice: "required" });
    expect(body(1)).not.toHaveProperty("tool_choice");
    expect(sent(1).at(-1)).toEqual({
      role: "user",
      content: "Answer with a tool call.",
    });
  });

  it("asks for JSON of a schema; strict only when nothing is optional", async () => {
    server.script(done, done);
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    await ask({ responseFormat: { name: "plan", schema } });
    expect(body(0)["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "plan", strict: true, schema: { ...schema, additionalProperties: false } },
    });
    const loose = { type: "object", properties: { a: { type: "number" } } };
    await ask({ responseFormat: { name: "plan", schema: loose } });
    expect(body(1)["response_format"]).toMatchObject({ json_schema: { strict: false, schema: loose } });
  });

  it("describes the schema in words to a server without response_format", async () => {
    await start({ refuses: ["response_format"] });
    server.script(done);
    await ask({ responseFormat: { name: "plan", schema: { type: "object" } } });
    expect(JSON.stringify(body(1))).toContain("JSON Schema");
  });
});
