import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { createAgent, silentLog, type Caller, type Middleware, type ToolOutput } from "@troupe/core";
import { workflowCatalogue, type OfferedWorkflow } from "@troupe/core/middleware";
import {
  echoTool,
  eventsOf,
  finishCall,
  finishOf,
  gate,
  runAgent,
  scriptedModel,
  type ScriptedModel,
  type ScriptedStep,
} from "@troupe/core/testing";
import { finishCall as playbookFinish, toolResults } from "@troupe/playbook";
import { agentSettings, startAgent } from "@troupe/service/agent";
import type { AgentEvent, Json } from "@troupe/stream";
import { afterEach, describe, expect, it } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";
import type { Orchestrator } from "./orchestrator.ts";

let open: Orchestrator | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const tides: OfferedWorkflow = {
  name: "Tide report",
  description: "Looks up the tides.",
  workflow: [{ agent: "finder", instruction: "Find the tides." }],
};
const run = (name: string, task = "High water at Bergen"): ScriptedStep => ({
  calls: [{ name: "run_workflow", arguments: { name, task } }],
});
const finish = (content: string): ScriptedStep => ({ calls: [finishCall(content)] });
const withChart = (content: string): ScriptedStep => ({
  calls: [finishCall(content, { chart_ids: ["chart-1"] })],
});
const offering = (...list: readonly OfferedWorkflow[]) => workflowCatalogue(() => list);

function agent(
  name: string,
  steps: readonly ScriptedStep[],
  options: {
    readonly middleware?: readonly Middleware[];
    readonly output?: ToolOutput;
    readonly limits?: { readonly maxTotalTokens: number };
  } = {},
) {
  const { middleware = [], output = { text: "Nothing." }, limits = {} } = options;
  const model = scriptedModel(steps);
  const config = { agent_type: "test", name, title: name, description: name, system_prompt: "Work.", limits };
  return {
    model,
    agent: createAgent(config, { model, middleware, tools: [echoTool("look_up", () => output)] }),
  };
}

const lookUp: ScriptedStep = { calls: [{ name: "look_up", arguments: { text: "tides" } }] };

/** What the model reads of the calls of its last round. */
const lastResults = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1)?.messages.at(-1));

async function ask(
  orchestrator: Orchestrator,
  options: { readonly caller?: Caller; readonly signal?: AbortSignal; readonly user?: string } = {},
) {
  const { user, ...by } = options;
  const events: AgentEvent[] = [];
  const outcome = await orchestrator.executeWorkflow(
    { description: "When is high water?", collection_id: "sea", ...(user ? { user_id: user } : {}) },
    [{ agent: "lead", instruction: "Answer." }],
    undefined,
    { ...by, onEvent: (event) => void events.push(event) },
  );
  return { outcome, events };
}

const citation = {
  id: "7",
  document: "Tides",
  source: "tides.md",
  collection: "sea",
  chunkId: "c1",
  quote: "High water is at noon.",
  start: 0,
  end: 22,
};
const chart = {
  v: 1 as const,
  id: "c",
  kind: "number" as const,
  title: "Level",
  series: [{ field: "m", label: "m", type: "number" as const }],
  rows: [{ m: 2 }],
  provenance: { resultId: "r", query: "q", source: "s" },
};
const file = {
  id: "f1",
  name: "tides.csv",
  mediaType: "text/csv",
  bytes: 3,
  sha256: "a".repeat(64),
  url: "http://127.0.0.1:1/f1",
};
const found = {
  text: "High water is at noon [7].",
  citations: [citation],
  charts: [chart],
  artifacts: [file],
};

it("gives an agent the answer of a listed workflow with its sources, charts and files", async () => {
  const finder = agent(
    "finder",
    [{ ...lookUp, usage: { inputTokens: 40 } }, withChart("It is at noon [1].")],
    {
      output: found,
    },
  );
  const lead = agent("lead", [{ ...run(tides.name), usage: { inputTokens: 2 } }, withChart("At noon [1].")], {
    middleware: [offering(tides)],
  });
  open = await createOrchestrator({ agents: [lead.agent, finder.agent], model: scriptedModel([]) });
  const { outcome } = await ask(open, { user: "ann" });
  expect(lead.model.requests[0]?.system).toContain(
    "Workflows that you can run with run_workflow when one fits the request, except those for people only.",
  );
  expect(lead.model.requests[0]?.system).toContain("\n- Tide report: Looks up the tides.");
  expect(lastResults(lead.model)).toContain("It is at noon [1].");
  expect(lastResults(lead.model)).toContain("tides.csv");
  expect(lastResults(lead.model)).toContain("[chart-1] Level");
  expect(outcome.outcome).toBe("completed");
  expect(outcome.response).toMatchObject({
    content: "At noon [1].",
    citations: [{ id: "1", document: "Tides" }],
    data: { charts: [{ title: "Level" }] },
  });
  expect(outcome.artifacts).toMatchObject([{ id: "f1" }]);
  // What the workflow used is part of what the run used.
  expect(outcome.usage.inputTokens).toBe(42);
  expect(JSON.stringify(finder.model.requests[0]?.messages)).toContain("High water at Bergen");
  const nested = (await open.runs()).find(({ runId }) => runId !== outcome.runId);
  expect(nested).toMatchObject({ userId: "ann", status: "completed" });
  expect(await open.task(nested?.runId ?? "")).toMatchObject({ collection_id: "sea" });
});

