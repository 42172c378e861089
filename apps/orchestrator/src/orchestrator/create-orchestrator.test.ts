import { serveAgent } from "@troupe/a2a/server";
import { answering as oneAnswer, scriptedAgent } from "@troupe/a2a/testing";
import { createAgent, type RunnableAgent } from "@troupe/core";
import {
  eventsOf,
  finishCall,
  finishOf,
  runAgent,
  scriptedModel,
  serveHttp,
  virtualClock,
  type ScriptedStep,
} from "@troupe/core/testing";
import type { WorkflowOrSteps } from "@troupe/workflow";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import { createOrchestrator } from "./create-orchestrator.ts";
import type { Orchestrator } from "./orchestrator.ts";

let open: Orchestrator | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** An agent that gives its answers in turn and remembers what it was asked. */
function answering(name: string, ...answers: readonly (string | ScriptedStep)[]) {
  const model = scriptedModel(
    answers.map((answer) => (typeof answer === "string" ? { calls: [finishCall(answer)] } : answer)),
  );
  const agent = createAgent(
    { agent_type: "test", name, title: name, description: `Answers as ${name}.`, system_prompt: "Test." },
    { model },
  );
  return { agent, model };
}

async function orchestrate(
  agents: readonly RunnableAgent[],
  planner: readonly ScriptedStep[] = [],
): Promise<Orchestrator> {
  open = await createOrchestrator({ agents, model: scriptedModel(planner) });
  return open;
}

const lastPrompt = (model: {
  readonly requests: readonly { readonly messages: readonly object[] }[];
}): string => JSON.stringify(model.requests.at(-1)?.messages.at(-1));

describe("an agent's card", () => {
  it("leads to no address inside but the agent's own and those that are allowed", async () => {
    let asked = 0;
    const inside = await serveHttp((_request, response) => {
      asked++;
      response.writeHead(500).end();
    });
    const agent = await serveHttp((_request, response) => {
      response.end(JSON.stringify(cardAt(inside.url)));
    });
    const run = async (allowedOrigins: readonly string[]) => {
      open = await createOrchestrator({ agents: [agent.url], model: scriptedModel([]), allowedOrigins });
      const outcome = await open.runSequential("Go.", ["leading"]);
      await open.close();
      return outcome;
    };
    try {
      const refused = await run([]);
      expect([refused.outcome, refused.steps[0]?.error?.code, asked]).toEqual([
        "failed",
        "network.refused",
        0,
      ]);
      expect(refused.steps[0]?.error?.message).toContain("TROUPE_ALLOWED_ORIGINS");
      await run([inside.url]);
      expect(asked).toBeGreaterThan(0);
    } finally {
      agent.close();
      inside.close();
    }
  });
});

const cardAt = (url: string) => ({
  name: "leading",
  description: "Leads elsewhere.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
});

