import * as fc from "fast-check";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";

import { splitBy } from "../testing/split.ts";
import { openaiDecoder } from "./decoder.ts";

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** Chunks as servers really send them, which is not always as they are typed. */
function decode(deltas: readonly object[], finish = "tool_calls") {
  const decoder = openaiDecoder((position) => `made-up-${position}`);
  const chunk = (choices: readonly object[]): Chunk =>
    JSON.parse(JSON.stringify({ id: "x", choices })) as Chunk;
  const events = deltas.flatMap((delta) => decoder.decode(chunk([{ index: 0, delta, finish_reason: null }])));
  events.push(...decoder.decode(chunk([{ index: 0, delta: {}, finish_reason: finish }])));
  return { decoder, events: [...events, ...decoder.end()] };
}

const piece = (index: number, args: string, id?: string, name?: string) => ({
  tool_calls: [
    { index, ...(id === undefined ? {} : { id }), function: { arguments: args, ...(name ? { name } : {}) } },
  ],
});

describe("chunks that differ from OpenAI's own", () => {
  it("tells calls apart by id where every index is 0", () => {
    const { events } = decode([piece(0, "{}", "a", "one"), piece(0, "{}", "b", "two")]);
    expect(events.filter((event) => event.type === "tool-call-start")).toEqual([
      { type: "tool-call-start", callId: "a", name: "one" },
      { type: "tool-call-start", callId: "b", name: "two" },
    ]);
  });

  it("keeps one call where the id is repeated on every piece", () => {
    const { events } = decode([piece(0, '{"a"', "a", "one"), piece(0, ":1}", "a", "one")]);
    expect(events.filter((event) => event.type === "tool-call-start")).toHaveLength(1);
    expect(
      events
        .filter((event) => event.type === "tool-call-delta")
        .map((event) => event.delta)
        .join(""),
    ).toBe('{"a":1}');
  });

  it("names calls whose server sends no id", () => {
    const { events } = decode([piece(0, "{}", "", "one"), piece(1, "{}", undefined, "two")]);
    expect(events.filter((event) => event.type === "tool-call-end").map((event) => event.callId)).toEqual([
      "made-up-0",
      "made-up-1",
    ]);
  });

  it("takes reasoning under any name for a beginning, and shows none of it", () => {
    const decoder = openaiDecoder(() => "id");
    const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] };
    decoder.decode(JSON.parse(JSON.stringify(chunk)) as Chunk);
    expect(decoder.started()).toBe(false);
    const thought = { choices: [{ index: 0, delta: { reasoning_content: "hm" }, finish_reason: null }] };
    expect(decoder.decode(JSON.parse(JSON.stringify(thought)) as Chunk)).toEqual([]);
    expect(decoder.started()).toBe(true);
  });

  it("does not make up arguments for a call that was cut off", () => {
    const { events } = decode([piece(0, "", "a", "one")], "length");
    expect(events.some((event) => event.type === "tool-call-delta")).toBe(false);
    expect(events.at(-1)).toEqual({ type: "stop", reason: "max-tokens" });
  });
});

const textOf = (pieces: readonly string[], finish = "stop") =>
  decode(
    pieces.map((content) => ({ content })),
    finish,
  )
    .events.filter((event) => event.type === "text-delta")
    .map(({ text }) => text);

describe("reasoning in the text", () => {
  const blank = fc.constantFrom("", "\n", " \n\n");
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  const thought = fc
    .array(fc.oneof(fc.string(), fc.constantFrom("<", "</", "</thin", "<think>", "pH <7")), { maxLength: 5 })
    .map((parts) => parts.join(""))
    .filter((text) => !/<\/think/i.test(text));
  const tags = fc.constantFrom(
    ["<think>", "</think>"],
    ["<thinking>", "</thinking>"],
    ["<Think>", "</Think>"],
    ["", "</think>"],
  );
  const answer = fc.string().map((text) => (text === "" ? "" : `A${text}</think>`));

  it("is left out at the beginning, however it is cut", () => {
    fc.assert(
      fc.property(
        blank,
        tags,
        thought,
        blank,
        answer,
        sizes,
        (before, [open, close], thoughts, after, text, size) => {
          const block = open === "" ? close : `${open}${thoughts}${close}`;
          expect(textOf(splitBy(`${before}${block}${after}${text}`, size)).join("")).toBe(text);
        },
      ),
    );
  });

  it.each(["<thin", "<think about it>", "  <b>7</b>", "\n", "So: <think>a</think>", "<", "</thinker>"])(
    "is not seen in %j, which stays as it is",
    (text) => {
      for (const size of [1, 3, 100]) expect(textOf(splitBy(text, size)).join("")).toBe(text);
    },
  );

  it("holds back nothing of the answer behind it", () => {
    const pieces = ["<think>", "Hm.", "</think>", "\n\n", "It", " is", " 7."];
    expect(textOf(pieces)).toEqual(["It", " is", " 7."]);
    expect(textOf(["<think>\n\n</think>\n\n<think>Hm.</think>It is", " 7."])).toEqual(["It is", " 7."]);
  });

  it("leaves no text where it is never closed, and the calls behind it", () => {
    fc.assert(
      fc.property(
        blank,
        fc.constantFrom("<think>", "<thinking>"),
        thought,
        sizes,
        (before, open, thoughts, size) => {
          expect(textOf(splitBy(`${before}${open}${thoughts}`, size), "length")).toEqual([]);
        },
      ),
    );
    const { events } = decode([{ content: "<think>Hm." }, piece(0, "{}", "a", "one")]);
    expect(events.map(({ type }) => type)).toEqual([
      "tool-call-start",
      "tool-call-delta",
      "tool-call-end",
      "usage",
      "stop",
    ]);
  });

  it("gives text that might have become a tag before a call", () => {
    const { events } = decode([{ content: "<thi" }, piece(0, "{}", "a", "one")]);
    expect(events[0]).toEqual({ type: "text-delta", text: "<thi" });
  });
});