it("names the nearest workflow, and starts none that is listed for people only", async () => {
  const manual = { name: "Audit", description: "Done by hand." };
  const lead = agent("lead", [run("Tide raport"), run("Audit"), finish("No.")], {
    middleware: [offering(tides, manual)],
  });
  open = await createOrchestrator({ agents: [lead.agent], model: scriptedModel([]) });
  await ask(open);
  expect(lead.model.requests[0]?.system).toContain("\n- Audit (people only): Done by hand.");
  expect(JSON.stringify(lead.model.requests[1]?.messages)).toContain(
    'There is no workflow \\"Tide raport\\". Did you mean \\"Tide report\\"?',
  );
  expect(lastResults(lead.model)).toContain("is for people only");
  expect(await open.runs()).toHaveLength(1);
});

it("does not nest workflows without an end when one starts the agent that started it", async () => {
  const again: OfferedWorkflow = {
    name: "Again",
    description: "",
    workflow: [{ agent: "lead", instruction: "Answer." }],
  };
  const lead = agent(
    "lead",
    [run("Again"), run("Again"), run("Again"), finish("3"), finish("2"), finish("1")],
    {
      middleware: [offering(again)],
    },
  );
  open = await createOrchestrator({ agents: [lead.agent], model: scriptedModel([]) });
  const { outcome } = await ask(open);
  expect(outcome.response.content).toBe("1");
  expect(JSON.stringify(lead.model.requests[3]?.messages)).toContain(
    "workflows started by agents may be nested 2 deep",
  );
  expect(await open.runs()).toHaveLength(3);
  lead.model.assertDone();
});

it("cancels the workflow along with the run that started it", async () => {
  const begun = gate();
  const never = gate();
  const held: ScriptedStep = { ...finish("Late."), gate: never.opened, expect: () => begun.open() };
  const lead = agent("lead", [run(tides.name)], { middleware: [offering(tides)] });
  const finder = agent("finder", [held]);
  open = await createOrchestrator({ agents: [lead.agent, finder.agent], model: scriptedModel([]) });
  const cancel = new AbortController();
  const asked = ask(open, { signal: cancel.signal });
  await begun.opened;
  cancel.abort(new Error("enough"));
  expect((await asked).outcome.outcome).toBe("canceled");
  const runs = await open.runs();
  expect(runs).toHaveLength(2);
  for (const { runId } of runs) expect((await open.result(runId)).outcome).toBe("canceled");
});

it("cancels a workflow that asks a person, and tells the model what it asks", async () => {
  const form = { title: "Which harbour?", fields: [{ field_name: "harbour", field_type: "text" }] };
  const asking: Json = {
    version: 1,
    name: "Asking",
    steps: [{ id: "who", kind: "human", instruction: "Which harbour?", form }],
  };
  const lead = agent("lead", [run("Asking"), finish("Run it yourself.")], {
    middleware: [offering({ name: "Asking", description: "", workflow: asking })],
  });
  open = await createOrchestrator({ agents: [lead.agent], model: scriptedModel([]) });
  const { outcome } = await ask(open);
  expect(outcome.outcome).toBe("completed");
  expect(lastResults(lead.model)).toContain("was canceled because it asks a person: Which harbour?");
  expect((await open.runs()).map(({ status }) => status).toSorted()).toEqual(["canceled", "completed"]);
});

it("runs workflows with the rights of the person, and no more", async () => {
  const ran = async (...scopes: readonly string[]) => {
    const lead = agent("lead", [run(tides.name), finish("So.")], { middleware: [offering(tides)] });
    const finder = agent("finder", [finish("At noon.")]);
    open = await createOrchestrator({ agents: [lead.agent, finder.agent], model: scriptedModel([]) });
    await ask(open, { caller: { id: "ann", scopes } });
    const runs = await open.runs();
    await open.close();
    return { result: lastResults(lead.model), users: runs.map(({ userId }) => userId) };
  };
  expect(await ran("agent:lead", "agent:finder")).toEqual({
    result: expect.stringContaining("At noon."),
    users: ["ann", "ann"],
  });
  const { result } = await ran("agent:lead");
  expect(result).toContain('The workflow \\"Tide report\\" ended as failed');
});

