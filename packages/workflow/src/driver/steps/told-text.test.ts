import type { AgentGateway } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { EMPTY_RESPONSE, EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { normalizeWorkflow } from "../../schema/normalize.ts";
import { workflowSchema } from "../../schema/workflow-schema.ts";
import {
  memoryEngine,
  memoryEventLog,
  memoryJournal,
  scriptedGateway,
  type MemoryEventLog,
} from "../../testing/index.ts";
import { createDagDriver } from "../create-dag-driver.ts";
import { forwarder } from "./forward.ts";
import { TELL_LIMITS } from "../limits/tell-limits.ts";
import { toldText } from "./told-text.ts";

const told = (seq: number, body: AgentEventBody): AgentEvent => ({
  ...({ v: EVENT_VERSION, runId: "task", seq, attempt: 1, agent: "x" } as const),
  ...body,
});

/**
 * Words of two items in turn, a number each, as one who joins hears them: several of an item may come as one,
 * under the number of the last of them.
 */
function heard(words: readonly string[], cuts: readonly boolean[]): readonly AgentEvent[] {
  const events = ["a", "b"].map((itemId, seq) => told(seq, { type: "text-start", itemId, role: "open" }));
  for (const itemId of ["a", "b"]) {
    let delta = "";
    for (const [i, word] of words.entries()) {
      if ((i % 2 === 0) !== (itemId === "a")) continue;
      delta += word;
      if (cuts[i] !== true && i + 2 < words.length) continue;
      events.push(told(i + 2, { type: "text-delta", itemId, delta }));
      delta = "";
    }
  }
  return events.toSorted((one, other) => one.seq - other.seq);
}

const textOf = (log: MemoryEventLog, item: string): string =>
  log
    .events("run")
    .map((event) => (event.type === "text-delta" && event.itemId === item ? event.delta : ""))
    .join("");

it("has every word of an agent once, however often it is joined and however its text is cut then", async () => {
  const cuts = fc.array(fc.boolean(), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 }),
      fc.array(fc.tuple(cuts, fc.nat({ max: 32 })), { maxLength: 3 }),
      cuts,
      async (words, joins, last) => {
        const log = memoryEventLog();
        const join = async (events: readonly AgentEvent[]): Promise<void> => {
          const known = await toldText(log, "run");
          const forward = forwarder({
            eventLog: log,
            told: () => known,
            clock: virtualClock(),
            limits: TELL_LIMITS,
            runId: "run",
            stepId: "s",
            attempt: 1,
            replies: 0,
          });
          for (const event of events) void forward.onEvent(event);
        };
        for (const [cut, until] of joins) await join(heard(words, cut).slice(0, until));
        await join(heard(words, last));
        expect(textOf(log, "a")).toBe(words.filter((_, i) => i % 2 === 0).join(""));
        expect(textOf(log, "b")).toBe(words.filter((_, i) => i % 2 === 1).join(""));
      },
    ),
    { numRuns: 60 },
  );
});

it("counts what is told and not in the log yet, because its disk refuses it, once it is there", async () => {
  const log = memoryEventLog();
  const drained = async (): Promise<void> =>
    log.append("run", "s/1/1", told(1, { type: "text-delta", itemId: "a", delta: "one " }));
  expect([...(await toldText({ ...log, drained }, "run")).values()]).toEqual([4]);
});

it("joins again after a crash what an agent tells in larger pieces then, and doubles none of its words", async () => {
  const clock = virtualClock();
  const [journal, events] = [memoryJournal(), memoryEventLog(() => clock.now())];
  const tellings = [
    ["one ", "two "],
    ["one two three ", "four"],
  ];
  const calls = scriptedGateway(() => ({}), clock);
  const gateway: AgentGateway = {
    send: (agent, request, more) => calls.send(agent, request, more),
    cancel: (agent, taskId, more) => calls.cancel(agent, taskId, more),
    async await(agent, taskId, more) {
      const [first = "", second = ""] = tellings.shift() ?? [];
      const seqs = tellings.length > 0 ? [1, 2] : [3, 4];
      void more.onEvent?.(told(0, { type: "text-start", itemId: "a", role: "answer" }));
      for (const [i, delta] of [first, second].entries())
        void more.onEvent?.(told(seqs[i] ?? 0, { type: "text-delta", itemId: "a", delta }));
      // The first process does not live to see the end.
      if (tellings.length > 0) return new Promise<never>(() => undefined);
      const end = {
        type: "finish",
        outcome: "completed",
        response: EMPTY_RESPONSE,
        answerItems: ["a"],
      } as const;
      void more.onEvent?.(told(5, end));
      return calls.await(agent, taskId, { ...more, onEvent: () => undefined });
    },
  };
  const spec = normalizeWorkflow(
    workflowSchema.parse({ version: 1, name: "one", steps: [{ id: "s", agent: "x", instruction: "do" }] }),
  );
  const open = async () => {
    const engine = memoryEngine({ clock, journal, events });
    await engine.register(createDagDriver({ gateway, eventLog: events, clock }));
    await engine.start(spec, { objective: "o" }, { runId: "run" });
    await clock.advance(10_000);
    return engine;
  };
  await (await open()).close();
  const engine = await open();
  expect((await engine.result("run")).outcome).toBe("completed");
  expect(textOf(events, "a")).toBe("one two three four");
});
