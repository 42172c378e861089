import { StoreError, type Model } from "@troupe/core";
import { virtualClock, type VirtualClock } from "@troupe/core/testing";
import type { AgentEvent, Clock } from "@troupe/stream";
import { expect, it } from "vitest";

import { normalizeWorkflow } from "../schema/normalize.ts";
import { workflowSchema } from "../schema/workflow-schema.ts";
import {
  memoryEngine,
  memoryEventLog,
  memoryJournal,
  scriptedGateway,
  type AgentScript,
} from "../testing/index.ts";
import { createDagDriver } from "./create-dag-driver.ts";
import { AHEAD } from "./limits/tell-limits.ts";

const HOUR = 3_600_000;
const step = (id: string, more: object = {}) => ({
  id,
  agent: `${id}-agent`,
  instruction: `do ${id}`,
  timeout_seconds: 60,
  ...more,
});
const words = (n: number): AgentEvent => ({
  v: 1,
  runId: "own",
  seq: n,
  attempt: 1,
  agent: "a-agent",
  ...(n === 0
    ? { type: "text-start", itemId: "t", role: "open" }
    : { type: "text-delta", itemId: "t", delta: `${n} ` }),
});

/** A log whose storage can be away: what is told waits there, and what is asked is refused. */
function failingLog(clock: Clock) {
  const memory = memoryEventLog(() => clock.now());
  let back: PromiseWithResolvers<void> | undefined;
  const eventLog = {
    ...memory,
    kept: () => back?.promise ?? Promise.resolve(),
    end: async (runId: string) => {
      if (back !== undefined) throw new StoreError("store.io", "the database is away");
      return memory.end(runId);
    },
  };
  return {
    memory,
    eventLog,
    away: () => (back ??= Promise.withResolvers()),
    back: () => {
      back?.resolve();
      back = undefined;
    },
  };
}

/** One run whose script, or model, may have its log away from some moment on. */
async function run(
  steps: readonly object[],
  script: AgentScript,
  {
    clock = virtualClock(),
    log = failingLog(clock),
    journal = memoryJournal(),
    model,
  }: Partial<RunOptions> = {},
) {
  const gateway = scriptedGateway(script, clock);
  const document = { version: 1, name: "away", mode: "parallel", steps };
  const spec = normalizeWorkflow(workflowSchema.parse(document));
  const begun = { spec, input: { objective: "o" } };
  const open = async () => {
    const engine = memoryEngine({ clock, journal, events: log.memory });
    const services = { gateway, eventLog: log.eventLog, clock };
    await engine.register(createDagDriver({ ...services, ...(model === undefined ? {} : { model }) }));
    await engine.start(spec, begun.input, { runId: "r" });
    await clock.advance(0);
    return engine;
  };
  return {
    log,
    clock,
    gateway,
    journal,
    begun,
    open,
    engine: await open(),
    told: () => log.memory.events("r").length,
    states: () =>
      log.memory.events("r").flatMap((e) => (e.type === "step-status" ? [`${e.step} ${e.state}`] : [])),
    ended: () => journal.outcome("r") !== null,
    async isBack() {
      log.back();
      await clock.advance(HOUR);
    },
  };
}

interface RunOptions {
  readonly clock: VirtualClock;
  readonly log: ReturnType<typeof failingLog | typeof refusingLog>;
  readonly journal: ReturnType<typeof memoryJournal>;
  readonly model: Model;
}

it("waits out an hour without its log: agents are held up, nothing fails for it, and nothing is asked twice", async () => {
  const steps = [step("a"), step("late"), step("b", { depends_on: ["a", "late"] })];
  const clock = virtualClock();
  const log = failingLog(clock);
  const tells = (n: number): AgentEvent => {
    if (n === 50) log.away();
    return words(n);
  };
  const script: AgentScript = (_request, agent) =>
    agent === "a-agent" ? { ms: 5_000, tells } : { ms: 30_000 };
  const trial = await run(steps, script, { clock, log });
  await clock.advance(HOUR);
  // Of what the agent goes on to say no more is read than may be ahead.
  expect(trial.told()).toBeGreaterThan(AHEAD.events);
  expect(trial.told()).toBeLessThan(2 * AHEAD.events + 10);
  expect(trial.ended()).toBe(false);
  await trial.isBack();
  expect(await trial.engine.result("r")).toMatchObject({
    outcome: "completed",
    response: { content: "do b" },
  });
  expect(trial.gateway.calls.map(({ request }) => request.messageId)).toEqual(["r/a#1", "r/late#1", "r/b#1"]);
  expect(trial.gateway.canceled).toEqual([]);
});

