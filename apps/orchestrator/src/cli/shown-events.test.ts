import { createAgent, type AgentRequest } from "@troupe/core";
import { finishCall, scriptedModel } from "@troupe/core/testing";
import { EVENT_VERSION, type AgentEvent, type AgentEventBody } from "@troupe/stream";
import type { HostedEngine } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";
import { sharedEngine } from "../testing/shared-engine.ts";
import { shownEvents, type ShownEvents } from "./shown-events.ts";

const form = { title: "Who?", fields: [{ field_name: "audience" }] };
const ask = (id: string) => ({ id, kind: "human" as const, instruction: "Who?", form });
const workflow = {
  version: 1,
  name: "Ask twice",
  steps: [
    { agent: "first", instruction: "Begin." },
    ask("who"),
    { agent: "second", instruction: "Go." },
    ask("whom"),
    { agent: "third", instruction: "End." },
  ],
};
const signal = new AbortController().signal;
const reply = (requestId: string) => ({ requestId, values: { audience: "all" } });

/** An orchestrator as after a start: of what was told before it knows what is on record. */
async function started(engine: HostedEngine) {
  const agents = ["first", "second", "third"].map((name) =>
    createAgent(
      { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test." },
      { model: scriptedModel([{ calls: [finishCall(`By ${name}.`)] }]) },
    ),
  );
  const orchestrator = await createOrchestrator({ agents, model: scriptedModel([]), engine });
  onTestFinished(() => orchestrator.close());
  return orchestrator.agent;
}

/** Shows a turn, up to so many of its events; whoever told it is killed then. */
async function show(
  agent: Awaited<ReturnType<typeof started>>,
  request: Partial<AgentRequest>,
  {
    shown,
    out,
    until = Infinity,
  }: { readonly shown: ShownEvents; readonly out: AgentEvent[]; readonly until?: number },
): Promise<"over" | "killed"> {
  let read = 0;
  if (until === 0) return "killed";
  for await (const event of agent.run({ runId: "r", text: "Go.", history: [], ...request }, { signal })) {
    const fresh = shown.take(event);
    if (fresh !== undefined) out.push(fresh);
    if (++read === until) return isEnd(event) ? "over" : "killed";
  }
  return "over";
}

/** The run as it stands in its log, from a position on. */
async function logged(engine: HostedEngine, from: number): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const { position, event } of engine.events.read("r", { from, signal }))
    events.push([position, event.type]);
  return events;
}

const places = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (isPause(event) ? [] : [[event.seq, event.type]]));
const isEnd = (event: AgentEvent): boolean => event.type === "finish" && event.stepId === undefined;
const isPause = (event: AgentEvent): boolean =>
  isEnd(event) && event.type === "finish" && event.outcome === "input-required";

it("shows every event of a run once whose orchestrator is killed behind any of them, in any of its turns", async () => {
  let kills = 0;
  for (let until = 1, more = true; more; until++) {
    more = false;
    for (const killed of [1, 2, 3]) {
      const engine = sharedEngine();
      const [shown, out] = [shownEvents(), new Array<AgentEvent>()];
      let agent = await started(engine);
      for (const turn of [1, 2, 3]) {
        const request = [{ metadata: { workflow } }, { reply: reply("who") }, { reply: reply("whom") }][
          turn - 1
        ];
        const cut = turn === killed ? { until } : {};
        if ((await show(agent, request ?? {}, { shown, out, ...cut })) === "over") continue;
        kills++;
        more = true;
        agent = await started(engine);
        await show(agent, { runId: "joins", metadata: { run_id: "r" } }, { shown, out });
      }
      expect(places(out)).toEqual(await logged(engine, 0));
    }
  }
  expect(kills).toBeGreaterThan(20);
});

it("shows nothing of before its answer to whoever only answers, and all from there", async () => {
  for (const until of [1, 2, 3, 4]) {
    const engine = sharedEngine();
    await show(await started(engine), { metadata: { workflow } }, { shown: shownEvents(), out: [] });
    const from = await engine.events.end("r");
    const [shown, out] = [shownEvents(), new Array<AgentEvent>()];
    const request = { reply: reply("who") };
    expect(await show(await started(engine), request, { shown, out, until })).toBe("killed");
    const join = { runId: "joins", metadata: { run_id: "r" } };
    await show(await started(engine), join, { shown, out });
    await show(await started(engine), { reply: reply("whom") }, { shown, out });
    expect(places(out)).toEqual(await logged(engine, from));
  }
});

it("goes on within a text that is told again in other pieces", () => {
  const shown = shownEvents();
  const at = (seq: number, body: AgentEventBody): AgentEvent => ({
    v: EVENT_VERSION,
    runId: "r",
    seq,
    attempt: 1,
    agent: "a",
    ...body,
  });
  const start = (seq: number, itemId = "t") => at(seq, { type: "text-start", itemId, role: "answer" });
  const delta = (seq: number, text: string, itemId = "t") =>
    at(seq, { type: "text-delta", itemId, delta: text });
  const tell = (...events: readonly AgentEvent[]) =>
    events.flatMap((event) => {
      const fresh = shown.take(event);
      return fresh?.type === "text-delta" ? fresh.delta : (fresh?.type ?? []);
    });
  expect(tell(start(1), delta(2, "Tides "), start(3, "u"), delta(4, "Rain", "u"))).toEqual([
    "text-start",
    "Tides ",
    "text-start",
    "Rain",
  ]);
  const end = at(7, { type: "text-end", itemId: "t" });
  expect(
    tell(start(1), delta(6, "Tides are "), start(3, "u"), delta(4, "Rain", "u"), delta(6, "rising."), end),
  ).toEqual(["are ", "rising.", "text-end"]);
  expect(tell(start(1), delta(6, "Tides are rising."), end)).toEqual([]);
  // An item may be called like one before it.
  expect(tell(start(8), delta(9, "Tides are gone."))).toEqual(["text-start", "Tides are gone."]);
});
