import { serveAgent } from "@troupe/a2a/server";
import { createAgent, type OverviewRequest } from "@troupe/core";
import { fakeToolSource, scriptedModel, testConfig, virtualClock } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";
import { readHoldings } from "./read-holdings.ts";

const agent = (name: string, overview?: (request: OverviewRequest) => Promise<string>) =>
  createAgent(
    { ...testConfig, name },
    {
      model: scriptedModel([]),
      toolSources: [{ ...fakeToolSource("s", []), ...(overview === undefined ? {} : { overview }) }],
    },
  );

it("gives the planner the agents' overviews of the collection of the task", async () => {
  const remote = await serveAgent({
    agent: agent("documents", ({ collectionId = "" }) => Promise.resolve(`${collectionId}: 2 documents`)),
  });
  onTestFinished(() => remote.close());
  const plan = { steps: [{ id: "a", agent: "documents", instruction: "Find it." }] };
  const model = scriptedModel([{ text: JSON.stringify(plan) }]);
  const orchestrator = await createOrchestrator({
    agents: [remote.url, agent("tables", () => Promise.reject(new Error("away"))), agent("slides")],
    model,
  });
  onTestFinished(() => orchestrator.close());
  await orchestrator.planWorkflow({ description: "What is it?", collection_id: "shop" });
  const [message] = model.requests[0]?.messages ?? [];
  const { agents } = JSON.parse(message?.role === "user" ? message.text : "") as { agents: object[] };
  expect(agents).toHaveLength(3);
  expect(agents.filter((one) => "holds" in one)).toMatchObject([
    { name: "documents", holds: "shop: 2 documents" },
  ]);
});

it("plans without the overview of an agent that is late", async () => {
  const clock = virtualClock();
  const entry = (name: string) => ({ ...agent(name).profile, status: "up" as const });
  const reading = readHoldings(
    {
      connection: (name) =>
        name === "slow" ? new Promise(() => undefined) : Promise.reject(new Error(name)),
    },
    [entry("slow"), entry("broken")],
    { collectionId: undefined, caller: undefined, clock, signal: new AbortController().signal },
  );
  await clock.advance(4_000);
  expect(await reading).toEqual(new Map());
});
