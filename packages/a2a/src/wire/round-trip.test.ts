import type { AgentEvent, AgentEventBody } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { encodeRun, overTheWire } from "../testing/encode-run.ts";
import { responseOf } from "../testing/index.ts";
import { copyTask } from "./apply-event.ts";
import { checkArtifactStream } from "./check-artifact-stream.ts";
import { createDecoder } from "./decode/decoder.ts";

/** What matters of a run: every item with its text and role, and all else in order per emitter. */
function essence(events: readonly AgentEvent[]): {
  readonly items: readonly (readonly [string, unknown])[];
  readonly rest: readonly AgentEvent[];
} {
  const items = new Map<string, { born: string; text: string; role: string; ended: boolean }>();
  const rest: AgentEvent[] = [];
  for (const event of events) {
    const key = "itemId" in event ? JSON.stringify([event.stepId, event.attempt, event.itemId]) : "";
    const item = items.get(key);
    if (event.type === "text-start")
      items.set(key, { born: event.role, text: "", role: event.role, ended: false });
    else if (event.type === "text-delta" && item !== undefined) item.text += event.delta;
    else if (event.type === "text-role" && item !== undefined) item.role = event.role;
    else if (event.type === "text-end" && item !== undefined) item.ended = true;
    else rest.push(event);
  }
  // On the wire there are no lone surrogates.
  for (const item of items.values()) item.text = item.text.toWellFormed();
  return { items: [...items], rest };
}

/** The last status of each step: that is all a snapshot keeps of it. */
function settled(events: readonly AgentEvent[]) {
  const last = new Map<string, AgentEvent>();
  const plans = new Map<string, AgentEvent>();
  const { items, rest } = essence(events);
  const other = rest.filter((event) => {
    const scope = JSON.stringify([event.stepId, event.attempt]);
    if (event.type === "step-status") last.set(`${scope}${event.step}`, event);
    if (event.type === "plan-update") plans.set(scope, event);
    return event.type !== "step-status" && event.type !== "plan-update";
  });
  return { items, other, last: Object.fromEntries(last), plans: Object.fromEntries(plans) };
}

const scopeArb = fc.constantFrom<{ stepId?: string; attempt: number; agent: string }>(
  { attempt: 1, agent: "top" },
  { stepId: "a", attempt: 1, agent: "rag" },
  { stepId: "a", attempt: 2, agent: "rag" },
  { stepId: "b", attempt: 1, agent: "data" },
);
const textArb = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("\u{1F600}", "\ud83d", "\ude00", "", "\n", "data: x\n\n", "[FINAL ANSWER]"),
);
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 };
const bodyArb: fc.Arbitrary<AgentEventBody> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("text-start" as const),
      itemId: fc.constantFrom("1", "2", "plan"),
      role: fc.constantFrom("open" as const, "answer" as const),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant("text-delta" as const),
      itemId: fc.constantFrom("1", "2", "plan"),
      delta: textArb,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("text-role" as const),
      itemId: fc.constantFrom("1", "2", "plan"),
      role: fc.constantFrom("answer" as const, "narration" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("text-end" as const),
      itemId: fc.constantFrom("1", "2", "plan"),
    }),
  },
  fc.record({
    type: fc.constant("tool-start" as const),
    callId: fc.constantFrom("c1", "c2"),
    tool: fc.string(),
    arguments: fc.constant({ q: "x" }),
  }),
  fc.record({
    type: fc.constant("tool-end" as const),
    callId: fc.constantFrom("c1", "c2"),
    tool: fc.string(),
    status: fc.constantFrom("ok" as const, "error" as const),
    summary: fc.string(),
    ms: fc.nat(),
  }),
  fc.constant({
    type: "plan-update" as const,
    plan: {
      name: "p",
      steps: [{ id: "a", kind: "agent" as const, agent: "rag", instruction: "look", dependsOn: [] }],
    },
  }),
  fc.record({
    type: fc.constant("step-status" as const),
    step: fc.constantFrom("a", "b"),
    state: fc.constantFrom("in_progress" as const, "completed" as const),
  }),
  fc.constant({
    type: "citation" as const,
    citation: {
      id: "1",
      document: "d",
      source: "s",
      collection: "c",
      chunkId: "k",
      quote: "q",
      start: 0,
      end: 1,
    },
  }),
  fc.constant({ type: "usage" as const, model: "m", usage }),
  fc.constant({ type: "attempt-start" as const, reason: "broken stream" }),
  fc.constant({
    type: "artifact" as const,
    artifact: {
      id: "f",
      name: "deck.pptx",
      mediaType: "application/x",
      bytes: 3,
      sha256: "0".repeat(64),
      url: "http://127.0.0.1/f",
    },
  }),
  fc.constant({
    type: "input-required" as const,
    request: { requestId: "r", kind: "form" as const, form: { title: "t", description: "", fields: [] } },
  }),
  fc.constant({
    type: "input-required" as const,
    request: {
      requestId: "r",
      kind: "approval" as const,
      calls: [{ callId: "c", tool: "t", arguments: {} }],
    },
  }),
);
const finishArb = fc.record({
  type: fc.constant("finish" as const),
  outcome: fc.constantFrom(
    "completed" as const,
    "partial" as const,
    "failed" as const,
    "canceled" as const,
    "input-required" as const,
  ),
  response: fc.string().map((content) => responseOf(content, { data: { note: content } })),
  answerItems: fc.constant(["1"]),
});

