import { silentLog, type ModelMessage, type ToolDefinition } from "@troupe/core";
import { collectAnswer, virtualClock } from "@troupe/core/testing";
import type { JsonObject } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { adapters, never, request } from "../calls/adapters.test-bench.ts";
import { type FakeModelServer, type FakeServerOptions } from "../testing/index.ts";
import { anthropicModel, DEFAULT_ANTHROPIC_MODEL } from "./anthropic-model.ts";

const { startFake, model } = adapters[0]!;

const finish: ToolDefinition = {
  name: "finish",
  description: "Ends the run.",
  inputSchema: {
    type: "object",
    properties: {
      content: { type: "string", maxLength: 9000 },
      done: { type: "boolean", description: "All done" },
    },
    required: ["content"],
  },
  eager: true,
};
const search: ToolDefinition = {
  name: "search",
  description: "Searches.",
  inputSchema: { type: "object", properties: { q: { type: "string" } } },
};

describe("the Anthropic adapter", () => {
  let server: FakeModelServer;
  const start = async (options?: FakeServerOptions): Promise<void> => {
    await server?.close();
    server = await startFake(options);
  };
  beforeEach(() => start());
  afterEach(() => server.close());

  const done = { blocks: [{ type: "text" as const, text: "done" }] };
  const body = (at: number): JsonObject => server.requests[at]?.body ?? {};
  const tool = (at: number, position: number) => (body(at)["tools"] as readonly JsonObject[])[position];

  it("marks tools, system and the last message for caching", async () => {
    server.script(done);
    await collectAnswer(model(server).stream(request({ tools: [search, finish] }), { signal: never }));
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body(0)).toMatchObject({
      model: DEFAULT_ANTHROPIC_MODEL,
      stream: true,
      system: [{ type: "text", text: "You are a test.", ...mark }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello", ...mark }] }],
    });
    expect(tool(0, 0)).not.toHaveProperty("cache_control");
    expect(tool(0, 1)).toMatchObject(mark);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-test-0123456789abcdef");
  });

  it("asks for eager streaming and a strict schema of eager tools only", async () => {
    server.script(done);
    await collectAnswer(model(server).stream(request({ tools: [search, finish] }), { signal: never }));
    expect(tool(0, 0)).toEqual({
      name: "search",
      description: "Searches.",
      input_schema: search.inputSchema,
    });
    expect(tool(0, 1)).toMatchObject({
      eager_input_streaming: true,
      strict: true,
      input_schema: {
        type: "object",
        properties: {
          content: { type: "string", description: "(maxLength: 9000)" },
          done: { type: "boolean", description: "All done" },
        },
        required: ["content", "done"],
        additionalProperties: false,
      },
    });
  });

  it("drops what the endpoint refuses, at once and for good", async () => {
    await start({ refuses: ["eager_input_streaming", "cache_control"] });
    server.script(done, done);
    const one = model(server);
    const ask = () => collectAnswer(one.stream(request({ tools: [finish] }), { signal: never }));
    expect((await ask()).text).toBe("done");
    expect(server.requests).toHaveLength(3);
    expect((await ask()).text).toBe("done");
    expect(server.requests).toHaveLength(4);
    expect(tool(3, 0)).toMatchObject({ strict: true });
    expect(JSON.stringify(body(3))).not.toMatch(/eager_input_streaming|cache_control/);
  });

  it("goes on without an effort that the model does not know", async () => {
    await start({ refuses: ["effort"] });
    server.script(done);
    const one = anthropicModel({
      baseURL: server.url,
      apiKey: "k",
      clock: virtualClock(),
      log: silentLog,
      effort: "max",
    });
    expect((await collectAnswer(one.stream(request(), { signal: never }))).text).toBe("done");
    expect(body(0)["output_config"]).toEqual({ effort: "max" });
    expect(body(1)).not.toHaveProperty("output_config");
  });

  it("puts a forced call into words where forcing is refused", async () => {
    await start({ refuses: ["tool_choice"] });
    server.script(done);
    const forced = request({ tools: [finish], toolChoice: { name: "finish" } });
    expect((await collectAnswer(model(server).stream(forced, { signal: never }))).error).toBeUndefined();
    expect(body(0)["tool_choice"]).toEqual({ type: "tool", name: "finish" });
    expect(body(1)).not.toHaveProperty("tool_choice");
    expect(JSON.stringify(body(1)["messages"])).toContain('call of the tool \\"finish\\"');
  });

  it("asks for JSON of a schema, or in words where that is refused", async () => {
    await start({ refuses: ["output_config"] });
    server.script(done);
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    await collectAnswer(
      model(server).stream(request({ responseFormat: { name: "plan", schema } }), { signal: never }),
    );
    expect(body(0)["output_config"]).toEqual({
      format: { type: "json_schema", schema: { ...schema, additionalProperties: false } },
    });
    expect(body(1)).not.toHaveProperty("output_config");
    expect(JSON.stringify(body(1)["messages"])).toContain("JSON Schema");
  });

  it("turns a conversation into alternating turns with results beside their calls", async () => {
    server.script(done);
    const messages: ModelMessage[] = [
      { role: "user", text: "" },
      {
        role: "assistant",
        text: "",
        toolCalls: [
          { callId: "a", name: "search", arguments: '{"q":1}' },
          { callId: "b", name: "search", arguments: '{"q":' },
        ],
      },
      {
        role: "tool",
        results: [
          { callId: "a", name: "search", text: "found", isError: false },
          { callId: "b", name: "search", text: "not JSON", isError: true },
        ],
      },
      { role: "user", text: "Go on" },
    ];
    await collectAnswer(model(server).stream(request({ messages }), { signal: never }));
    expect(body(0)["messages"]).toMatchObject([
      { role: "user", content: [{ type: "text", text: "(empty)" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", input: { q: 1 } },
          { type: "tool_use", id: "b", input: { invalid_json: '{"q":' } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "found" },
          { type: "tool_result", tool_use_id: "b", content: "not JSON", is_error: true },
          { type: "text", text: "Go on" },
        ],
      },
    ]);
  });

  it.each([
    ["max_tokens", "max-tokens"],
    ["model_context_window_exceeded", "max-tokens"],
    ["refusal", "refusal"],
    ["stop_sequence", "end"],
  ])("reads the stop reason %s as %s", async (stop, reason) => {
    server.script({ blocks: [{ type: "text", text: "so far" }], stop });
    expect((await collectAnswer(model(server).stream(request(), { signal: never }))).stop).toBe(reason);
  });

  describe("with a model that reasons", () => {
    const thought = { type: "thinking" as const, thinking: "", signature: "signed" };
    const call = { type: "tool-call" as const, id: "t1", name: "search", arguments: { q: "pH" } };
    const after: readonly ModelMessage[] = [
      { role: "user", text: "Hello" },
      {
        role: "assistant",
        text: "Searching.",
        toolCalls: [{ callId: "t1", name: "search", arguments: '{"q":"pH"}' }],
      },
      { role: "tool", results: [{ callId: "t1", name: "search", text: "7", isError: false }] },
    ];
    const first = { blocks: [thought, { type: "text" as const, text: "Searching." }, call] };

    it("hands the reasoning back unchanged with its turn, and shows none of it", async () => {
      server.script(first, done);
      const one = model(server);
      const answer = await collectAnswer(one.stream(request(), { signal: never }));
      expect(answer.text).toBe("Searching.");
      await collectAnswer(one.stream(request({ messages: after }), { signal: never }));
      expect((body(1)["messages"] as readonly JsonObject[])[1]).toEqual({
        role: "assistant",
        content: [
          thought,
          { type: "text", text: "Searching." },
          { type: "tool_use", id: "t1", name: "search", input: { q: "pH" } },
        ],
      });
    });

    it("goes on without it when the turn was changed since or the endpoint refuses it", async () => {
      await start({ refuses: ["signature"] });
      server.script(first, done, done);
      const one = model(server);
      await collectAnswer(one.stream(request(), { signal: never }));
      const changed = after.with(1, { role: "assistant", text: "Other.", toolCalls: [] });
      await collectAnswer(one.stream(request({ messages: changed }), { signal: never }));
      expect(JSON.stringify(body(1))).not.toContain("signed");
      const answer = await collectAnswer(one.stream(request({ messages: after }), { signal: never }));
      expect(answer.error).toBeUndefined();
      expect(JSON.stringify(body(2))).toContain("signed");
      expect(JSON.stringify(body(3))).not.toContain("signed");
    });
  });
});
