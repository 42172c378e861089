import { serveAgent } from "@troupe/a2a/server";
import { createAgent, type Model, type Prices } from "@troupe/core";
import { finishCall, finishOf, runAgent, scriptedModel } from "@troupe/core/testing";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { createOrchestrator } from "./create-orchestrator.ts";

afterEach(cleanUp);

const named = (id: string): Model & { readonly requests: readonly unknown[] } => {
  const model = scriptedModel(Array.from({ length: 4 }, () => ({ calls: [finishCall("Done.")] })));
  return { ...model, id, requests: model.requests };
};
const agentOf = (name: string, model: Model, prices: Prices = {}) =>
  createAgent(
    { agent_type: "t", name, title: name, description: `Is ${name}.`, system_prompt: "Test.", prices },
    { model },
  );
const workflow = (more: object, ...steps: readonly object[]) =>
  ({ version: 1 as const, name: "Costs", steps, ...more }) as never;
const inTurn = { agent: "dear", instruction: "Go." };
const limited = { ...inTurn, limits: { max_cost_usd: 1 } };

/** One agent of a model with a price and one without, served, and one in this process. */
async function staged({
  model = named("boss-model"),
  prices,
}: { readonly model?: Model; readonly prices?: Prices } = {}) {
  const dear = agentOf("dear", named("dear-model"));
  const priced = agentOf("priced", named("known-model"), { "known-model": { input: 1, output: 1 } });
  const served = await Promise.all([dear, priced].map((agent) => serveAgent({ agent })));
  for (const one of served) onTestFinished(() => one.close());
  const orchestrator = await createOrchestrator({
    agents: [...served.map(({ url }) => url), agentOf("here", named("dear-model"))],
    model,
    ...(prices === undefined ? {} : { prices }),
  });
  onTestFinished(() => orchestrator.close());
  const refused = async (asked: never): Promise<string> => {
    const error: unknown = await orchestrator
      .executeWorkflow("Go.", asked)
      .catch((thrown: unknown) => thrown);
    expect(await orchestrator.runs()).toEqual([]);
    return error instanceof Error ? error.message : "not refused";
  };
  return { orchestrator, refused };
}

it.each<[string, never, RegExp]>([
  [
    "a run",
    workflow({ limits: { max_cost_usd: 2 } }, inTurn),
    /^limits\.max_cost_usd .*"dear-model", which agent "dear" asks.* TROUPE_PRICES/,
  ],
  ["a step", workflow({}, limited), /^step "dear": limits\.max_cost_usd .*"dear-model"/],
  [
    "an agent of this process",
    workflow({ limits: { max_cost_usd: 2 } }, { ...inTurn, agent: "here" }),
    /agent "here" asks/,
  ],
  [
    "the answer that is written",
    workflow({ limits: { max_cost_usd: 2 }, final: "synthesize" }, { ...inTurn, agent: "priced" }),
    /^limits\.max_cost_usd .*"boss-model", which writes the answer/,
  ],
])(
  "refuses a cost limit for %s where a model has no price, before anything runs",
  async (_name, asked, message) => {
    expect(await (await staged()).refused(asked)).toMatch(message);
  },
);

it("is refused over A2A too", async () => {
  const { orchestrator } = await staged();
  const metadata = { workflow: workflow({ limits: { max_cost_usd: 2 } }, inTurn) };
  expect(finishOf(await runAgent(orchestrator.agent, { text: "Go.", metadata })).error).toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining("TROUPE_PRICES"),
  });
});

it("refuses to do a run again whose prices are gone, unless what they are for is kept", async () => {
  const home = temporaryFolder();
  const priced = agentOf("priced", named("known-model"), { "known-model": { input: 1, output: 1 } });
  const on = (prices: Prices) =>
    createOrchestrator({ agents: [priced], model: named("boss-model"), prices, home });
  const first = await on({ "boss-model": { input: 1, output: 1 } });
  const step = { ...inTurn, agent: "priced" };
  const asked = [
    workflow({ limits: { max_cost_usd: 2 }, final: "synthesize" }, step),
    workflow({}, { ...step, limits: { max_cost_usd: 2 } }),
  ];
  const ended = await Promise.all(asked.map((one) => first.executeWorkflow("Go.", one)));
  // A model that calls a tool writes no answer, so that can be written again.
  expect(ended.map(({ outcome }) => outcome)).toEqual(["partial", "completed"]);
  await first.close();

  const later = await createOrchestrator({
    agents: [agentOf("priced", named("dear-model"))],
    model: named("boss-model"),
    home,
  });
  onTestFinished(() => later.close());
  const [written, own] = ended.map(({ runId }) => runId);
  await expect(later.retry(written ?? "", { from: "priced" })).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/"dear-model", which agent "priced" asks[^]*"boss-model", which writes/),
  });
  await expect(later.retry(written ?? "")).rejects.toThrow(/^limits\.max_cost_usd [^\n]*"boss-model"[^\n]*$/);
  await expect(later.retry(own ?? "", { from: "priced" })).rejects.toThrow(
    'step "priced": limits.max_cost_usd',
  );
  expect(await later.runs()).toHaveLength(2);
});

it("runs where every model has a price, or nobody is paid for it", async () => {
  const asked = workflow(
    { limits: { max_cost_usd: 2 }, final: "synthesize" },
    { ...inTurn, agent: "priced" },
  );
  const model = { ...named("boss-model"), free: true as const };
  for (const options of [{ model }, { prices: { "boss-model": { input: 1, output: 1 } } }]) {
    const { orchestrator } = await staged(options);
    const { error } = await orchestrator.executeWorkflow("Go.", asked);
    expect(error).toBeUndefined();
  }
});

it("is not looked at where no limit is in dollars", async () => {
  const { orchestrator } = await staged();
  const asked = workflow({ limits: { max_total_tokens: 100_000 } }, inTurn);
  expect((await orchestrator.executeWorkflow("Go.", asked)).outcome).toBe("completed");
});