it("gives a step the time anew in which its log was away, and no more", async () => {
  const trial = await run([step("a")], () => ({ ms: 30_000, events: [words(0)], never: true }));
  await trial.clock.advance(10_000);
  trial.log.away();
  await trial.clock.advance(HOUR);
  await trial.isBack();
  const [a] = (await trial.engine.result("r")).steps;
  expect(a).toMatchObject({ state: "failed", error: { code: "agent.timeout" }, ms: HOUR + 10_000 + 60_000 });
});

/** A run with a step that never ends, by a log that is slow at each look. */
async function slowRun(journal = memoryJournal()) {
  const clock = virtualClock();
  const log = failingLog(clock);
  const slow = { ...log, eventLog: { ...log.eventLog, kept: () => clock.sleep(1_100) } };
  const script: AgentScript = () => ({ ms: 30_000, events: [words(0)], never: true });
  return run([step("a")], script, { clock, log: slow, journal });
}

it("ends a step's time by a log that is slow at each look, which gives that time once at most", async () => {
  const trial = await slowRun();
  await trial.clock.advance(HOUR);
  expect(trial.states()).toEqual(["a in_progress", "a failed"]);
  const [a] = (await trial.engine.result("r")).steps;
  expect(a).toMatchObject({ state: "failed", error: { code: "agent.timeout" } });
  const looks = JSON.stringify(trial.journal.load("r").entries).matchAll(/"leftMs":(\d+)/g);
  expect([...looks].reduce((sum, [, leftMs]) => sum + Number(leftMs), 0)).toBe(60_000);
});

it("goes on with a journal whose looks do not say what they gave so far", async () => {
  const before = await slowRun();
  await before.clock.advance(120_000);
  await before.engine.close();
  const { entries, timers } = before.journal.load("r");
  expect(entries.filter(({ name }) => name.includes("overdue")).length).toBeGreaterThan(10);
  const journal = memoryJournal();
  await journal.addRun({ runId: "r", ...before.begun }, 0);
  for (const [name, due] of timers) await journal.addTimer("r", name, due);
  for (const [seq, { name, value }] of entries.entries())
    await journal.addEntry("r", seq, name, JSON.stringify(value).replace(/,"anewMs":\d+/, ""));
  const trial = await slowRun(journal);
  await trial.clock.advance(HOUR);
  expect(trial.states()).toEqual(["a in_progress", "a failed"]);
});

it("joins a task again once its log is back, where it was cut off meanwhile", async () => {
  const trial = await run([step("a")], () => ({ ms: 30_000 }));
  await trial.clock.advance(10_000);
  await trial.engine.close();
  trial.log.away();
  const next = await trial.open();
  await trial.clock.advance(HOUR);
  expect(trial.states()).toEqual(["a in_progress"]);
  await trial.isBack();
  expect(await next.result("r")).toMatchObject({ outcome: "completed", response: { content: "do a" } });
  expect(trial.gateway.calls).toHaveLength(1);
});

/** The same where events stand beside the journal, and only what is refused is waited for. */
function refusingLog(clock: Clock) {
  const { eventLog, ...log } = failingLog(clock);
  const { kept, ...beside } = eventLog;
  return { ...log, eventLog: { ...beside, drained: kept } };
}

it.each([
  ["kept", failingLog, HOUR],
  ["drained", refusingLog, 60_000],
])("reads a model that writes the answer no further ahead than what is %s", async (_, open, awayMs) => {
  const clock = virtualClock();
  const log = open(clock);
  let written = 0;
  const model: Model = {
    id: "writer",
    async *stream() {
      for (; written < 5_000; written++) {
        if (written === 50) log.away();
        yield { type: "text-delta", text: `${written} ` } as const;
      }
      yield { type: "stop", reason: "end" } as const;
    },
  };
  const trial = await run([step("a"), step("b")], () => ({ ms: 10_000 }), { clock, log, model });
  await clock.advance(awayMs);
  expect(written).toBeGreaterThan(50);
  expect(written).toBeLessThan(2 * AHEAD.events);
  await trial.isBack();
  const { outcome, response } = await trial.engine.result("r");
  expect([outcome, response.content.length, written]).toEqual(["completed", 23_890, 5_000]);
});
