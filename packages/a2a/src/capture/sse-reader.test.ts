import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createSseReader, type SseFrame } from "./sse-reader.ts";

const utf8 = new TextEncoder();

function read(chunks: readonly Uint8Array[], maxBytes = 1_000): readonly SseFrame[] {
  const reader = createSseReader(maxBytes);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

const dataOf = (frames: readonly SseFrame[]): readonly string[] => frames.map(({ data }) => data);

describe("an event stream", () => {
  it.each([
    ["an event", "data: a\n\n", ["a"]],
    ["no space after the colon", "data:a\n\n", ["a"]],
    ["two spaces, of which one is the value's", "data:  a\n\n", [" a"]],
    ["several events", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["CR", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["all of them", "data: a\r\n\ndata: b\r\r\ndata: c\n\r\n", ["a", "b", "c"]],
    ["data over several lines", "data: {\ndata:   1\ndata: }\n\n", ["{\n  1\n}"]],
    ["an empty line of data", "data\n\ndata:\n\n", ["", ""]],
    ["comments and heartbeats", ": hi\n\n:\n\ndata: a\n: in the middle\n\n", ["a"]],
    ["other fields", "id: 7\nretry: 10\nnonsense\ndata: a\n\nid: 8\n\n", ["a"]],
    ["a byte order mark", "\uFEFFdata: a\n\n", ["a"]],
    ["a mark in a value", "data: \uFEFFa\n\n", ["\uFEFFa"]],
    ["an end without its empty line", "data: a\n\ndata: b", ["a", "b"]],
    ["nothing", "", []],
  ])("with %s", (_, text, expected) => {
    expect(dataOf(read([utf8.encode(text)]))).toEqual(expected);
  });

  it("names its events, and says which had not ended", () => {
    const frames = read([utf8.encode("event: error\ndata: a\n\ndata: b\n")]);
    expect(frames).toMatchObject([
      { event: "error", data: "a", unterminated: false },
      { event: "", data: "b", unterminated: true },
    ]);
  });

  it("gives an event out of the push that completed it, a lone CR included", () => {
    const reader = createSseReader(100);
    expect(reader.push(utf8.encode("data: a\r\n"))).toEqual([]);
    expect(dataOf(reader.push(utf8.encode("\r")))).toEqual(["a"]);
    expect(reader.push(utf8.encode("\ndata: b"))).toEqual([]);
    expect(dataOf(reader.push(utf8.encode("\n\n")))).toEqual(["b"]);
  });

  it("keeps no more of an event that has nothing but line ends", () => {
    const frames = read([utf8.encode(`${"data:\n".repeat(1000)}\ndata: after\n\n`)], 11);
    expect(frames).toMatchObject([
      { data: "\n".repeat(11), bytes: 999, cut: true },
      { data: "after", cut: false },
    ]);
  });

  it("cuts what is too large, counts it whole, and goes on", () => {
    const large = "é".repeat(50_000);
    const frames = read([utf8.encode(`data: ${large}\ndata: ${large}\n\ndata: after\n\n`)], 11);
    expect(frames).toMatchObject([
      { data: "ééééé\n", bytes: 200_001, cut: true },
      { data: "after", bytes: 5, cut: false },
    ]);
  });

  it("keeps what is exactly as large as it may be, a mark before it or not", () => {
    for (const text of ["data: 12345\n\n", "\uFEFFdata: 12345\n\n", "data: 12\ndata:345\n\n"])
      expect(read([utf8.encode(text)], 5)).toMatchObject([{ cut: false }]);
    expect(read([utf8.encode("data: 123456\n\n")], 5)).toMatchObject([{ data: "12345", cut: true }]);
  });
});

describe("any chunking", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, "")}`),
    fc.constantFrom("", "", ": alive", "data", "data:", "event: error", "id: 1", "x", "data: é€😀"),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 20 })
    .map((lines) => lines.map((pair) => pair.join("")).join(""));

  it("gives the same events, and keeps their order and size", () => {
    fc.assert(
      fc.property(
        stream,
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.constantFrom(3, 8, 1_000),
        (text, mark, cuts, maxBytes) => {
          const bytes = utf8.encode(`${mark ? "\uFEFF" : ""}${text}`);
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, i) => bytes.slice(at[i], end));
          expect(read(chunks, maxBytes)).toEqual(read([bytes], maxBytes));
          expect(
            read(
              [...bytes].map((byte) => Uint8Array.of(byte)),
              maxBytes,
            ),
          ).toEqual(read([bytes], maxBytes));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps every value", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }), fc.nat(7), (values, step) => {
        const told = values.map((value) => value.toWellFormed());
        const text = told.map((value) => `data: ${value.replaceAll(/\r\n|\r|\n/g, "\ndata: ")}\n\n`).join("");
        const bytes = utf8.encode(text);
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += step + 1) chunks.push(bytes.slice(at, at + step + 1));
        const frames = read(chunks, 1_000_000);
        expect(dataOf(frames)).toEqual(told.map((value) => value.replaceAll(/\r\n|\r/g, "\n")));
        expect(frames.map(({ bytes: size }) => size)).toEqual(
          dataOf(frames).map((data) => utf8.encode(data).length),
        );
      }),
      { numRuns: 500 },
    );
  });
});
