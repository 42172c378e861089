import { NO_USAGE } from "@troupe/stream";
import { expect, it } from "vitest";

import { createAgent } from "../agent/create-agent.ts";
import { usageSchema } from "../schemas/response.ts";
import { memorySuspendedRuns } from "../suspend/memory-suspended-runs.ts";
import { parseSuspendedRun } from "../schemas/suspended-run.ts";
import { eventsOf, finishOf, runAgent, testConfig } from "../testing/run-agent.ts";
import { finishCall, scriptedModel } from "../testing/scripted-model.ts";
import { echoTool } from "../testing/tools.ts";
import { countedUsage } from "./counted-usage.ts";

it.each([
  [-5, 0],
  [Number.NaN, 0],
  [Infinity, 1e12],
  [1e300, 1e12],
  [1.6, 2],
  [7, 7],
])("counts %d as %d", (reported, counted) => {
  const usage = countedUsage({ ...NO_USAGE, outputTokens: reported });
  expect(usage).toEqual({ ...NO_USAGE, outputTokens: counted });
  expect(usageSchema.parse(usage)).toEqual(usage);
});

it("counts what is no number at all as nothing", () => {
  expect(countedUsage({ ...NO_USAGE, ...JSON.parse('{"inputTokens":"12","modelCalls":null}') })).toEqual(
    NO_USAGE,
  );
});

it("keeps a budget from an endpoint that reports less than nothing", async () => {
  const round = (outputTokens: number) => ({
    calls: [{ name: "echo", arguments: { text: "x" } }],
    usage: { outputTokens },
  });
  const model = scriptedModel([round(-1000), round(60), round(60)]);
  const agent = createAgent(
    { ...testConfig, limits: { maxOutputTokens: 100 } },
    { model, tools: [echoTool("echo")] },
  );
  expect(finishOf(await runAgent(agent))).toMatchObject({ error: { code: "agent.limit" } });
});

it("keeps a run that waits readable, whatever was reported and wherever the clock was set", async () => {
  const suspended = memorySuspendedRuns();
  const model = scriptedModel([
    { calls: [finishCall("?", { require_user_input: true })], usage: { inputTokens: Number.NaN } },
  ]);
  let now = 1_000_000;
  const clock = { now: () => (now -= 1000), schedule: () => () => undefined, sleep: async () => undefined };
  const agent = createAgent(testConfig, { model, suspended, clock });
  const events = await runAgent(agent);
  expect(finishOf(events).outcome).toBe("input-required");
  for (const { usage } of eventsOf(events, "usage")) expect(usageSchema.parse(usage)).toEqual(usage);
  const kept: unknown = JSON.parse(JSON.stringify(await suspended.load("run-1")));
  expect(parseSuspendedRun(kept)).toEqual(kept);
});

it("names thousands of calls of one id apart, in no more than their time", async () => {
  const calls = Array.from({ length: 50_000 }, () => ({ name: "none", arguments: "{}", callId: "same" }));
  const model = scriptedModel([{ calls }, { calls: [finishCall("done")] }]);
  const started = eventsOf(await runAgent(createAgent(testConfig, { model })), "tool-start");
  expect(new Set(started.map(({ callId }) => callId)).size).toBe(50_000);
});
