import { emptyTurn, reduceTurn, type AgentEvent } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { ModelError } from "../errors/model-error.ts";
import { fakeAnswerCheck } from "../testing/fake-answer-check.ts";
import { finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { instantClock } from "../testing/virtual-clock.ts";

const tools = [echoTool(), echoTool("bad", () => Promise.reject(new Error("no")))];
const reset = new ModelError("model.stream-broken", "reset", { retryable: true });

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc
    .array(fc.constantFrom("a ", "[FINAL ANSWER]", "**", '{"content":"b","is_task_complete":true}', "\n"), {
      maxLength: 5,
    })
    .map((bits) => bits.join("")),
);
const mode = fc.constantFrom("finish" as const, "marker" as const, "structured" as const);
const call = fc.oneof(
  fc.record({ name: fc.constantFrom("echo", "bad", "unknown"), arguments: fc.record({ text }) }),
  fc.record({ name: fc.constant("echo"), arguments: fc.string({ maxLength: 10 }) }),
  fc.tuple(text, fc.boolean()).map(([content, done]) => finishCall(content, { is_task_complete: done })),
  fc
    .tuple(text, text)
    .map(([sentence, corrected]) =>
      finishCall("", { replacements: [{ sentence, text: corrected }], derived: [] }),
    ),
  fc.record({
    name: fc.constant("finish"),
    arguments: fc.string({ maxLength: 10 }).map((s) => `{"content":"${s}`),
  }),
);
const step: fc.Arbitrary<ScriptedStep> = fc.record(
  {
    text,
    calls: fc.array(call, { maxLength: 4 }),
    split: fc.integer({ min: 1, max: 30 }),
    stop: fc.constantFrom("end", "tool-calls", "max-tokens", "refusal"),
    fail: fc.constant(reset),
    failAfter: fc.nat({ max: 12 }),
  },
  { requiredKeys: ["text", "split"] },
);

describe("any run of the loop, canceled at any moment or not", () => {
  it("ends once, closes what it opens, and a reader of its events has exactly the response's text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.option(fc.nat({ max: 40 })),
        mode,
        fc.constantFrom("token" as const, "word" as const),
        fc.boolean(),
        async (steps, cancelAt, response_mode, stream_by, isChecked) => {
          const model = scriptedModel(steps);
          const config = { ...testConfig, max_iterations: 4, response_mode, stream_by };
          const answerCheck = fakeAnswerCheck({ words: { a: "figure", " ": "uncited" } });
          const deps = { model, tools, clock: instantClock, ...(isChecked && { answerCheck }) };
          const agent = createAgent(config, deps);
          const abort = new AbortController();
          const onEvent = (event: AgentEvent): void => {
            if (event.seq === cancelAt) abort.abort();
          };
          const events = await runAgent(agent, {}, { signal: abort.signal, onEvent });
          const finish = finishOf(events);

          const texts = new Map<string, string>();
          const open = new Set<string>();
          const unopened: string[] = [];
          for (const event of events) {
            if (event.type === "text-start") open.add(event.itemId);
            if (event.type === "text-delta") {
              if (!open.has(event.itemId)) unopened.push(event.itemId);
              texts.set(event.itemId, (texts.get(event.itemId) ?? "") + event.delta);
            }
            if (event.type === "text-end") open.delete(event.itemId);
            if (event.type === "tool-start") open.add(event.callId);
            if (event.type === "tool-end") open.delete(event.callId);
          }
          expect([...open, ...unopened]).toEqual([]);
          expect(finish.answerItems.map((id) => texts.get(id)).join("")).toBe(finish.response.content);
          expect(finish.response.is_task_complete).toBe(finish.outcome === "completed");

          const state = events.reduce(reduceTurn, emptyTurn);
          expect(state.content).toBe(finish.response.content);
          const answers = state.items.filter((item) => item.kind === "message" && item.role === "answer");
          expect(answers).toHaveLength(finish.answerItems.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
