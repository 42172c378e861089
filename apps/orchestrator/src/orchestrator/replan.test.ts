import { scriptedAgent, answering } from "@troupe/a2a/testing";
import { eventsOf, finishOf, runAgent, scriptedModel, type ScriptedStep } from "@troupe/core/testing";
import { playbookModel } from "@troupe/playbook";
import { EMPTY_RESPONSE, emptyTurn, reduceTurn, type AgentEvent, type Json } from "@troupe/stream";
import { planIn } from "@troupe/workflow";
import { expect, it, onTestFinished } from "vitest";

import { planText } from "../cli/render/plan-text.ts";
import { runDetailText } from "../cli/render/run-detail-text.ts";
import { createOrchestrator, type OrchestratorOptions } from "./create-orchestrator.ts";

const step = (id: string, agent: string, depends_on: readonly string[] = []) => ({
  id,
  agent,
  instruction: `Find ${id}.`,
  depends_on: [...depends_on],
  expected_output: "What was found.",
});
const plan = (...steps: readonly object[]): ScriptedStep => ({
  text: JSON.stringify({ name: "Delays", steps, final: "synthesize", refusal: "", needs: "" }),
});
const two = plan(step("causes", "documents"), step("dates", "documents"));
const asks = (...steps: readonly Json[]): ScriptedStep => ({
  calls: [{ name: "add_steps", arguments: { reason: "The documents refer to the orders.", steps } }],
});
const answers: ScriptedStep = { text: "It was the supplier." };
const orders = step("orders", "data", ["causes"]);

async function staged(script: readonly ScriptedStep[], more: Partial<OrchestratorOptions> = {}) {
  const model = scriptedModel(script);
  const agents = ["documents", "data", "deck"].map((name) =>
    scriptedAgent(() => answering([`Found by ${name}.`]), { name }),
  );
  const orchestrator = await createOrchestrator({ agents, model, ...more });
  onTestFinished(() => orchestrator.close());
  const offered = () => model.requests.map(({ tools }) => tools.map(({ name }) => name).join());
  return { model, orchestrator, agents, offered };
}

const own = (events: readonly AgentEvent[]) => events.filter(({ stepId }) => stepId === undefined);
const request = (runId: string, more: object = {}) => ({ runId, text: "Why was it late?", ...more });

it("adds one step, hands it what was found, and answers; the plan shows it everywhere", async () => {
  const { model, orchestrator, agents } = await staged([two, asks(orders), answers]);
  const events = await runAgent(orchestrator.agent, request("r"));
  expect(finishOf(own(events))).toMatchObject({
    outcome: "completed",
    response: { content: "It was the supplier." },
  });
  model.assertDone();
  expect(agents[1]?.requests.map(({ delegation }) => Object.keys(delegation?.results ?? {}))).toEqual([
    ["causes"],
  ]);

  const turn = events.reduce(reduceTurn, emptyTurn);
  const [shown] = turn.items.flatMap((item) => (item.kind === "plan" ? [item.steps] : []));
  expect(Object.entries(shown ?? {}).map(([id, { state }]) => [id, state])).toEqual([
    ["causes", "completed"],
    ["dates", "completed"],
    ["orders", "completed"],
  ]);
  const text = planText(eventsOf(own(events), "plan-update").at(-1)?.plan ?? { name: "", steps: [] });
  expect(text).toContain("  3. orders  data       Find orders.  (after causes)");
  expect(text).toContain("  Added orders: The documents refer to the orders.");
  const detail = await orchestrator.show("r");
  if (!detail) throw new Error("there is no such run");
  const look = { prices: {}, open: "", answered: () => [], answer: detail.answer, sources: "", checks: "" };
  expect(runDetailText(detail, look)).toContain("     added: The documents refer to the orders.");
});

it("tells the model to answer from the findings after the second revision", async () => {
  const { model, orchestrator, offered } = await staged([
    two,
    asks(orders),
    asks(step("slides", "deck", ["orders"])),
    answers,
  ]);
  const events = await runAgent(orchestrator.agent, request("r"));
  expect(finishOf(own(events)).outcome).toBe("completed");
  expect(offered()).toEqual(["", "add_steps", "add_steps", ""]);
  expect(JSON.stringify(model.requests[3]?.messages)).toContain("No more steps can be added.");
  model.assertDone();
});

it("sends steps that cannot run back once", async () => {
  const { model, orchestrator, agents } = await staged([
    two,
    asks(step("orders", "sales")),
    asks(orders),
    answers,
  ]);
  await runAgent(orchestrator.agent, request("r"));
  expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('there is no agent \\"sales\\"');
  expect(agents[1]?.requests).toHaveLength(1);
  model.assertDone();
});

it("adds no step of an agent that the caller may not use", async () => {
  const { model, orchestrator, agents } = await staged([two, asks(orders), answers]);
  const scopes = ["agent:documents", "agent:deck"];
  await runAgent(orchestrator.agent, request("r", { userId: "ann", scopes }));
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('\\"name\\":\\"data\\"');
  expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain("it takes the scope");
  expect(agents[1]?.requests).toEqual([]);
  model.assertDone();
});

