import assert from "node:assert/strict";

import { randomFrom, within } from "@troupe/core/testing";

import type { RunLog } from "../../engine/run-log.ts";
import { numberTurns } from "../../thread/number-turns.ts";
import { collect, count, finish, positions, seqs, text, using, type RunLogCase } from "./harness.ts";

/** Of several processes over one storage. */
export const sharedCases: readonly RunLogCase[] = [
  {
    name: "what one writes another follows as it comes, and reads afterwards",
    run: (harness) =>
      using(harness, 2, async (one, other) => {
        const followed = collect(other);
        for (const seq of count(50)) {
          one.append("r", `k${seq}`, text(seq));
          if (seq % 10 === 0) await one.end("r");
        }
        one.append("r", "end", finish(50));
        assert.deepEqual(seqs(await followed), count(51));
        assert.deepEqual(seqs(await collect(other, 40)), count(11, 40));
        assert.equal(await other.end("r"), 51);
      }),
  },
  {
    name: "a reader from beyond the end is told so by what another one writes",
    run: (harness) =>
      using(harness, 2, async (one, other) => {
        const beyond = collect(other, 1_000);
        for (const seq of count(3)) {
          one.append("r", `k${seq}`, text(seq));
          await one.end("r");
        }
        one.append("r", "end", finish(3));
        assert.deepEqual(await beyond, []);
      }),
  },
  {
    name: "two that tell of the same runs at once tell each event once, in one order without a gap",
    run: (harness) =>
      using(harness, 2, async (one, other) => {
        const random = randomFrom(5);
        const runIds = ["r", "s", "t"];
        const followed = runIds.flatMap((runId) =>
          [one, other].flatMap((log) =>
            [0, 20].map((from) => [runId, from, collect(log, from, { runId })] as const),
          ),
        );
        // Both tell all of it, each in steps of its own, as two attempts at a run do that know nothing of each other.
        const tell = async (log: RunLog): Promise<void> => {
          for (let next = 0; next < 120;) {
            const until = Math.min(120, next + within(random, [1, 12]));
            for (; next < until; next++)
              for (const runId of runIds) log.append(runId, `k${next}`, text(next));
            await log.end("r");
          }
        };
        await Promise.all([tell(one), tell(other)]);
        for (const runId of runIds) {
          one.append(runId, "end", finish(120));
          other.append(runId, "end", finish(120));
        }
        for (const [runId, from, reading] of followed) {
          const seen = await reading;
          assert.deepEqual(positions(seen), count(121 - from, from));
          assert.equal(new Set(seqs(seen)).size, 121 - from);
          assert.deepEqual(seen, await collect(other, from, { runId }));
        }
      }),
  },
  {
    name: "a run is on record once, as the first began it, and named by whoever plans it",
    run: (harness) =>
      using(harness, 2, async (one, other) => {
        await one.begin({ runId: "r", name: "", objective: "first", userId: "ann" });
        await other.begin({ runId: "r", name: "", objective: "second" });
        assert.deepEqual(await other.planning(), ["r"]);
        await other.begin({ runId: "r", name: "deck", objective: "third" });
        await one.begin({ runId: "r", name: "not again", objective: "fourth" });
        const view = await one.view("r");
        assert.equal(view?.name, "deck");
        assert.equal(view.objective, "first");
        assert.equal(view.userId, "ann");
        assert.deepEqual(view, await other.view("r"));
        assert.deepEqual(await one.planning(), []);
      }),
  },
  {
    name: "runs of one conversation that are begun at once have turn numbers of their own",
    run: (harness) =>
      using(harness, 2, async (one, other) => {
        const engine = { input: () => Promise.resolve(undefined) };
        const threadId = "t";
        const turns = count(40).map(async (at) => {
          const log = at % 2 === 0 ? one : other;
          const runId = `r${at}`;
          // Which run was heard of first does not matter.
          if (at % 4 < 2) {
            log.append(runId, "a", text(0));
            await log.end(runId);
          }
          await log.begin({ runId, name: "n", objective: "", threadId });
          return (await numberTurns({ log, engine }, { threadId, runId })).turn;
        });
        assert.deepEqual(
          (await Promise.all(turns)).toSorted((a, b) => a - b),
          count(40, 1),
        );
      }),
  },
  {
    name: "what one kept is there when it is closed",
    run: async (harness) => {
      await using(harness, 1, async (log) => {
        await log.begin({ runId: "r", name: "n", objective: "" });
        for (const seq of count(300)) log.append("r", `k${seq}`, text(seq));
        log.append("r", "end", finish(300));
      });
      await using(harness, 1, async (log) => {
        assert.deepEqual(seqs(await collect(log)), count(301));
        assert.equal((await log.view("r"))?.status, "completed");
      });
    },
  },
];