describe("createOrchestrator", () => {
  it("runs agents one after the other, each with the answer of the one before", async () => {
    const first = answering("first", "Tides are rising.");
    const second = answering("second", "So build higher.");
    const orchestrator = await orchestrate([first.agent, second.agent]);
    const outcome = await orchestrator.runSequential("What about tides?", ["first", "second"]);
    expect(outcome.outcome).toBe("completed");
    expect(outcome.response.content).toBe("So build higher.");
    expect(lastPrompt(second.model)).toContain("Tides are rising.");
    expect(lastPrompt(first.model)).not.toContain("So build higher.");
  });

  it("runs agents at the same time without showing them each other's work", async () => {
    const first = answering("first", "One.");
    const second = answering("second", "Two.");
    const synthesis: ScriptedStep = { text: "One and two." };
    const orchestrator = await orchestrate([first.agent, second.agent], [synthesis]);
    const outcome = await orchestrator.runParallel("Count.", ["first", "second"]);
    expect(outcome.steps.map((step) => [step.stepId, step.answer])).toEqual([
      ["first", "One."],
      ["second", "Two."],
    ]);
    expect(lastPrompt(second.model)).not.toContain("One.");
    expect(outcome.response.content).toBe("One and two.");
  });

  it("gives each agent its own task when there is a list of them", async () => {
    const first = answering("first", "One.");
    const second = answering("second", "Two.");
    const orchestrator = await orchestrate([first.agent, second.agent], [{ text: "One and two." }]);
    const outcome = await orchestrator.runParallel(["first", "second"], ["Count apples.", "Count pears."]);
    expect(outcome.response.content).toBe("One and two.");
    expect(lastPrompt(first.model)).toContain("Count apples.");
    expect(lastPrompt(second.model)).toContain("Count pears.");
  });

  it("refuses a list of tasks that does not fit the agents", async () => {
    const orchestrator = await orchestrate([answering("first").agent, answering("second").agent]);
    await expect(orchestrator.runParallel(["first", "second"], ["Count."])).rejects.toThrow(
      "The numbers of agents (2) and tasks (1) differ. Give a list with one task for each agent, in the same order.",
    );
    await expect(orchestrator.runParallel([], [])).rejects.toThrow(
      "The list of agents is empty. Name at least one agent.",
    );
    await expect(orchestrator.runParallel(["first", "second"], "Count." as never)).rejects.toThrow(
      "A list of agents needs a list with one task for each. For one task that all agents get, call runParallel(task, agents).",
    );
    await expect(orchestrator.runParallel(["first"], [" "])).rejects.toThrow(
      'Task 1, for "first", must be a text that is not empty.',
    );
  });

  it("runs a plain list of steps as a sequential workflow named after the task", async () => {
    const first = answering("first", "Tides are rising.");
    const second = answering("second", "So build higher.");
    const orchestrator = await orchestrate([first.agent, second.agent]);
    const steps = [
      { agent: "first", instruction: "Look." },
      { agent: "second", instruction: "Conclude.", depends_on: ["first"] },
    ];
    const outcome = await orchestrator.executeWorkflow("What about tides?", steps);
    expect(outcome.response.content).toBe("So build higher.");
    expect((await orchestrator.runs({ limit: 1 }))[0]?.name).toBe("What about tides?");
  });

  it.each([
    [
      [{ agent: "good", instruction: "Go.", retry: { attempts: 99 } }],
      "step 1 (good), retry.attempts: must be at most 10, not 99",
    ],
    [
      [{ id: "look", agent: "good", instructions: "Go." }],
      'step "look": unknown key "instructions". Did you mean "instruction"?',
    ],
    [[], 'workflow "Go." has no steps; add at least one'],
    [["good"], "step 1: Invalid input: expected object, received string"],
  ])("names the step of a list that cannot be read: %j", async (steps, issue) => {
    const orchestrator = await orchestrate([answering("good").agent]);
    await expect(orchestrator.executeWorkflow("Go.", steps as WorkflowOrSteps)).rejects.toThrow(issue);
  });

  it("keeps the work of the others when one fails, and never calls that completed", async () => {
    const good = answering("good", "Fine.");
    const bad = answering("bad", { stop: "refusal" });
    const orchestrator = await orchestrate([good.agent, bad.agent]);
    const outcome = await orchestrator.executeWorkflow("Try.", {
      version: 1,
      name: "Two",
      mode: "parallel",
      steps: [
        { agent: "good", instruction: "Try.", on_failure: "continue" },
        { agent: "bad", instruction: "Try.", on_failure: "continue" },
      ],
      final: "synthesize",
    });
    expect(["partial", "failed"]).toContain(outcome.outcome);
    expect(outcome.steps[0]).toMatchObject({ stepId: "good", outcome: "completed", answer: "Fine." });
    expect(outcome.steps[1]).toMatchObject({ stepId: "bad", outcome: "failed" });
  });

  it("names step and rule of a workflow that cannot run", async () => {
    const orchestrator = await orchestrate([answering("good").agent]);
    const workflow = { version: 1 as const, name: "Bad", steps: [{ id: "one", agent: "godo" }] };
    await expect(orchestrator.executeWorkflow("Try.", workflow)).rejects.toMatchObject({
      code: "input.invalid",
    });
    await expect(orchestrator.executeWorkflow("Try.", workflow)).rejects.toThrow(
      /step "one" \(unknown-agent\).*good/s,
    );
  });

  it("does not call an agent unknown while one does not answer", async () => {
    const clock = virtualClock();
    open = await createOrchestrator({ agents: ["http://127.0.0.1:1"], model: scriptedModel([]), clock });
    const workflow = { version: 1 as const, name: "Far", steps: [{ id: "one", agent: "far" }] };
    let refused: unknown;
    open.executeWorkflow("Try.", workflow).catch((error: unknown) => (refused = error));
    const look = (): Promise<unknown> => clock.advance(1_000).then(() => refused);
    await expect.poll(look, { interval: 1, timeout: 20_000 }).toMatchObject({
      code: "agent.unreachable",
      message: expect.stringMatching(/step "one".*http:\/\/127\.0\.0\.1:1/),
    });
  });

  it("waits for an agent that starts at the same moment, before it plans for it or refuses its workflow", async () => {
    const agent = scriptedAgent(() => oneAnswer(["Here I am."]), { name: "late" });
    const place = await serveAgent({ agent });
    await place.close();
    const steps = [{ agent: "late", instruction: "Say hello." }];
    const workflow = { version: 1 as const, name: "Late", steps };
    open = await createOrchestrator({ agents: [place.url], model: scriptedModel([]) });
    const planned = open.planWorkflow("Say hello.");
    const ran = open.executeWorkflow("Say hello.", workflow);
    // Somebody has looked for it in vain.
    expect(await open.agents()).toMatchObject([{ status: "down" }]);
    const served = await serveAgent({ agent, port: Number(new URL(place.url).port) });
    onTestFinished(() => served.close());
    expect(await planned).toMatchObject({ steps: [{ agent: "late" }] });
    expect(await ran).toMatchObject({ outcome: "completed", response: { content: "Here I am." } });
  });

  it("refuses a second agent of the same name and an empty task", async () => {
    const orchestrator = await orchestrate([answering("good").agent]);
    await expect(orchestrator.register(answering("good").agent)).rejects.toThrow('"good" already');
    await expect(orchestrator.planWorkflow("  ")).rejects.toThrow("The task is empty");
  });

  it("can be used by an agent registered later, and knows its runs", async () => {
    const orchestrator = await orchestrate([]);
    await orchestrator.register(answering("late", "Here.").agent);
    const outcome = await orchestrator.runSequential({ description: "Hello", task_id: "t-1" }, ["late"]);
    expect(outcome.runId).toBe("t-1");
    expect((await orchestrator.runs()).map((run) => [run.runId, run.status, run.objective])).toEqual([
      ["t-1", "completed", "Hello"],
    ]);
    for (const filter of [{}, { status: ["completed"] }] as const) {
      expect(await orchestrator.runs({ ...filter, limit: 2 ** 40 })).toHaveLength(1);
      await expect(orchestrator.runs({ ...filter, limit: 0 })).rejects.toMatchObject({
        code: "input.invalid",
        message: '"0" is no number of runs. Ask for 1 or more.',
      });
    }
  });

  it("hands on what a watcher throws, and the run goes on", async () => {
    const orchestrator = await orchestrate([answering("good", "Fine.").agent]);
    const watched = orchestrator.executeWorkflow(
      { description: "Try.", task_id: "t-2" },
      { version: 1, name: "Try", steps: [{ agent: "good", instruction: "Try." }] },
      undefined,
      {
        onEvent: () => {
          throw new Error("the screen is gone");
        },
      },
    );
    await expect(watched).rejects.toThrow("the screen is gone");
    await expect.poll(async () => (await orchestrator.run("t-2"))?.outcome).toBe("completed");
  });

  it("works in the name of a caller, and on no agent that they may not use", async () => {
    const river = answering("river", "High.");
    const rain = answering("rain");
    const orchestrator = await orchestrate([river.agent, rain.agent]);
    const steps = ["river", "rain"].map((agent) => ({ agent, instruction: "Report." }));
    const outcome = await orchestrator.executeWorkflow(
      { description: "Report.", user_id: "root" },
      { version: 1, name: "Report", mode: "parallel", steps, final: "synthesize" },
      undefined,
      { caller: { id: "ann", scopes: ["agent:river", "agent:orchestrator"] } },
    );
    expect(outcome.outcome).toBe("partial");
    expect(outcome.steps.map(({ agent, error }) => [agent, error?.code])).toEqual([
      ["river", undefined],
      ["rain", "agent.forbidden"],
    ]);
    expect(await orchestrator.run(outcome.runId)).toMatchObject({ userId: "ann" });
    const mayUse = await orchestrator.agents({ id: "ann", scopes: ["agent:rain"] });
    expect(mayUse.map(({ name }) => name)).toEqual(["rain"]);
  });

  it("cancels a run and its agents", async () => {
    const never = answering("never", { gate: new Promise(() => undefined), text: "x" });
    const orchestrator = await orchestrate([never.agent]);
    const abort = new AbortController();
    const outcome = await orchestrator.executeWorkflow(
      "Wait.",
      { version: 1, name: "Wait", steps: [{ agent: "never", instruction: "Wait." }] },
      undefined,
      { signal: abort.signal, onEvent: (event) => event.type === "text-start" || abort.abort() },
    );
    expect(outcome.outcome).toBe("canceled");
  });
});

