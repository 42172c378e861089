import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { manualClock, settle } from "../testing/manual-clock.ts";
import { LineBuffer, type LineBufferOptions } from "./line-buffer.ts";
import { UnsentTextError } from "./unsent-text-error.ts";

type Op = readonly [second: number, what: "append", text: string] | readonly [second: number, what: "flush"];

/** A buffer before a client that fails as it is told, with what arrived and when. */
function setUp(options: Partial<LineBufferOptions> = {}) {
  const clock = manualClock();
  const sent: [second: number, text: string][] = [];
  const failures: Error[] = [];
  const buffer = new LineBuffer({
    clock,
    send: (text) => {
      const failure = failures.shift();
      if (failure !== undefined) return Promise.reject(failure);
      sent.push([clock.now() / 1000, text]);
      return Promise.resolve();
    },
    ...options,
  });
  const play = async (ops: readonly Op[]): Promise<void> => {
    for (const [second, what, text] of ops) {
      await clock.moveTo(second * 1000);
      if (what === "append") buffer.append(text);
      else await buffer.flush();
      await settle();
    }
  };
  return { clock, buffer, sent, failures, play };
}

const big = "x".repeat(12_001);
const cases: readonly {
  readonly name: string;
  readonly ops: readonly Op[];
  readonly sends: readonly (readonly [number, string])[];
  readonly left: string;
}[] = [
  {
    name: "waits for the interval without a line end",
    ops: [
      [10, "append", "Hello "],
      [10.3, "append", "world"],
      [10.9, "append", "!"],
    ],
    sends: [],
    left: "Hello world!",
  },
  {
    name: "sends up to the last line end, and keeps the rest",
    ops: [
      [0, "append", "row 1\nrow"],
      [0.1, "append", " 2\nrow 3"],
    ],
    sends: [
      [0, "row 1\n"],
      [0.1, "row 2\n"],
    ],
    left: "row 3",
  },
  {
    name: "counts from the first text, not from its making",
    ops: [[100, "append", "#"]],
    sends: [],
    left: "#",
  },
  {
    name: "flushes what there is, and nothing when there is nothing",
    ops: [
      [0, "flush"],
      [0, "append", "a"],
      [0.1, "flush"],
      [0.2, "flush"],
    ],
    sends: [[0.1, "a"]],
    left: "",
  },
  {
    name: "takes line ends alone",
    ops: [
      [0, "append", "\n"],
      [0.1, "append", "\n"],
    ],
    sends: [
      [0, "\n"],
      [0.1, "\n"],
    ],
    left: "",
  },
  {
    name: "sends last words by a timer when nothing more comes",
    ops: [
      [0, "append", "last words without newline"],
      [20, "flush"],
    ],
    sends: [[1, "last words without newline"]],
    left: "",
  },
  {
    name: "cuts no line of code",
    ops: [
      [0, "append", "```py\nprint("],
      [1.2, "append", "1)"],
      [1.5, "append", "\n```\nDone"],
      [3, "flush"],
    ],
    sends: [
      [0, "```py\n"],
      [1.5, "print(1)\n```\n"],
      [2.5, "Done"],
    ],
    left: "",
  },
  {
    name: "cuts no line end in two",
    ops: [
      [0, "append", "a\r\nb\r"],
      [0.2, "append", "\nc"],
    ],
    sends: [
      [0, "a\r\n"],
      [0.2, "b\r\n"],
    ],
    left: "c",
  },
  {
    name: "splits what is longer than a piece may be",
    ops: [[0, "append", big]],
    sends: [[0, big.slice(1)]],
    left: "x",
  },
  {
    name: "does not wait for more where text goes on and on without a line end",
    ops: [
      [0, "append", "one "],
      [0.6, "append", "two "],
      [1.2, "append", "three"],
      [2.6, "flush"],
    ],
    sends: [
      [1, "one two "],
      [2.2, "three"],
    ],
    left: "",
  },
  {
    name: "keeps bold words and links together, as long as they may be held",
    ops: [
      [0, "append", "see **bo"],
      [1.5, "append", "ld** and [a li"],
      [2.6, "append", "nk](http://x.y"],
      [2.7, "append", "/z) now"],
      [9, "append", " a [never ending"],
      [30, "flush"],
    ],
    sends: [
      [1, "see "],
      [2, "**bold** and "],
      [3, "[a link](http://x.y/z) now"],
      [10, " a "],
      [13, "[never "],
      [14, "ending"],
    ],
    left: "",
  },
  {
    name: "keeps back what may be the marker of a fence, for as long as it may grow",
    ops: [
      [0, "append", "code:  ``"],
      [5, "append", "`"],
      [5.5, "append", "py\nx"],
    ],
    sends: [
      [1, "code:  "],
      [5.5, "```py\n"],
    ],
    left: "x",
  },
];

