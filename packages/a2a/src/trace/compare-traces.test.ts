import { expect, it } from "vitest";

import { compareTraces } from "./compare-traces.ts";
import { createTracer } from "./create-tracer.ts";
import type { Trace } from "./trace.ts";

function saying(text: string, t: number): Trace {
  const tracer = createTracer();
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text }] };
  tracer.push({ t, raw: JSON.stringify({ message }), bytes: 10 });
  return tracer.trace();
}

it("puts each figure beside its like, with the difference and the ratio", () => {
  const { figures, answersEqual, outcomes } = compareTraces(saying("a", 100), saying("a", 250));
  const row = (name: string) => figures.find(({ figure }) => figure === name);
  expect(row("first answer token")).toEqual({
    figure: "first answer token",
    unit: "ms",
    a: 100,
    b: 250,
    difference: 150,
    ratio: 2.5,
  });
  expect(row("first tool")).toMatchObject({ a: null, b: null, difference: null, ratio: null });
  expect(row("streamed gradually")).toMatchObject({ a: 0, b: 0, difference: 0, ratio: null });
  expect({ answersEqual, outcomes }).toEqual({ answersEqual: true, outcomes: ["completed", "completed"] });
});

it("tells answers that differ, and silence from an answer", () => {
  expect(compareTraces(saying("a", 1), saying("b", 1)).answersEqual).toBe(false);
  expect(compareTraces(saying("a", 1), saying("", 1)).answersEqual).toBe(false);
  expect(compareTraces(saying("", 1), saying("", 1)).answersEqual).toBeNull();
});

it("puts artifact types, parts, flags and the final artifact side by side", () => {
  const tracer = createTracer();
  const artifact = (name: string, parts: readonly object[], metadata: object = {}) => {
    const update = { taskId: "t", artifact: { artifactId: name, name, parts, metadata } };
    tracer.push({ t: 1, raw: JSON.stringify({ artifactUpdate: update }), bytes: 10 });
  };
  artifact("execution_plan_update", [{ data: { steps: [] } }]);
  artifact("streaming_result", [{ text: "Working." }], { is_narration: true });
  artifact("final_result", [{ data: { content: "Done." } }, { url: "http://a.example/f", filename: "f" }]);
  const none = { parts: { text: 0, data: 0, file: 0 }, isFinalAnswer: false, isNarration: false };
  const [a, b] = compareTraces(tracer.trace(), saying("a", 1)).artifacts;
  expect(a).toEqual({
    types: { execution_plan_update: 1, streaming_result: 1, final_result: 1 },
    parts: { text: 1, data: 2, file: 1 },
    isFinalAnswer: false,
    isNarration: true,
    executionPlan: true,
    finalArtifact: "final_result",
  });
  expect(b).toEqual({ ...none, types: {}, executionPlan: false, finalArtifact: "" });
});

it("does not guess parts and flags of a trace that was saved without them", () => {
  const trace = saying("a", 1);
  const artifacts = [{ name: "final_result", role: "result" }];
  expect(compareTraces({ ...trace, artifacts }, trace).artifacts[0]).toMatchObject({
    parts: null,
    isFinalAnswer: null,
    isNarration: null,
    finalArtifact: "final_result",
  });
});
