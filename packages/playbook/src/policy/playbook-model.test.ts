import { InputError, isTroupeError, type ModelRequest } from "@troupe/core";
import { collectAnswer } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { finishCall } from "./finish-call.ts";
import { playbookModel } from "./playbook-model.ts";
import type { Playbook } from "./playbook.ts";
import { callsSoFar, lastUserText, toolResults } from "./read-request.ts";

const never = new AbortController().signal;

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "You are a test.", messages: [{ role: "user", text: "Hello" }], tools: [], ...over };
}

const run = (policy: Playbook, over: Partial<ModelRequest> = {}, chunkChars?: number) =>
  collectAnswer(
    playbookModel(policy, chunkChars === undefined ? {} : { chunkChars }).stream(request(over), {
      signal: never,
    }),
  );

describe("playbookModel", () => {
  it("streams what the policy says in small pieces, whole characters each", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 7 }), async (say, size) => {
        const answer = await run(() => ({ say }), {}, size);
        expect(answer.text).toBe(say);
        expect(answer.stop).toBe("end");
        const deltas = answer.events.filter((event) => event.type === "text-delta");
        expect(deltas.every(({ text }) => Array.from(text).length <= size)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("calls tools under ids that follow from the round", async () => {
    const calls = [
      { name: "rag_search", arguments: { query: "AI strategy" } },
      { name: "query_db", arguments: { sql: "select 1" } },
    ];
    const messages: ModelRequest["messages"] = [
      { role: "user", text: "Hi" },
      { role: "assistant", text: "x", toolCalls: [] },
    ];
    const answer = await run(() => ({ say: "First look.", calls }), { messages });
    expect(answer.calls).toEqual([
      { callId: "call-2-1", name: "rag_search", arguments: '{"query":"AI strategy"}', ended: true },
      { callId: "call-2-2", name: "query_db", arguments: '{"sql":"select 1"}', ended: true },
    ]);
    expect(answer.stop).toBe("tool-calls");
    expect(answer.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      modelCalls: 1,
    });
  });

  it("lets others run between two pieces", async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 1000) setImmediate(count);
    };
    setImmediate(count);
    await run(() => ({ say: "a".repeat(100) }), {}, 10);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it("ends with the signal's reason between two pieces", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      const stream = playbookModel(() => ({ say: "abc" }), { chunkChars: 1 }).stream(request(), {
        signal: controller.signal,
      });
      for await (const event of stream) {
        seen.push(event.type);
        controller.abort(new Error("enough"));
      }
    };
    await expect(read()).rejects.toThrow("enough");
    expect(seen).toHaveLength(1);
  });

  it.each([
    [new InputError("input.invalid", "Name a topic."), "this request: Name a topic."],
    [new TypeError("x is undefined"), "this request."],
  ])("types the error of a policy, and tells only what is written for people: %s", async (thrown, told) => {
    const { error } = await run(() => {
      throw thrown;
    });
    expect(isTroupeError(error)).toBe(true);
    expect(error).toMatchObject({ message: `The playbook has no rule that fits ${told}`, cause: thrown });
  });
});

describe("what a policy reads from a request", () => {
  const full = request({
    messages: [
      { role: "user", text: "first" },
      {
        role: "assistant",
        text: "",
        toolCalls: [
          { callId: "a", name: "search", arguments: '{"q":"x"}' },
          { callId: "b", name: "query", arguments: "" },
        ],
      },
      {
        role: "tool",
        results: [
          { callId: "a", name: "search", text: "found", isError: false },
          { callId: "b", name: "query", text: "no table", isError: true },
        ],
      },
      { role: "user", text: "second" },
    ],
  });

  it("is the last user text, the calls and the results with their arguments", () => {
    expect(lastUserText(full)).toBe("second");
    expect(callsSoFar(full)).toEqual([
      { name: "search", arguments: { q: "x" } },
      { name: "query", arguments: {} },
    ]);
    expect(toolResults(full).map(({ name }) => name)).toEqual(["search", "query"]);
    expect(toolResults(full, "search")).toEqual([
      { callId: "a", name: "search", arguments: { q: "x" }, text: "found", isError: false },
    ]);
  });

  it("is empty for an empty conversation", () => {
    expect(lastUserText(request({ messages: [] }))).toBe("");
    expect(toolResults(request())).toEqual([]);
  });
});

describe("finishCall", () => {
  it("writes every field, content first", () => {
    const call = finishCall({ content: "Done [1].", citationIds: ["1"], chartIds: ["chart-1"] });
    expect(JSON.stringify(call)).toBe(
      '{"name":"finish","arguments":{"content":"Done [1].","is_task_complete":true,"require_user_input":false,"user_input":"","input_fields":[],"citation_ids":["1"],"chart_ids":["chart-1"]}}',
    );
  });

  it("asks the person, and is then not complete", () => {
    const field = {
      field_name: "year",
      field_label: "Year",
      field_description: "",
      field_type: "number" as const,
      field_values: [],
      default_value: null,
      placeholder: "",
      required: true,
    };
    expect(
      finishCall({ content: "", ask: { question: "Which year?", fields: [field] } }).arguments,
    ).toMatchObject({
      is_task_complete: false,
      require_user_input: true,
      user_input: "Which year?",
      input_fields: [field],
    });
  });
});