describe("LineBuffer", () => {
  it.each(cases)("$name", async ({ ops, sends, left }) => {
    const { buffer, sent, play } = setUp();
    await play(ops);
    expect(sent).toEqual(sends);
    expect(buffer.pending).toBe(left);
  });

  it("sends no half of a character, but when it is closed", async () => {
    const { buffer, sent, clock, play } = setUp();
    await play([
      [0, "append", "hi \ud83d"],
      [2, "flush"],
      [3, "append", "\ude00\ud83d"],
    ]);
    await clock.moveTo(9000);
    await buffer.close();
    expect(sent.map(([, text]) => text)).toEqual(["hi ", "\u{1f600}", "\ud83d"]);
    expect(clock.timers).toBe(0);
    expect(() => buffer.append("more")).toThrow(/4 characters came too late/);
  });

  it("sends one piece at a time, and what came meanwhile with the next", async () => {
    const gates: PromiseWithResolvers<void>[] = [];
    const pieces: string[] = [];
    const { buffer } = setUp({
      send: (text) => {
        pieces.push(text);
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        return gate.promise;
      },
    });
    for (const line of ["1\n", "2\n", "3\n", "4"]) buffer.append(line);
    expect(buffer.pending).toBe("1\n2\n3\n4");
    gates[0]?.resolve();
    await settle();
    expect(pieces).toEqual(["1\n", "2\n3\n"]);
    expect(buffer.pending).toBe("2\n3\n4");
  });

  it.each([
    ["the interval", 900, 1.1],
    ["the call, where that takes longer than the interval", 3000, 3],
  ])("sends what came during a call after %s, from when it came", async (_, ms, second) => {
    const sent: [second: number, text: string][] = [];
    const { buffer, clock } = setUp({
      send: async (text) => {
        sent.push([clock.now() / 1000, text]);
        if (sent.length === 1) await clock.sleep(ms);
      },
    });
    buffer.append("line\n");
    await clock.moveTo(100);
    buffer.append("what ");
    await clock.moveTo(500);
    buffer.append("came");
    await clock.moveTo(20_000);
    expect(sent).toEqual([
      [0, "line\n"],
      [second, "what came"],
    ]);
  });

  it("keeps a piece that failed and sends it again with what came, later each time", async () => {
    const { buffer, sent, failures, clock } = setUp();
    failures.push(new Error("no"), new Error("no"), Object.assign(new Error("slow"), { retryAfterMs: 9000 }));
    buffer.append("one\n");
    await clock.moveTo(500);
    buffer.append("two\n");
    expect(buffer.pending).toBe("one\ntwo\n");
    await clock.moveTo(60_000);
    expect(sent).toEqual([[12, "one\ntwo\n"]]);
  });

  it("says how much was not sent when it gives up, and still has it", async () => {
    const { buffer, sent, failures, clock } = setUp({ attempts: 2 });
    failures.push(...Array.from({ length: 5 }, (_, n) => new Error(`no ${n}`)));
    buffer.append("abc\n");
    const flushed = buffer.flush().catch((error: unknown) => error);
    await clock.moveTo(1000);
    const error = await flushed;
    expect(error).toBeInstanceOf(UnsentTextError);
    expect(error).toMatchObject({ code: "stream.unsent", unsent: 4, cause: { message: "no 1" } });
    expect(buffer.pending).toBe("abc\n");
    const closed = buffer.close().catch((problem: unknown) => problem);
    await clock.moveTo(60_000);
    expect(await closed).toBeInstanceOf(UnsentTextError);
    expect([sent, buffer.pending, clock.timers]).toEqual([[], "abc\n", 0]);
  });

  it("goes on by itself after a flush that gave up", async () => {
    const { buffer, sent, failures, clock } = setUp({ attempts: 1 });
    failures.push(new Error("no"), new Error("no"));
    buffer.append("abc");
    await expect(buffer.flush()).rejects.toThrow(/3 characters could not be sent/);
    await clock.moveTo(60_000);
    expect(sent.map(([, text]) => text)).toEqual(["abc"]);
  });

  it("drops what is not sent when it is told otherwise, once nothing is on its way", async () => {
    const gate = Promise.withResolvers<void>();
    const pieces: string[] = [];
    const { buffer, clock } = setUp({
      send: (text) => {
        pieces.push(text);
        return pieces.length === 1 ? gate.promise : Promise.resolve();
      },
    });
    buffer.append("gone\n");
    buffer.append("never sent\n");
    let dropped = false;
    const discarding = buffer.discard().then(() => (dropped = true));
    await settle();
    expect(dropped).toBe(false);
    gate.reject(new Error("no"));
    await discarding;
    expect([buffer.pending, clock.timers]).toEqual(["", 0]);
    buffer.append("new\n");
    await settle();
    expect(pieces).toEqual(["gone\n", "new\n"]);
  });

  it("refuses a piece too small for a character", () => {
    expect(() => setUp({ maxChars: 1 })).toThrow(/maxChars is 1/);
  });
});

