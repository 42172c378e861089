import { instantClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, NO_USAGE, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { collect, scriptedAgent, withServed } from "../testing/index.ts";
import { connectAgent } from "./index.ts";

const signal = new AbortController().signal;

/** Breaks each stream after so many bytes, in turn; those that follow are left whole. */
function breaking(cuts: readonly number[]): typeof fetch {
  let streams = 0;
  return async (input, init) => {
    const response = await fetch(input, init);
    const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    const cut = streamed ? cuts[streams++] : undefined;
    if (cut === undefined || response.body === null) return response;
    let left = cut;
    const body = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.error(new TypeError("terminated"));
      },
    });
    return new Response(response.body.pipeThrough(body), response);
  };
}

/** A few items of text with tool calls in between, at a pace of turns of the loop. */
const agent = scriptedAgent(async function* (): AsyncGenerator<AgentEventBody> {
  for (let item = 0; item < 6; item++) {
    const itemId = `item-${item}`;
    yield { type: "text-start", itemId, role: "open" };
    for (let i = 0; i < 8; i++) {
      yield { type: "text-delta", itemId, delta: `[${item}.${i} wörd 🎭]` };
      if (i % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    yield { type: "text-role", itemId, role: "narration" };
    yield { type: "text-end", itemId };
    const callId = `call-${item}`;
    yield { type: "tool-start", callId, tool: "look", arguments: { item } };
    yield { type: "tool-end", callId, tool: "look", status: "ok", summary: "seen", ms: 1 };
    yield { type: "usage", model: "m", usage: { ...NO_USAGE, outputTokens: 1 } };
  }
  yield { type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems: [] };
});

/** What was told, with the text of an item in one piece, however it came. */
function told(events: readonly AgentEvent[]): readonly unknown[] {
  const all: unknown[] = [];
  const texts = new Map<string, { delta: string }>();
  for (const { seq: _, runId: _run, ...event } of events) {
    const text = event.type === "text-delta" ? texts.get(event.itemId) : undefined;
    if (event.type === "text-delta" && text !== undefined) text.delta += event.delta;
    else {
      const copy = { ...event };
      if (copy.type === "text-delta") texts.set(copy.itemId, copy);
      all.push(copy);
    }
  }
  return all;
}

it("wherever its streams break, a call tells everything once and in order", async () => {
  // Enough for an update each time, but for the first: who never gets anything is told that nobody is there.
  const later = fc.array(fc.integer({ min: 1_500, max: 12_000 }), { maxLength: 4 });
  const cuts = fc.tuple(fc.integer({ min: 1, max: 12_000 }), later).map(([first, rest]) => [first, ...rest]);
  await withServed({ agent, coalesceMs: 0 }, async ({ url }) => {
    const whole = await connectAgent(url);
    const expected = told(await collect(whole.stream({ text: "go" }, { signal })));
    expect(expected.length).toBeGreaterThan(30);
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom("JSONRPC", "HTTP+JSON"), async (at, binding) => {
        // As often as streams break before they tell anything.
        const limits = { retries: at.length };
        const remote = await connectAgent(url, {
          binding,
          fetch: breaking(at),
          clock: instantClock,
          limits,
        });
        expect(told(await collect(remote.stream({ text: "go" }, { signal })))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
