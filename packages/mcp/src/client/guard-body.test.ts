import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { guardBody, type GuardOptions } from "./guard-body.ts";

function body(pieces: readonly (string | Error)[]): ReadableStream<Uint8Array> {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield Buffer.from(piece);
    }
  }
  return ReadableStream.from(parts());
}

function guarded(pieces: readonly (string | Error)[], options: Partial<GuardOptions> = {}) {
  let ends = 0;
  const stream = guardBody(body(pieces), {
    id: 7,
    isStream: true,
    maxBytes: 1_000,
    onEnd: () => ends++,
    ...options,
  });
  return { text: () => new Response(stream).text(), stream, ends: () => ends };
}

const lost =
  '\n\nevent: message\ndata: {"jsonrpc":"2.0","id":7,"error":' +
  '{"code":-32000,"message":"the connection broke","data":{"troupe/failure":"lost"}}}\n\n';

describe("guarding an event stream", () => {
  it("adds an error answer at its end", async () => {
    const { text, ends } = guarded(["data: 1\n\n"]);
    expect(await text()).toBe(`data: 1\n\n${lost}`);
    expect(ends()).toBe(1);
  });

  it("adds it after a break in the middle too", async () => {
    const { text } = guarded(["data: {", new Error("terminated")]);
    expect(await text()).toBe(`data: {${lost}`);
  });

  it("leaves a stream alone that can be resumed", async () => {
    expect(await guarded(["id: 1\ndata:\n\n"]).text()).toBe("id: 1\ndata:\n\n");
    expect(await guarded(["data: 1\n", "id: 1\n\n"]).text()).toBe("data: 1\nid: 1\n\n");
  });

  it("stops at its bound and says so", async () => {
    const { text } = guarded(["x".repeat(600), "x".repeat(600)]);
    expect(await text()).toContain('"troupe/failure":"too-large"');
  });

  it("passes every byte on, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ minLength: 1, maxLength: 20 })), async (pieces) => {
        const whole = pieces.join("");
        fc.pre(!/(^|\n)id:/.test(whole) && Buffer.byteLength(whole) <= 1_000);
        expect(await guarded(pieces).text()).toBe(`${Buffer.from(whole).toString()}${lost}`);
      }),
    );
  });

  it("lets go of the body when the reader leaves", async () => {
    const { stream, ends } = guarded(["a", "b"]);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(ends()).toBe(1);
  });
});

describe("guarding one JSON document", () => {
  it("adds nothing", async () => {
    expect(await guarded(["{}"], { isStream: false }).text()).toBe("{}");
  });

  it.each([
    ["breaks", ["{", new Error("terminated")], "lost"],
    ["is too large", ["x".repeat(1_001)], "too-large"],
  ])("fails when it %s", async (_what, pieces, kind) => {
    await expect(guarded(pieces, { isStream: false }).text()).rejects.toMatchObject({ kind });
  });
});
