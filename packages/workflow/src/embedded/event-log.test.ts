import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { runLogContract } from "../testing/index.ts";
import { delta } from "../testing/full-disk.ts";
import { openEventLog } from "./event-log.ts";

let path = "";
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), "troupe-events-")), "journal.sqlite");
});
afterEach(() => rm(join(path, ".."), { recursive: true }));

describe("the event log on a sqlite file", () => {
  it.each(runLogContract({ shared: true }))("$name", async ({ run }) => {
    await expect(run({ open: async () => openEventLog({ path, pollMs: 5 }) })).resolves.toBeUndefined();
  });
});

it("sees what another process wrote within its polling time, and stamps it by the clock it was given", async () => {
  const clock = virtualClock(1_000);
  const [one, other] = [openEventLog({ path, clock }), openEventLog({ path, clock })];
  const head = { v: EVENT_VERSION, runId: "r", seq: 0, attempt: 1, agent: "o" } as const;
  const end: AgentEvent = {
    ...head,
    type: "finish",
    outcome: "completed",
    response: EMPTY_RESPONSE,
    answerItems: [],
  };
  const followed = (async () => {
    for await (const { at } of other.read("r", { from: 0, signal: new AbortController().signal })) return at;
    return undefined;
  })();
  await one.begin({ runId: "r", name: "n", objective: "" });
  one.append("r", "a", end);
  await one.end("r");
  await clock.advance(250);
  expect(await followed).toBe(1_000);
  expect(await other.view("r")).toMatchObject({ createdAt: 1_000, endedAt: 1_000 });
  one.close();
  other.close();
});

it("says of a file of its own when all that was told is kept in it", async () => {
  const [one, other] = [openEventLog({ path }), openEventLog({ path })];
  for (const runId of ["a", "b"]) one.append(runId, "k", delta(0, 10, runId));
  const before = await Promise.race([one.kept?.(), Promise.resolve("not yet")]);
  expect([before, await other.end("b")]).toEqual(["not yet", 0]);
  await one.kept?.();
  expect([await other.end("a"), await other.end("b")]).toEqual([1, 1]);
  await one.kept?.();
  one.close();
  other.close();
});
