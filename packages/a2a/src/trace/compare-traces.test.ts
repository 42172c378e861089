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