it("counts what workflows use against the limits of the agent that started them", async () => {
  const lead = agent("lead", [run(tides.name), finish("Never asked.")], {
    middleware: [offering(tides)],
    limits: { maxTotalTokens: 20_000 },
  });
  const finder = agent("finder", [{ ...finish("At noon."), usage: { inputTokens: 30_000 } }]);
  open = await createOrchestrator({ agents: [lead.agent, finder.agent], model: scriptedModel([]) });
  const { outcome } = await ask(open);
  expect(outcome.steps[0]?.error).toMatchObject({ code: "agent.budget" });
  expect(lead.model.requests).toHaveLength(1);
  const nested = (await open.runs()).find(({ runId }) => runId !== outcome.runId);
  const { limits } = (await open.export(nested?.runId ?? ""))?.spec ?? {};
  expect(limits?.maxTotalTokens).toBeGreaterThan(0);
  expect(limits?.maxTotalTokens).toBeLessThanOrEqual(20_000);
});

it("only lists workflows where no orchestrator runs the agent", async () => {
  const lead = agent("lead", [run(tides.name), finish("Ask for it.")], { middleware: [offering(tides)] });
  const events = await runAgent(lead.agent);
  expect(finishOf(events).outcome).toBe("completed");
  expect(lead.model.requests[0]?.system).toContain("You cannot run them yourself");
  expect(lead.model.requests[0]?.tools.map(({ name }) => name)).not.toContain("run_workflow");
  expect(eventsOf(events, "tool-end")).toMatchObject([{ status: "error" }]);
});

describe("an agent's process with TROUPE_ORCHESTRATOR_URL", () => {
  const lead = (url: string | undefined, home: string) =>
    startAgent(
      {
        config: {
          agent_type: "test",
          name: "lead",
          title: "Lead",
          description: "Leads.",
          system_prompt: "Work.",
        },
        playbook: (request) => {
          const [result] = toolResults(request, "run_workflow");
          const offered = request.tools.some(({ name }) => name === "run_workflow");
          if (result === undefined && offered)
            return { calls: [{ name: "run_workflow", arguments: { name: tides.name, task: "At Bergen" } }] };
          return { calls: [playbookFinish({ content: result?.text ?? "Not offered." })] };
        },
        workflows: () => [tides],
      },
      agentSettings(0).parse({ home, orchestrator_url: url }),
      { log: silentLog },
    );

  async function withLead(finder: ScriptedStep, test: (orchestrator: Orchestrator) => Promise<void>) {
    const home = await mkdtemp(join(tmpdir(), "troupe-lead-"));
    const orchestrator = await createOrchestrator({
      agents: [agent("finder", [finder]).agent],
      model: scriptedModel([]),
    });
    const served = await serveAgent({ agent: orchestrator.agent });
    const running = await lead(served.url, home);
    try {
      await orchestrator.register(running.url);
      await test(orchestrator);
    } finally {
      await running.close();
      await served.close();
      await orchestrator.close();
      await rm(home, { recursive: true, force: true });
    }
  }

  it("starts workflows there, for the same person and one level deeper", async () => {
    await withLead(finish("It is at noon."), async (orchestrator) => {
      const { outcome } = await ask(orchestrator, { user: "ann" });
      expect(outcome.response.content).toBe("It is at noon.");
      const nested = (await orchestrator.runs()).find(({ runId }) => runId !== outcome.runId);
      expect(nested).toMatchObject({ userId: "ann", objective: "At Bergen", status: "completed" });
      expect((await orchestrator.export(nested?.runId ?? "")).input).toMatchObject({
        depth: 1,
        collectionId: "sea",
      });
    });
  });

  it("cancels them there when its task is canceled", async () => {
    const begun = gate();
    const held: ScriptedStep = { ...finish("Late."), gate: gate().opened, expect: () => begun.open() };
    await withLead(held, async (orchestrator) => {
      const cancel = new AbortController();
      const asked = ask(orchestrator, { signal: cancel.signal });
      await begun.opened;
      cancel.abort(new Error("enough"));
      expect((await asked).outcome.outcome).toBe("canceled");
      const runs = await orchestrator.runs();
      expect(runs).toHaveLength(2);
      for (const { runId } of runs) expect((await orchestrator.result(runId)).outcome).toBe("canceled");
    });
  });

  it("only lists them without the address", async () => {
    const home = await mkdtemp(join(tmpdir(), "troupe-lead-"));
    const running = await lead(undefined, home);
    try {
      const remote = await connectAgent(running.url);
      const events: AgentEvent[] = [];
      for await (const event of remote.stream({ text: "When?" }, { signal: new AbortController().signal }))
        events.push(event);
      expect(finishOf(events).response.content).toBe("Not offered.");
    } finally {
      await running.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});
