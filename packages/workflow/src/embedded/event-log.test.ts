import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openEventLog, type SqliteEventLog } from "./event-log.ts";

let folder = "";
let log: SqliteEventLog;
const clock = virtualClock(1_000);
const open = () => openEventLog({ path: join(folder, "journal.sqlite"), clock });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-events-"));
  log = open();
});
afterEach(async () => {
  log.close();
  await rm(folder, { recursive: true });
});

function event(seq: number, body: AgentEventBody, stepId?: string): AgentEvent {
  const at = {
    v: EVENT_VERSION,
    runId: "r",
    seq,
    attempt: 1,
    agent: "o",
    ...(stepId === undefined ? {} : { stepId }),
  } as const;
  return { ...at, ...body };
}
const text = (seq: number): AgentEvent => event(seq, { type: "text-delta", itemId: "i", delta: String(seq) });
const finish = (seq: number, stepId?: string): AgentEvent =>
  event(seq, { type: "finish", outcome: "completed", response: EMPTY_RESPONSE, answerItems: [] }, stepId);

async function collect(from: number, source = log, signal = new AbortController().signal): Promise<number[]> {
  const seen: number[] = [];
  for await (const { position, event: one } of source.read("r", { from, signal })) {
    expect(position).toBe(from + seen.length);
    seen.push(one.seq);
  }
  return seen;
}

describe("read", () => {
  it("gives what was and what comes, from any position, and ends with the run's own finish", async () => {
    log.append("r", "a", text(0));
    const fromStart = collect(0);
    const fromTwo = collect(2);
    log.append("r", "b", text(1));
    log.append("other", "b", text(99));
    log.append("r", "c", finish(2, "step"));
    log.append("r", "d", finish(3));
    expect(await fromStart).toEqual([0, 1, 2, 3]);
    expect(await fromTwo).toEqual([2, 3]);
    expect(await log.end("r")).toBe(4);
  });

  it("follows more events than one page holds", async () => {
    const all = collect(0);
    for (let seq = 0; seq < 1_000; seq++) log.append("r", `k${seq}`, text(seq));
    log.append("r", "end", finish(1_000));
    expect(await all).toHaveLength(1_001);
  });

  it("keeps one event a key", async () => {
    for (const seq of [0, 1, 2]) log.append("r", "same", text(seq));
    log.append("r", "end", finish(9));
    expect(await collect(0)).toEqual([0, 9]);
  });

  it("ends when its reader leaves or the log closes", async () => {
    const leave = new AbortController();
    const left = collect(0, log, leave.signal);
    const closed = collect(0);
    leave.abort();
    expect(await left).toEqual([]);
    log.close();
    expect(await closed).toEqual([]);
    log.append("r", "late", text(0));
  });

  it("sees what another process wrote, within its polling time", async () => {
    const other = open();
    const followed = collect(0, other);
    log.append("r", "a", finish(0));
    await log.end("r");
    await clock.advance(250);
    expect(await followed).toEqual([0]);
    other.close();
  });

  it("is all there after a restart", async () => {
    log.append("r", "a", text(0));
    log.append("r", "b", finish(1));
    log.close();
    log = open();
    expect(await collect(0)).toEqual([0, 1]);
  });
});

describe("runs", () => {
  it("are listed newest first with their steps, what they ask and how they ended", async () => {
    expect(await log.view("r")).toBeNull();
    await log.begin({ runId: "r", name: "deck", objective: "make it" });
    await clock.advance(10);
    await log.begin({ runId: "later", name: "other", objective: "" });
    await log.begin({ runId: "r", name: "not again", objective: "" });
    const plan = {
      name: "deck",
      steps: [
        { id: "a", kind: "agent" as const, agent: "x", instruction: "", dependsOn: [] },
        { id: "h", kind: "human" as const, agent: "", instruction: "", dependsOn: ["a"] },
      ],
    };
    const request = {
      requestId: "h",
      kind: "form" as const,
      form: { title: "t", description: "", fields: [] },
    };
    log.append("r", "1", event(0, { type: "plan-update", plan }));
    log.append("r", "2", event(1, { type: "step-status", step: "a", state: "failed", reason: "gone" }));
    log.append("r", "3", event(2, { type: "input-required", request }, "h"));
    log.append("r", "4", event(3, { type: "step-status", step: "h", state: "input_required" }));
    expect(await log.view("r")).toMatchObject({
      name: "deck",
      objective: "make it",
      status: "input-required",
      createdAt: 1_250,
      requests: [{ step: "h", request }],
      steps: [
        { id: "a", state: "failed", reason: "gone" },
        { id: "h", state: "input_required", dependsOn: ["a"] },
      ],
    });
    log.append("r", "5", event(4, { type: "step-status", step: "h", state: "completed" }));
    log.append("r", "6", finish(5));
    const runs = await log.runs();
    expect(runs.map((run) => [run.runId, run.status, run.endedAt])).toEqual([
      ["later", "running", undefined],
      ["r", "completed", 1_260],
    ]);
    expect(await log.runs({ limit: 1 })).toHaveLength(1);
  });

  it("are planned until they have the name of a workflow, or an end", async () => {
    await log.begin({ runId: "r", name: "", objective: "x" });
    await log.begin({ runId: "refused", name: "", objective: "y" });
    expect((await log.runs()).map(({ status }) => status)).toEqual(["planning", "planning"]);
    expect(await log.planning()).toEqual(["r", "refused"]);
    await log.begin({ runId: "r", name: "deck", objective: "z" });
    const error = { code: "x", message: "no plan" };
    const end = {
      type: "finish",
      outcome: "failed",
      response: EMPTY_RESPONSE,
      answerItems: [],
      error,
    } as const;
    log.append("refused", "finish", event(0, end));
    expect(await log.planning()).toEqual([]);
    expect(await log.view("r")).toMatchObject({ name: "deck", objective: "x", status: "running" });
    expect(await log.view("refused")).toMatchObject({ status: "failed", reason: "no plan" });
  });

  it("are found by how their id begins, however old, and tell whose they are", async () => {
    await log.begin({ runId: "a%_-1", name: "n", objective: "", userId: "ann" });
    await log.begin({ runId: "a%_-2", name: "n", objective: "" });
    await log.begin({ runId: "abc", name: "n", objective: "" });
    const ids = async (idPrefix: string) => (await log.runs({ idPrefix })).map(({ runId }) => runId);
    expect(await ids("a%_-")).toEqual(["a%_-2", "a%_-1"]);
    expect(await ids("a%_-1")).toEqual(["a%_-1"]);
    expect(await ids("A")).toEqual([]);
    expect(await log.view("a%_-1")).toMatchObject({ userId: "ann" });
    await log.begin({ runId: "b", name: "n", objective: "", userId: "bob" });
    const ofAnn = await log.runs({ userId: "ann" });
    expect(ofAnn.map(({ runId }) => runId)).toEqual(["a%_-1"]);
    expect(await log.runs({ userId: "ann", idPrefix: "b" })).toEqual([]);
    expect(await log.runs({ userId: "" })).toEqual([]);
    expect(await log.view("abc")).not.toHaveProperty("userId");
  });
});
