import { readdirSync, readFileSync } from "node:fs";

import type { AgentGateway } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { Json } from "@troupe/stream";
import { expect, it } from "vitest";

import { createDagDriver } from "../driver/create-dag-driver.ts";
import type { JournalEntry } from "../engine/recorded-run.ts";
import type { RunOutcome } from "../engine/run.ts";
import type { DagSpec } from "../schema/spec.ts";
import { SCENARIOS, scriptOf, type Scenario } from "../testing/corpus/scenarios.ts";
import { memoryEngine, memoryEventLog, memoryJournal, scriptedGateway } from "../testing/index.ts";

/** A run as some release journaled it. */
interface Recorded {
  readonly scenario: string;
  readonly spec: DagSpec;
  readonly input: Json;
  readonly entries: readonly JournalEntry[];
  readonly signals: readonly (readonly [string, Json])[];
  readonly timers: readonly (readonly [string, number])[];
  readonly outcome: RunOutcome;
}

const RUN = "run-1";
const HOUR = 3_600_000;
const folder = new URL("corpus/", import.meta.url);
const journals = readdirSync(folder)
  .filter((name) => name.startsWith("journals-"))
  .flatMap((file) => {
    const recorded = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly Recorded[];
    return recorded.map((run) => ({ file, run, of: `${run.scenario}, ${file}` }));
  });

it("has a journal of every scenario in the form of every release", () => {
  const files = new Set(journals.map(({ file }) => file));
  expect(files).toContain("journals-1.json");
  expect(journals).toHaveLength(files.size * SCENARIOS.length);
});

it.each(journals)("is gone on with to its end from every entry on: $of", async ({ run }) => {
  const scenario = SCENARIOS.find(({ name }) => name === run.scenario);
  if (!scenario) throw new TypeError(`no scenario "${run.scenario}"`);
  for (let length = 0; length <= run.entries.length; length++) {
    const { outcome, sentAgain } = await goOn(scenario, run, run.entries.slice(0, length));
    expect([length, ...sentAgain]).toEqual([length]);
    expect([length, essence(outcome)]).toEqual([length, essence(run.outcome)]);
  }
});

/** What of an outcome hangs on no clock. */
function essence({ outcome, response, steps, error }: RunOutcome) {
  const ends = steps.map(({ stepId, outcome: end, answer, reason = "" }) => [stepId, end, answer, reason]);
  return { outcome, content: response.content, steps: ends, error: error?.code };
}

/** Takes a run up by the first entries of its journal, with agents that go on where they were. */
async function goOn(scenario: Scenario, run: Recorded, entries: readonly JournalEntry[]) {
  const clock = virtualClock();
  const journal = memoryJournal();
  await journal.addRun({ runId: RUN, spec: run.spec, input: run.input }, 0);
  for (const [seq, { name, value }] of entries.entries())
    await journal.addEntry(RUN, seq, name, JSON.stringify(value));
  for (const [name, value] of run.signals) await journal.addSignal(RUN, name, value, name);
  for (const [name, due] of run.timers) await journal.addTimer(RUN, name, due);
  const agents = scriptedGateway(scriptOf(scenario), clock);
  const gateway = await withTasksOf(agents, run, entries);
  const before = agents.calls.length;
  const events = memoryEventLog(() => clock.now());
  const engine = memoryEngine({ clock, journal, events });
  await engine.register(createDagDriver({ gateway, eventLog: events, clock, newId: () => "x" }));
  const ended = engine.result(RUN);
  await clock.advance(HOUR);
  const outcome = await ended;
  await engine.close();
  const sent = new Set(entries.map(({ name }) => name));
  const again = agents.calls.slice(before).map(({ request }) => request.messageId);
  return { outcome, sentAgain: again.filter((id) => sent.has(`${id.slice(RUN.length + 1)}/send`)) };
}

/** Has the agents know the tasks that the journal names, under those names. */
async function withTasksOf(
  agents: AgentGateway,
  { spec }: Recorded,
  entries: readonly JournalEntry[],
): Promise<AgentGateway> {
  const ids = new Map<string, string>();
  for (const { name, value } of entries) {
    if (!name.endsWith("/send") || !value.ok) continue;
    const key = name.slice(0, -"/send".length);
    const step = spec.steps.find(({ id }) => key.startsWith(`${id}#`));
    const { value: sent } = value.value as { readonly value?: { readonly taskId: string } };
    if (!step || !sent) continue;
    const { instruction, expectedOutput, allowedTools, limits, agent } = step;
    const plain = { v: 1, objective: "", instruction, expectedOutput, allowedTools, limits } as const;
    const request = { messageId: `${RUN}/${key}`, delegation: { ...plain, results: {} } };
    const { signal } = new AbortController();
    ids.set(sent.taskId, (await agents.send(agent, request, { signal })).taskId);
  }
  return {
    send: (...args) => agents.send(...args),
    await: (agent, taskId, options) => agents.await(agent, ids.get(taskId) ?? taskId, options),
    cancel: (agent, taskId, options) => agents.cancel(agent, ids.get(taskId) ?? taskId, options),
  };
}
