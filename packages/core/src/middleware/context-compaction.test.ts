import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ModelMessage, ModelRequest } from "../ports/model.ts";
import { changedBy } from "../testing/run-view.ts";
import { messageChars, tokensOf } from "../text/estimate-tokens.ts";
import { contextCompaction, type CompactionOptions } from "./context-compaction.ts";

function rounds(sizes: readonly number[], text = (size: number) => "x".repeat(size)): ModelMessage[] {
  const messages: ModelMessage[] = [{ role: "user", text: "The question." }];
  for (const [index, size] of sizes.entries()) {
    const callId = `call-${index + 1}`;
    messages.push(
      { role: "assistant", text: "", toolCalls: [{ callId, name: "search", arguments: "{}" }] },
      { role: "tool", results: [{ callId, name: "search", text: text(size), isError: false }] },
    );
  }
  return messages;
}

function compact(messages: readonly ModelMessage[], options: CompactionOptions): readonly ModelMessage[] {
  const request: ModelRequest = { system: "s", messages, tools: [] };
  return changedBy(contextCompaction(options), request).messages;
}

const texts = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.results.map((result) => result.text) : [],
  );
const tokens = (messages: readonly ModelMessage[]) =>
  tokensOf(messages.reduce((sum, message) => sum + messageChars(message), 0));

describe("context compaction", () => {
  it("leaves a conversation alone that fits", () => {
    const messages = rounds([4_000, 4_000]);
    expect(compact(messages, { maxTokens: 3_000 })).toBe(messages);
  });

  it("shortens the oldest results to notes that name tool, call and what could be cited", () => {
    const cite = (size: number) => `Found [1] and [chart-2] and [not an id]. ${"x".repeat(size)}`;
    const short = texts(compact(rounds([4_000, 4_000, 4_000, 4_000], cite), { maxTokens: 4_000 }));
    expect(short[0]).toBe(
      "[Shortened: the 4041 characters that search returned to call call-1. What it had to cite keeps its ids: [1] [chart-2]. Call it again where you need them.]",
    );
    expect(short.slice(2)).toEqual([cite(4_000), cite(4_000)]);
  });

  it("never touches the newest rounds, even when they alone are too much", () => {
    const short = texts(compact(rounds([9_000, 9_000, 9_000]), { maxTokens: 100, keepRounds: 2 }));
    expect(short.map((text) => text.startsWith("[Shortened"))).toEqual([true, false, false]);
  });

  it("keeps results that are hardly longer than a note, and errors as errors", () => {
    const messages = rounds([100, 5_000, 100, 100]);
    const failed = messages[4];
    if (failed?.role === "tool") {
      messages[4] = { role: "tool", results: failed.results.map((result) => ({ ...result, isError: true })) };
    }
    const short = compact(messages, { maxTokens: 500, keepRounds: 1 });
    expect(texts(short)[0]).toBe("x".repeat(100));
    expect(short[4]).toMatchObject({ results: [{ callId: "call-2", isError: true }] });
  });

  it("decides the same about earlier rounds in every later one, until the budget is reached again", () => {
    const sizes = Array.from({ length: 40 }, () => 2_000);
    let changes = 0;
    for (let n = 1; n < sizes.length; n++) {
      const before = compact(rounds(sizes.slice(0, n)), { maxTokens: 4_000 });
      const after = compact(rounds(sizes.slice(0, n + 1)), { maxTokens: 4_000 });
      if (JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before)) changes++;
    }
    expect(changes).toBeLessThanOrEqual(20);
    expect(changes).toBeGreaterThan(0);
  });

  it("changes nothing but older results, for any conversation, and stays within the budget where it can", () => {
    const size = fc.integer({ min: 0, max: 8_000 });
    fc.assert(
      fc.property(
        fc.array(size, { maxLength: 12 }),
        fc.integer({ min: 200, max: 6_000 }),
        (sizes, maxTokens) => {
          const messages = rounds(sizes);
          const short = compact(messages, { maxTokens });
          const blank = (all: readonly ModelMessage[]) =>
            all.map((message) =>
              message.role === "tool"
                ? { ...message, results: message.results.map((result) => ({ ...result, text: "" })) }
                : message,
            );
          expect(blank(short)).toEqual(blank(messages));
          expect(short.slice(-4)).toEqual(messages.slice(-4));
          const open = texts(short)
            .slice(0, -2)
            .filter((text) => text.length > 700);
          expect(open.length === 0 || tokens(short) <= maxTokens).toBe(true);
        },
      ),
    );
  });
});
