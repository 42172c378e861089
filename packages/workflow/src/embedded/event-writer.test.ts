import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { virtualClock, type VirtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, expect, it } from "vitest";

import { delta, diskOf, listening, seqsOf } from "../testing/full-disk.ts";
import { openStorage } from "./database.ts";
import { openEventTable } from "./event-log.ts";
import { openJournal } from "./journal.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-full-"));
});
afterEach(() => rm(folder, { recursive: true }));

function opened(clock: VirtualClock) {
  const { log, ...heard } = listening();
  const storage = openStorage(join(folder, "runs.db"));
  // Who watches is woken by what is kept, and looks by itself no more.
  const events = openEventTable(storage, { clock, log, pollMs: 86_400_000 });
  const journal = openJournal(storage);
  const close = (): void => {
    events.close();
    journal.close();
  };
  return { ...heard, ...diskOf(storage), storage, events, journal, close };
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

it("keeps what a full disk refuses, each event once and in its place, and who watches sees it once there is room", async () => {
  const clock = virtualClock();
  const { events, storage, told, refused, fill, free, close } = opened(clock);
  await events.begin({ runId: "r", name: "w", objective: "o" });
  fill();
  for (const seq of upTo(20)) events.append("r", `k${seq}`, delta(seq));
  await refused;
  const watched: number[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const one of events.read("r", { from: 0, signal: stop.signal })) watched.push(one.event.seq);
  })();
  // What comes now waits behind it, and what waits is told no second time.
  for (const seq of [19, 20, 21]) events.append("r", `k${seq}`, delta(seq));
  expect(storage.waiting.of("r")).toHaveLength(22);
  let drained = false;
  const waiting = events.drained?.("r").then(() => (drained = true));
  await clock.advance(60_000);
  expect([await events.end("r"), drained]).toEqual([0, false]);
  free();
  await clock.advance(2_000);
  await waiting;
  expect(await seqsOf(events, "r")).toEqual(upTo(22));
  expect(told).toEqual(["events could not be kept; they wait and are tried again", "events are kept again"]);
  events.append("r", "k22", delta(22));
  await clock.advance(1);
  expect(watched).toEqual(upTo(23));
  stop.abort();
  await watching;
  close();
});

it("journals nothing of a run before what it told is kept, and holds up no other run for it", async () => {
  const clock = virtualClock();
  const { events, journal, storage, refused, fill, free, close } = opened(clock);
  for (const runId of ["r", "other"]) {
    await events.begin({ runId, name: "w", objective: "o" });
    events.append(runId, "k0", delta(0, 10, runId));
    await journal.addEntry(runId, 0, "begin", '{"ok":true,"value":1}');
  }
  fill();
  events.append("r", "k1", delta(1, 1_000_000));
  // Of the same transaction as the event, and after it.
  const before = ["s1", "s2"].map((name, n) => journal.addEntry("r", n + 1, name, '{"ok":true,"value":1}'));
  const others = journal.addEntry("other", 1, "s1", '{"ok":true,"value":1}');
  for (const entry of before) await expect(entry).rejects.toMatchObject({ code: "store.full" });
  await others;
  await refused;
  events.append("other", "k1", delta(1, 10, "other"));
  expect(await seqsOf(events, "other")).toEqual([0, 1]);
  free();
  // Nobody has tried it again yet: it is kept with what is journaled after it.
  await journal.addEntry("r", 1, "s1", '{"ok":true,"value":1}');
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  // Nothing is left of it that could be written again, such as when the run is forgotten by then.
  expect(storage.waiting.runs).toEqual([]);
  await clock.advance(2_000);
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  close();
});

it("says of what waits at its end that it is lost to this process, and of what SQLite never takes that it is not kept", async () => {
  const clock = virtualClock();
  const { events, storage, told, refused, fill, close } = opened(clock);
  storage.db.exec(
    "CREATE TEMP TRIGGER no BEFORE INSERT ON main.event WHEN NEW.key = 'never' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  for (const key of ["a", "never", "b"]) events.append("r", key, delta(key === "a" ? 0 : 1, 10));
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  fill();
  events.append("r", "large", delta(2, 1_000_000));
  await refused;
  const drained = events.drained?.("r");
  close();
  await drained;
  await clock.advance(60_000);
  expect(told).toEqual([
    "an event was not kept: the database does not take it",
    "events could not be kept; they wait and are tried again",
    "events were not kept",
  ]);
});

it("keeps what is told while it is only about to hear that the disk takes its run again", async () => {
  const clock = virtualClock();
  const { events, journal, storage, refused, fill, free, close } = opened(clock);
  await events.begin({ runId: "r", name: "w", objective: "o" });
  fill();
  events.append("r", "k0", delta(0, 1_000_000));
  await refused;
  free();
  const entry = journal.addEntry("r", 0, "s", '{"ok":true,"value":1}');
  // In the transaction that takes the first along, and behind it.
  const told = storage.group.run(() => events.append("r", "k1", delta(1, 10)), false);
  await Promise.all([entry, told]);
  expect(await seqsOf(events, "r")).toEqual([0, 1]);
  close();
});

it("loses at its end nothing of a run over what the disk refuses of another", async () => {
  const clock = virtualClock();
  const { events, refused, fill, close } = opened(clock);
  for (const runId of ["large", "small"]) events.append(runId, "k0", delta(0, 10, runId));
  expect(await events.end("small")).toBe(1);
  fill();
  events.append("large", "k1", delta(1, 1_000_000, "large"));
  await refused;
  events.append("small", "k1", delta(1, 10, "small"));
  close();
  const again = opened(clock);
  expect([await seqsOf(again.events, "large"), await seqsOf(again.events, "small")]).toEqual([[0], [0, 1]]);
  again.close();
});

it("stops no run over what SQLite never takes, whichever of the two was asked for first", async () => {
  const { events, journal, storage, told, close } = opened(virtualClock());
  storage.db.exec(
    "CREATE TEMP TRIGGER no BEFORE INSERT ON main.event WHEN NEW.key = 'never' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  const entry = journal.addEntry("r", 0, "s", '{"ok":true,"value":1}');
  events.append("r", "never", delta(0, 10));
  await entry;
  expect(told).toEqual(["an event was not kept: the database does not take it"]);
  close();
});
