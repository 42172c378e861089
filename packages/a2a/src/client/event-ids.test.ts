import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { eventIdReader, placeOf, putPlace, watchStream, type StreamPlace } from "./event-ids.ts";

/** The place after the text came in pieces of these lengths. */
function after(text: string, lengths: readonly number[] = [text.length]): string | undefined {
  const place: StreamPlace = { lastEventId: undefined, open: false };
  const read = eventIdReader(place);
  let at = 0;
  for (const length of lengths) read(text.slice(at, (at += length)));
  read(text.slice(at));
  return place.lastEventId;
}

describe("the id of the last event of a stream", () => {
  it("counts once the event is whole", () => {
    expect(after("id: e.1\ndata: {}\n\nid: e.2\ndata: {}\n")).toBe("e.1");
    expect(after("id: e.1\ndata: {}\n\nid: e.2\ndata: {}\n\n: alive\n\n")).toBe("e.2");
    expect(after("id:e.1\r\ndata: {}\r\n\r\n")).toBe("e.1");
  });

  it("is none where events have none, and nothing that only looks like one", () => {
    expect(after('data: {"text":"id: e.9"}\n\n')).toBeUndefined();
    expect(after(`id: ${"x".repeat(5_000)}\ndata: {}\n\n`)).toBeUndefined();
    expect(after(`data: ${"x".repeat(5_000)}id: e.9\n\n`)).toBeUndefined();
  });

  it("is the same however the text comes", () => {
    const events = fc.array(
      fc.record({ id: fc.option(fc.nat(50)), text: fc.string({ maxLength: 300 }), beat: fc.boolean() }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(events, fc.array(fc.nat(40), { maxLength: 60 }), (told, lengths) => {
        const text = told
          .map(({ id, text: said, beat }) => {
            const line = id === null ? "" : `id: e.${id}\n`;
            return `${beat ? ": alive\n\n" : ""}${line}data: ${JSON.stringify(said)}\n\n`;
          })
          .join("");
        const last = told.findLast(({ id }) => id !== null)?.id;
        expect(after(text, lengths)).toBe(last === undefined ? undefined : `e.${last}`);
      }),
      { numRuns: 200 },
    );
  });

  it("is kept by call", () => {
    const { signal } = new AbortController();
    expect(watchStream(signal)).toBeUndefined();
    expect(watchStream(undefined)).toBeUndefined();
    const place = placeOf(signal);
    const request = new AbortController().signal;
    putPlace(request, place);
    expect(place.open).toBe(false);
    watchStream(request)?.("id: e.4\ndata: 1\n\n");
    expect(place).toEqual({ lastEventId: "e.4", open: true });
    expect(placeOf(signal)).toBe(place);
    expect(placeOf(new AbortController().signal).lastEventId).toBeUndefined();
  });
});