it("asks a person about added steps where plans are approved, and takes other steps in their place", async () => {
  const { orchestrator, agents } = await staged([two, asks(orders), answers], { approvePlans: true });
  const say = async (runId: string, decision: object) => {
    const [open] = (await orchestrator.run(runId))?.requests ?? [];
    const callId = (open && planIn(open.request)?.callId) ?? "";
    const reply = { requestId: open?.request.requestId ?? "", decisions: [{ callId, ...decision }] };
    const events = await runAgent(orchestrator.agent, { ...request(runId), reply: reply as never });
    return { events, end: finishOf(own(events)) };
  };
  await runAgent(orchestrator.agent, request("r"));
  const asked = await say("r", { type: "approve" });
  expect(asked.end.outcome).toBe("input-required");
  const [waiting] = eventsOf(asked.events, "input-required");
  expect(waiting?.request).toMatchObject({
    requestId: "$plan.2",
    calls: [{ arguments: { steps: [{ id: "orders", agent: "data", depends_on: ["causes"] }] } }],
  });
  const edit = (agent: string) => ({
    type: "edit",
    arguments: {
      version: 1,
      name: "Mine",
      mode: "parallel",
      steps: [{ id: "slides", agent, instruction: "Make slides.", depends_on: ["dates"] }],
    },
  });
  const wrong = await say("r", edit("nobody"));
  expect(wrong.end).toMatchObject({ outcome: "input-required", error: { code: "input.invalid" } });
  const done = await say("r", edit("deck"));
  expect(done.end).toMatchObject({ outcome: "completed", response: { content: "It was the supplier." } });
  expect(agents[1]?.requests).toEqual([]);
  expect(agents[2]?.requests.map(({ delegation }) => delegation?.instruction)).toEqual(["Make slides."]);
  const detail = await orchestrator.show("r");
  expect(detail?.questions.map(({ request, state }) => [request.requestId, state])).toEqual([
    ["$plan", "answered"],
    ["$plan.2", "answered"],
  ]);
});

it("lets a later turn build on an added step", async () => {
  const { model, orchestrator, agents } = await staged([
    two,
    asks(orders),
    answers,
    plan({ ...step("more", "deck"), earlier: ["turn1.orders"] }, step("other", "data")),
    answers,
  ]);
  await runAgent(orchestrator.agent, request("r1", { contextId: "c" }));
  await runAgent(orchestrator.agent, { runId: "r2", text: "As slides.", contextId: "c" });
  expect(Object.keys(agents[2]?.requests[0]?.delegation?.earlier?.results ?? {})).toEqual(["turn1.orders"]);
  model.assertDone();
});

it("adds nothing to a workflow that is handed in, unless it says so, or where that is turned off", async () => {
  const workflow = {
    version: 1,
    name: "Mine",
    mode: "parallel",
    steps: [step("causes", "documents"), orders],
  };
  const fixed = { ...workflow, final: "synthesize" };
  const given = await staged([answers, answers]);
  await runAgent(given.orchestrator.agent, request("r1", { metadata: { workflow: fixed } }));
  const open = { ...fixed, max_replans: 1 };
  await runAgent(given.orchestrator.agent, request("r2", { metadata: { workflow: open } }));
  expect(given.offered()).toEqual(["", "add_steps"]);

  const off = await staged([two, answers], { maxReplans: 0 });
  await runAgent(off.orchestrator.agent, request("r"));
  expect(off.offered()).toEqual(["", ""]);
  off.model.assertDone();
});

it("asks no model again where the answer of the last step is the answer", async () => {
  const one = JSON.stringify({ name: "x", steps: [step("causes", "documents")], final: "passthrough" });
  const { model, orchestrator } = await staged([{ text: one }]);
  const planned = await runAgent(orchestrator.agent, request("r"));
  expect(finishOf(own(planned)).response.content).toBe("Found by documents.");
  model.assertDone();
});

it("is not asked for by the playbook", async () => {
  const { orchestrator } = await staged([]);
  await orchestrator.close();
  const agents = ["documents", "data"].map((name) =>
    scriptedAgent(() => answering([`Found by ${name}.`]), { name }),
  );
  const byRules = await createOrchestrator({ agents, model: playbookModel() });
  onTestFinished(() => byRules.close());
  const outcome = await byRules.executeWorkflow("Why?", {
    version: 1,
    name: "x",
    mode: "parallel",
    steps: [step("causes", "documents"), step("orders", "data")],
    max_replans: 2,
  });
  expect(outcome).toMatchObject({
    outcome: "completed",
    steps: [{ stepId: "causes" }, { stepId: "orders" }],
  });
  expect(outcome.revisions).toBeUndefined();
  expect(outcome.response).toMatchObject({
    ...EMPTY_RESPONSE,
    is_task_complete: true,
    content: expect.stringContaining("Found by data.") as string,
  });
});
