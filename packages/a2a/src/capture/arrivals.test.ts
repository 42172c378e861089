import { describe, expect, it } from "vitest";

import { arrivals, readWhole } from "./arrivals.ts";

const utf8 = new TextEncoder();

/** A body whose chunks arrive when they are sent, and a clock that counts them. */
function sending() {
  let t = 0;
  let pulls = 0;
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      source = controller;
    },
    pull: () => void pulls++,
  });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    body,
    now: () => t,
    pulls: () => pulls,
    send: async (at: number, bytes: Uint8Array) => {
      t = at;
      source?.enqueue(bytes);
      await settle();
    },
    close: () => source?.close(),
    fail: () => source?.error(new TypeError("terminated")),
  };
}

describe("chunks", () => {
  it("have the time at which they came, however slow they are taken", async () => {
    const { body, now, send, close } = sending();
    const chunks = arrivals(body.getReader(), now);
    const first = chunks.next();
    for (const [i, text] of ["a", "b", "c"].entries()) await send(20 * (i + 1), utf8.encode(text));
    close();
    expect((await first).value).toMatchObject({ t: 20 });
    expect((await chunks.next()).value).toMatchObject({ t: 40 });
    expect((await chunks.next()).value).toMatchObject({ t: 60 });
    expect((await chunks.next()).done).toBe(true);
  });

  it("that came before the connection broke are handed on first", async () => {
    const { body, now, send, fail } = sending();
    const chunks = arrivals(body.getReader(), now);
    const first = chunks.next();
    await send(1, utf8.encode("a"));
    await send(2, utf8.encode("b"));
    fail();
    expect((await first).value).toMatchObject({ t: 1 });
    expect((await chunks.next()).value).toMatchObject({ t: 2 });
    await expect(chunks.next()).rejects.toThrow("terminated");
  });

  it("are read ahead up to a bound only", async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) =>
          ++sent > 100 ? controller.close() : controller.enqueue(new Uint8Array(1_000_000)),
      },
      { highWaterMark: 0 },
    );
    const chunks = arrivals(body.getReader(), () => 0);
    await chunks.next();
    await new Promise((done) => setImmediate(done));
    expect(sent).toBeLessThan(25);
    let taken = 1;
    for await (const _ of chunks) taken++;
    expect(taken).toBe(100);
  });
});

it("a whole body is cut where it is too large, and counted whole", async () => {
  expect(await readWhole(new Response("ééé"), () => 7, 3)).toEqual({ t: 7, text: "é", bytes: 6, cut: true });
  expect(await readWhole(new Response("ééé"), () => 7, 6)).toEqual({
    t: 7,
    text: "ééé",
    bytes: 6,
    cut: false,
  });
  expect(await readWhole(new Response(null), () => 7, 6)).toEqual({ t: 7, text: "", bytes: 0, cut: false });
});
