import assert from "node:assert/strict";

import type { LoggedEvent } from "../../engine/run-log.ts";
import { collect, count, finish, positions, seqs, text, using, type RunLogCase } from "./harness.ts";

export const readingCases: readonly RunLogCase[] = [
  {
    name: "a reader gets what was and what comes, from any position, up to the run's own finish",
    run: (harness) =>
      using(harness, 1, async (log) => {
        log.append("r", "a", text(0));
        const fromStart = collect(log);
        const fromTwo = collect(log, 2);
        const below = collect(log, -5);
        log.append("r", "b", text(1));
        log.append("other", "b", text(99));
        log.append("r", "c", finish(2, "step"));
        log.append("r", "d", finish(3));
        assert.deepEqual(seqs(await fromStart), [0, 1, 2, 3]);
        assert.deepEqual(positions(await fromStart), [0, 1, 2, 3]);
        assert.deepEqual(positions(await fromTwo), [2, 3]);
        assert.deepEqual(positions(await below), [0, 1, 2, 3]);
        assert.equal(await log.end("r"), 4);
        assert.equal(await log.end("other"), 1);
        assert.equal(await log.end("nobody"), 0);
      }),
  },
  {
    name: "a reader from behind the end waits for what comes there",
    run: (harness) =>
      using(harness, 1, async (log) => {
        const late = collect(log, 2);
        for (const seq of [0, 1, 2]) log.append("r", `k${seq}`, text(seq));
        log.append("r", "end", finish(3));
        assert.deepEqual(positions(await late), [2, 3]);
      }),
  },
  {
    name: "a reader from beyond the run's end is told so, when it has ended and when it ends",
    run: (harness) =>
      using(harness, 1, async (log) => {
        log.append("r", "a", text(0));
        const beyond = [2, 3, 2 ** 31, 1e15].map((from) => collect(log, from));
        log.append("r", "b", finish(1, "step"));
        await log.end("r");
        log.append("r", "c", finish(2));
        // What stands at 2 came, and nothing will at the others.
        assert.deepEqual((await Promise.all(beyond)).map(positions), [[2], [], [], []]);
        for (const from of [3, 4, 2 ** 31 - 1, 2 ** 31, 1e15]) assert.deepEqual(await collect(log, from), []);
        for (const from of [Number.NaN, 0.5, Infinity])
          await assert.rejects(collect(log, from), { code: "input.invalid" });
      }),
  },
  {
    name: "a reader follows more events than are read at once, and some that are large",
    run: (harness) =>
      using(harness, 1, async (log) => {
        const all = collect(log);
        const large = "x".repeat(3 * 1024 * 1024);
        for (let seq = 0; seq < 700; seq++)
          log.append("r", `k${seq}`, text(seq, seq % 300 === 7 ? large : ""));
        log.append("r", "end", finish(700));
        const seen = await all;
        assert.deepEqual(positions(seen), count(701));
        assert.deepEqual(seqs(seen), count(701));
        assert.deepEqual(seen[307]?.event, text(307, large));
        assert.deepEqual(positions(await collect(log, 650)), count(51, 650));
      }),
  },
  {
    name: "one event a key of a run is kept, the first",
    run: (harness) =>
      using(harness, 1, async (log) => {
        for (const seq of [0, 1, 2]) log.append("r", "same", text(seq));
        assert.equal(await log.end("r"), 1);
        log.append("r", "same", text(3));
        log.append("s", "same", text(4));
        log.append("r", "end", finish(9));
        log.append("r", "same", text(5));
        assert.deepEqual(seqs(await collect(log)), [0, 9]);
        assert.equal(await log.end("r"), 2);
        assert.equal(await log.end("s"), 1);
      }),
  },
  {
    name: "events come back as they were told, whatever stands in them and in their keys",
    run: (harness) =>
      using(harness, 1, async (log) => {
        const odd = [
          "",
          "nul\0nul",
          "half \ud83d",
          "\udc00",
          "\u{10FFFF}\"x'",
          "\\u0000 $1 {a,NULL} %s",
          "ünï 🎭\r\n",
        ];
        const keys = [
          "",
          "nul\0",
          "nul\0nul",
          "{a,b}",
          "NULL",
          '"',
          "long ".repeat(2_000),
          `${"long ".repeat(2_000)}!`,
        ];
        const told = [
          ...odd.map((delta, seq) => text(seq, delta)),
          ...keys.map((_, i) => text(odd.length + i)),
        ];
        const keyOf = (i: number): string => keys[i - odd.length] ?? `odd ${i}`;
        for (const [i, one] of told.entries()) log.append("r", keyOf(i), one);
        for (const [i, one] of told.entries()) log.append("r", keyOf(i), one);
        log.append("r", "end", finish(told.length));
        const seen = (await collect(log)).slice(0, -1);
        assert.deepEqual(
          seen.map(({ event }) => event),
          told,
        );
        assert.deepEqual(
          seen.map(({ key }) => key),
          told.map((_, i) => keyOf(i)),
        );
      }),
  },
  {
    name: "of each event is told when it was kept, never before the one it follows",
    run: (harness) =>
      using(harness, 1, async (log) => {
        await log.begin({ runId: "r", name: "n", objective: "" });
        log.append("r", "a", text(0));
        await log.end("r");
        log.append("r", "b", finish(1));
        const [first, last] = (await collect(log)) as [LoggedEvent, LoggedEvent];
        const view = await log.view("r");
        assert.ok(view !== null && view.createdAt <= first.at && first.at <= last.at);
        assert.equal(view.endedAt, last.at);
      }),
  },
  {
    name: "a reader ends when it leaves, and when the log is closed",
    run: (harness) =>
      using(harness, 1, async (log) => {
        const leave = new AbortController();
        log.append("r", "a", text(0));
        const left = collect(log, 0, { signal: leave.signal });
        await log.end("r");
        leave.abort();
        assert.ok((await left).length <= 1);
        assert.deepEqual(await collect(log, 0, { signal: leave.signal }), []);
        const held = collect(log, 1);
        await log.close();
        assert.deepEqual(await held, []);
        log.append("r", "late", text(1));
      }),
  },
];
