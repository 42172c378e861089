import { expect, it } from "vitest";

import type { RunInput } from "../engine/run.ts";
import { memoryEventLog } from "../testing/memory-event-log.ts";
import { MAX_WHOLE, numberTurns } from "./number-turns.ts";
import { readThread, type ThreadSource } from "./read-thread.ts";

const THREAD = "c-1";

/** Runs as they are begun one after the other, and forgotten. */
function records() {
  let now = 0;
  const log = memoryEventLog(() => now++);
  const inputs = new Map<string, RunInput>();
  const forgotten = new Set<string>();
  const source: ThreadSource = {
    log: {
      ...log,
      runs: async (query) => (await log.runs(query)).filter(({ runId }) => !forgotten.has(runId)),
    },
    engine: {
      input: (runId) => Promise.resolve(inputs.get(runId)),
      result: () => Promise.reject(new Error("not ended")),
    },
  };
  /** `planned: false` is one that was refused; `known: false` one of an earlier version. */
  const begin = async (
    runId: string,
    { userId, planned = true, known = true }: { userId?: string; planned?: boolean; known?: boolean } = {},
  ) => {
    const whose = userId === undefined ? {} : { userId };
    await log.begin({ runId, name: "w", objective: `asked by ${runId}`, threadId: THREAD, ...whose });
    const { turn } = await numberTurns(source, { threadId: THREAD, runId, ...whose });
    if (planned)
      inputs.set(runId, { objective: runId, threadId: THREAD, ...whose, ...(known ? { turn } : {}) });
    return turn;
  };
  const turns = async (runId?: string, userId?: string) => {
    const query = {
      threadId: THREAD,
      ...(runId === undefined ? {} : { runId }),
      ...(userId === undefined ? {} : { userId }),
    };
    const { thread, turn } = await readThread(source, query);
    return [...thread.map((one) => `${one.turn} ${one.runId}`), `${turn} next`];
  };
  return { begin, turns, forget: (runId: string) => forgotten.add(runId) };
}

it("counts the turns of a conversation, and gives each the same number when others are forgotten", async () => {
  const { begin, turns, forget } = records();
  for (const id of ["a", "b", "c", "d"]) await begin(id);
  expect(await turns()).toEqual(["1 a", "2 b", "3 c", "4 d", "5 next"]);
  expect(await turns("c")).toEqual(["1 a", "2 b", "4 d", "3 next"]);
  forget("a");
  forget("c");
  expect(await turns()).toEqual(["2 b", "4 d", "5 next"]);
  expect(await begin("e")).toBe(5);
});

it("counts on past the turns that are looked at", async () => {
  const { begin, turns } = records();
  for (let n = 1; n <= 130; n++) await begin(`r${n}`);
  expect((await turns()).slice(-3)).toEqual(["129 r129", "130 r130", "131 next"]);
  expect((await turns()).at(-MAX_WHOLE - 1)).toBe("121 r121");
});

it("counts one that was refused, and those of an earlier version, from the one before", async () => {
  const { begin, turns, forget } = records();
  await begin("old", { known: false });
  await begin("refused", { planned: false });
  await begin("new");
  expect(await turns()).toEqual(["1 old", "2 refused", "3 new", "4 next"]);
  forget("old");
  expect(await turns()).toEqual(["2 refused", "3 new", "4 next"]);
});

it("gives runs that are begun at the same moment numbers of their own", async () => {
  const { begin } = records();
  expect(new Set(await Promise.all(["a", "b", "c"].map((id) => begin(id)))).size).toBe(3);
});

it("has only the turns of exactly the one who asks, whatever conversation is named", async () => {
  const { begin, turns } = records();
  await begin("hers", { userId: "ann" });
  await begin("nobodys");
  expect(await turns(undefined, "ann")).toEqual(["1 hers", "2 next"]);
  // Not so much as a number tells that somebody else was there.
  expect(await turns(undefined, "bob")).toEqual(["1 next"]);
  expect(await turns()).toEqual(["1 nobodys", "2 next"]);
});
