import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { gradualLength, TimedText } from "./timed-text.ts";

const at = (...times: readonly number[]) => times.map((t) => ({ t, length: 10 }));
/** n pieces from `start`, `gap` milliseconds apart. */
const every = (n: number, gap: number, start = 0) =>
  at(...Array.from({ length: n }, (_, i) => start + i * gap));

describe("what was streamed gradually", () => {
  it.each([
    ["nothing of nothing", [], 0],
    ["nothing of one piece", at(5_000), 0],
    ["nothing of many pieces in one moment", at(7, 7, 7, 7), 0],
    ["nothing of a burst over several reads", at(900, 903, 911, 920), 0],
    ["all but the last piece at 20 ms", every(10, 20), 90],
    ["what came before the burst at the end", [...every(5, 50), ...every(5, 2, 1_000)], 50],
    ["all but the last 100 ms of what comes without a pause", every(100, 5), 790],
    ["nothing of much that takes its time to be sent", every(500, 1).map(({ t }) => ({ t, length: 400 })), 0],
    ["a piece that waited long for the rest", at(0, 4_000), 10],
  ])("is %s", (_, pieces, expected) => {
    expect(gradualLength(pieces)).toBe(expected);
  });

  it("never is all of it, and does not depend on when it began", () => {
    const pieces = fc.array(fc.record({ t: fc.nat(3_000), length: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(pieces, fc.nat(10_000), (some, later) => {
        const length = gradualLength(some);
        expect(length).toBeLessThan(some.reduce((sum, piece) => sum + piece.length, 0));
        expect(gradualLength(some.map((piece) => ({ ...piece, t: piece.t + later })))).toBe(length);
      }),
    );
  });
});

describe("a timed text", () => {
  it("knows when each stretch of it came", () => {
    const text = new TimedText();
    for (const [t, piece] of [
      [1, "ab"],
      [2, ""],
      [3, "cde"],
      [4, "f"],
    ] as const)
      text.append(t, piece);
    expect(text.text).toBe("abcdef");
    expect(text.pieces()).toEqual([
      { t: 1, length: 2 },
      { t: 3, length: 3 },
      { t: 4, length: 1 },
    ]);
    expect(text.pieces(1, 4)).toEqual([
      { t: 1, length: 1 },
      { t: 3, length: 2 },
    ]);
  });

  it("that is said anew as a whole has just what is new of it arrive", () => {
    const text = new TimedText();
    text.replace(1, "Hel");
    text.replace(2, "Hello");
    text.replace(3, "Hello");
    expect(text.pieces()).toEqual([
      { t: 1, length: 3 },
      { t: 2, length: 2 },
    ]);
    text.replace(4, "Bye");
    expect(text.pieces()).toEqual([{ t: 4, length: 3 }]);
    expect(text.first).toBe(1);
  });
});