describe("the orchestrator as an agent", () => {
  const human = {
    version: 1,
    name: "Ask",
    mode: "sequential",
    steps: [
      {
        id: "who",
        kind: "human",
        instruction: "Who?",
        form: { title: "Who is it for?", fields: [{ field_name: "audience" }] },
      },
      { id: "write", agent: "writer", instruction: "Write." },
    ],
  };

  it("shows the plan first, then the steps, and reports them at the end", async () => {
    const orchestrator = await orchestrate([answering("writer", "Done.").agent]);
    const workflow = { version: 1, name: "Write", steps: [{ agent: "writer", instruction: "Write." }] };
    const events = await runAgent(orchestrator.agent, { text: "Write.", metadata: { workflow } });
    expect(events[0]?.type).toBe("plan-update");
    expect(eventsOf(events, "step-status").map((event) => event.state)).toContain("completed");
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    const end = events.at(-1);
    expect(end).toMatchObject({ type: "finish", outcome: "completed", response: { content: "Done." } });
    expect(end).toMatchObject({
      response: { data: { steps: [{ id: "writer", agent: "writer", outcome: "completed" }] } },
    });
  });

  it("ends the turn to ask a person, and goes on with the answer", async () => {
    const writer = answering("writer", "For the board.");
    const orchestrator = await orchestrate([writer.agent]);
    const asked = await runAgent(orchestrator.agent, {
      runId: "r1",
      text: "Write.",
      metadata: { workflow: human },
    });
    expect(asked.at(-1)).toMatchObject({ type: "finish", outcome: "input-required" });
    const [request] = eventsOf(asked, "input-required");
    const requestId = request?.request.requestId ?? "";
    const wrong = await runAgent(orchestrator.agent, {
      runId: "r1",
      reply: { requestId, values: { audience: 7 } },
    });
    expect(eventsOf(wrong, "input-required")).toMatchObject([{ stepId: "who", request: { requestId } }]);
    expect(finishOf(wrong)).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
    const done = await runAgent(orchestrator.agent, {
      runId: "r1",
      reply: { requestId, values: { audience: "Board" } },
    });
    expect(done.at(-1)).toMatchObject({ outcome: "completed", response: { content: "For the board." } });
    expect(lastPrompt(writer.model)).toContain("Board");
  });

  it("asks two people at the same time and, answered by one, asks only the other again", async () => {
    const [who] = human.steps;
    const steps = [
      { ...who, id: "reader" },
      { ...who, id: "editor" },
      { id: "write", agent: "writer", instruction: "Write.", depends_on: ["reader", "editor"] },
    ];
    const orchestrator = await orchestrate([answering("writer", "For both.").agent]);
    const workflow = { ...human, mode: "parallel", steps };
    const first = await runAgent(orchestrator.agent, { runId: "r2", text: "Write.", metadata: { workflow } });
    expect(finishOf(first).response.metadata.input_fields).toHaveLength(2);
    const reply = (requestId: string) =>
      runAgent(orchestrator.agent, { runId: "r2", reply: { requestId, values: { audience: "Board" } } });
    const second = await reply("reader");
    expect(finishOf(second)).toMatchObject({ outcome: "input-required" });
    // Whoever reads this turn alone knows what it waits for.
    expect(eventsOf(second, "input-required")).toMatchObject([{ stepId: "editor", attempt: 1 }]);
    expect(finishOf(second).response.metadata.input_fields).toHaveLength(1);
    expect(finishOf(await reply("nobody"))).toMatchObject({
      outcome: "input-required",
      error: { message: expect.stringContaining('does not ask "nobody"') },
    });
    const third = await reply("editor");
    expect(third.at(-1)).toMatchObject({ outcome: "completed", response: { content: "For both." } });
    // Too late to be taken; the task is one of this run, and has its result.
    expect((await reply("editor")).at(-1)).toMatchObject({
      outcome: "completed",
      response: { content: "For both." },
    });
  });

  it("cancels a run that asks, also where the task is canceled while a reply is refused", async () => {
    const orchestrator = await orchestrate([answering("writer", "Never.").agent]);
    await runAgent(orchestrator.agent, { runId: "r3", text: "Write.", metadata: { workflow: human } });
    const reply = { requestId: "nobody", values: {} };
    const events = await runAgent(
      orchestrator.agent,
      { runId: "r3", reply },
      { signal: AbortSignal.abort(new Error("enough")) },
    );
    expect(finishOf(events)).toMatchObject({ outcome: "canceled" });
    expect(await orchestrator.run("r3")).toMatchObject({ outcome: "canceled", requests: [] });
  });

  it("answers a request for a plan with the plan and runs nothing", async () => {
    const plan = JSON.stringify({
      version: 1,
      name: "P",
      steps: [
        { agent: "a", instruction: "A." },
        { agent: "b", instruction: "B." },
      ],
    });
    const orchestrator = await orchestrate([answering("a").agent, answering("b").agent], [{ text: plan }]);
    const events = await runAgent(orchestrator.agent, { text: "Do it.", metadata: { plan_only: true } });
    expect(finishOf(events)).toMatchObject({ outcome: "completed" });
    expect(finishOf(events).response.content).toContain("agent: a");
    expect(await orchestrator.runs()).toEqual([]);
  });

  it("fails with a code and a sentence when there is no plan", async () => {
    const orchestrator = await orchestrate([]);
    const events = await runAgent(orchestrator.agent, { text: "Do it." });
    expect(finishOf(events)).toMatchObject({ outcome: "failed", error: { code: "workflow.no-agent" } });
  });
});