/** Any order of events that keeps to the grammar of text items; the run's own finish comes last. */
const runArb: fc.Arbitrary<readonly AgentEvent[]> = fc
  .tuple(
    fc.array(fc.tuple(scopeArb, fc.oneof({ weight: 30, arbitrary: bodyArb }, finishArb)), { maxLength: 60 }),
    finishArb,
  )
  .map(([drawn, last]) => {
    const items = new Map<string, { role: boolean; ended: boolean }>();
    const seqs = new Map<string, number>();
    const events: AgentEvent[] = [];
    const add = (scope: { stepId?: string; attempt: number; agent: string }, body: AgentEventBody): void => {
      const emitter = JSON.stringify(scope);
      const seq = seqs.get(emitter) ?? 0;
      seqs.set(emitter, seq + 1);
      events.push({ v: 1, runId: "run", seq, ...scope, ...body });
    };
    for (const [scope, body] of drawn) {
      if (body.type === "finish" && scope.stepId === undefined) continue;
      if ("itemId" in body) {
        const key = JSON.stringify([scope, body.itemId]);
        const item = items.get(key);
        if (body.type === "text-start" ? item !== undefined : item === undefined) continue;
        if (body.type === "text-start") items.set(key, { role: false, ended: false });
        else if (item !== undefined) {
          if (body.type === "text-delta" && item.ended) continue;
          if (body.type === "text-role" && item.role) continue;
          if (body.type === "text-end" && item.ended) continue;
          if (body.type === "text-role") item.role = true;
          if (body.type === "text-end") item.ended = true;
        }
      }
      add(scope, body);
    }
    add({ attempt: 1, agent: "top" }, last);
    return events;
  });

const optionsArb = fc.record({
  structured: fc.boolean(),
  pauses: fc.array(fc.nat(60)).map((at) => new Set(at)),
});

/** Without the order among emitters, which a snapshot does not keep for what was live before. */
function unordered(events: readonly AgentEvent[]): unknown {
  const { items, other, ...rest } = settled(events);
  const place = (event: AgentEvent): string => JSON.stringify([event.stepId, event.attempt, event.seq]);
  return {
    ...rest,
    items: Object.fromEntries(items),
    other: other.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)),
  };
}

describe("AgentEvents over the wire and back", () => {
  it("are the same events: items, text, roles, and all else in order", async () => {
    await fc.assert(
      fc.asyncProperty(runArb, optionsArb, async (events, options) => {
        const { wire } = await encodeRun(events, options);
        expect(checkArtifactStream(wire)).toEqual([]);
        const decoder = createDecoder({ agent: "x", runId: "x" });
        const back = wire.flatMap((event) => decoder.push(event));
        expect(decoder.finished()).toBe(true);
        expect(back.at(-1)).toEqual(events.at(-1));
        expect(settled(back)).toEqual(settled(events));
      }),
      { numRuns: 300 },
    );
  });

  it("are the same when a stream breaks anywhere and a snapshot takes its place", async () => {
    await fc.assert(
      fc.asyncProperty(runArb, optionsArb, fc.nat(), fc.nat(), async (events, options, first, second) => {
        const { wire, snapshots } = await encodeRun(events, options);
        const brokeAt = first % wire.length;
        const resumedAt = brokeAt + (second % (wire.length - brokeAt));
        const snapshot = copyTask(snapshots[resumedAt] ?? snapshots[0]!);
        const stream = [
          ...wire.slice(0, brokeAt),
          overTheWire({ $case: "task", value: snapshot }),
          ...wire.slice(resumedAt + 1),
        ];
        const decoder = createDecoder({ agent: "x", runId: "x" });
        const back = stream.flatMap((event) => decoder.push(event));
        expect(back.at(-1)).toEqual(events.at(-1));
        expect(unordered(back)).toEqual(unordered(events));
      }),
      { numRuns: 300 },
    );
  });
});