const unit = fc.constantFrom(
  "a",
  "b ",
  "\n",
  "\r",
  "\r\n",
  "`",
  "```",
  "~",
  "**",
  "[",
  "](",
  ")",
  "\ud83d",
  "\ude00",
);
const op = fc.record({
  after: fc.nat({ max: 1500 }),
  text: fc.array(unit, { maxLength: 8 }).map((units) => units.join("")),
  flush: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

describe("LineBuffer, for any text, times and failures that end", () => {
  it("sends all of it once and in order, in pieces that cut nothing they must not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(op, { maxLength: 15 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        fc.integer({ min: 12, max: 40 }),
        async (ops, fails, maxChars) => {
          const clock = manualClock();
          const left = [...fails];
          const pieces: string[] = [];
          const ends = new Set<number>();
          let running = 0;
          let most = 0;
          let appended = "";
          const buffer = new LineBuffer({
            clock,
            maxChars,
            attempts: 100,
            send: async (text) => {
              most = Math.max(most, ++running);
              await clock.sleep(left.length * 10);
              running--;
              if (left.shift() === true) throw new Error("no");
              pieces.push(text);
            },
          });
          let now = 0;
          for (const { after, text, flush } of ops) {
            await clock.moveTo((now += after));
            buffer.append(text);
            appended += text;
            if (flush) {
              ends.add(appended.length);
              void buffer.flush();
            }
            expect(pieces.join("") + buffer.pending).toBe(appended);
          }
          const closed = buffer.close();
          await clock.moveTo(now + 10_000_000);
          await closed;
          expect([pieces.join(""), buffer.pending, clock.timers]).toEqual([appended, "", 0]);
          expect(most).toBeLessThan(2);
          expect(pieces.filter(({ length }) => length > maxChars)).toEqual([]);
          let at = 0;
          for (const piece of pieces) {
            at += piece.length;
            const around = appended.slice(at - 1, at + 1);
            const bad = ["\r\n", "\ud83d\ude00", "``", "~~"].includes(around) && !ends.has(at);
            // A run that fills a piece has to be cut somewhere.
            expect(bad && !/^[`~]+$/.test(piece.slice(-maxChars))).toBe(false);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("holds nothing longer than it may while calls succeed, but what is unfinished", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { maxLength: 12 }), async (ops) => {
        const { clock, buffer, sent } = setUp();
        let now = 0;
        for (const { after, text } of ops) {
          await clock.moveTo((now += after));
          buffer.append(text);
        }
        // An interval, a hold, and an interval for what a cut at a space left.
        await clock.moveTo(now + 5000);
        expect(buffer.pending).toMatch(/^(\r|`+|~+|\ud83d)?$/);
        expect(sent.map(([, text]) => text).join("") + buffer.pending).toBe(
          ops.map(({ text }) => text).join(""),
        );
        await clock.moveTo(now + 9000);
        expect(clock.timers).toBe(0);
      }),
    );
  });
});
