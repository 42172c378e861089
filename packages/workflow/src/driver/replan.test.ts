import type { Model } from "@troupe/core";
import { scriptedModel, type ScriptedStep } from "@troupe/core/testing";
import { NO_USAGE, type AgentEvent, type Decision, type Json } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { answerSignal } from "../engine/answer-signal.ts";
import { answerValue } from "../engine/answer-value.ts";
import { eventsSoFar } from "../engine/events-so-far.ts";
import { planIn } from "../engine/plan-request.ts";
import type { RunInput } from "../engine/run.ts";
import { ADD_STEPS, NO_MORE_STEPS } from "../planner/add-steps.ts";
import { describeRun } from "../runs/describe-run.ts";
import { exportRun } from "../runs/export-run.ts";
import { replayRun } from "../runs/replay-run.ts";
import { ranSpec, retryInput } from "../runs/retry-input.ts";
import { normalizeWorkflow } from "../schema/normalize.ts";
import { agentEntry, tryWorkflow, type WorkflowTrial } from "../testing/index.ts";
import type { AgentScript } from "../testing/scripted-gateway.ts";
import type { DagDriverOptions } from "./options.ts";

const RUN = "run-1";
const step = (id: string, more: object = {}) => ({ id, agent: id, instruction: `do ${id}`, ...more });
const planned = { mode: "parallel" as const, steps: [step("a"), step("b")], max_replans: 2 };
const team = ["a", "b", "c", "d"].map((name) => agentEntry(name, [name]));
const replan: DagDriverOptions["replan"] = {
  team: async () => ({
    agents: [...team, agentEntry("down", ["x"], { status: "down", reason: "it does not answer" })],
    forbidden: [agentEntry("secret", ["x"])],
  }),
  normalize: (workflow) => normalizeWorkflow(workflow),
};
const usage = { inputTokens: 10, outputTokens: 1, modelCalls: 1 };

/** A step as a model asks for it. */
const wanted = (id: string, more: object = {}): Json => ({
  id,
  agent: id,
  instruction: `do ${id}`,
  depends_on: ["a"],
  expected_output: "",
  ...more,
});
const asks = (...steps: readonly Json[]): ScriptedStep => ({
  calls: [{ name: ADD_STEPS, arguments: { reason: "The figures are missing.", steps } }],
  usage,
});
const answers: ScriptedStep = { text: "All of it.", usage };

const quick: AgentScript = () => ({ ms: 100 });
const begin = (
  model: Model,
  more: {
    readonly workflow?: object;
    readonly script?: AgentScript;
    readonly input?: Partial<RunInput>;
  } = {},
): Promise<WorkflowTrial> =>
  tryWorkflow({ ...planned, ...more.workflow }, more.script ?? quick, {
    model,
    replan,
    ...(more.input && { input: more.input }),
  });

const plans = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "plan-update" ? event.plan : []));
const sent = ({ gateway }: WorkflowTrial) => gateway.calls.map(({ request }) => request.messageId);
const offered = (model: ReturnType<typeof scriptedModel>) =>
  model.requests.map(({ tools }) => tools.map(({ name }) => name).join());
const textsOf = (model: ReturnType<typeof scriptedModel>, at: number) =>
  model.requests[at]?.messages.flatMap((message) =>
    message.role === "tool" ? message.results.map(({ text }) => text) : message.text,
  ) ?? [];

describe("a run whose plan may be revised", () => {
  it("runs the steps that the model asks for, with the results they depend on, and answers from all", async () => {
    const model = scriptedModel([asks(wanted("c")), answers]);
    const trial = await begin(model);
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      response: { content: "All of it." },
      answerFrom: ["a", "b", "c"],
      revisions: [{ reason: "The figures are missing.", steps: [{ id: "c", agent: "c" }] }],
      usage: { inputTokens: 20, outputTokens: 2, modelCalls: 2 },
    });
    expect(sent(trial)).toEqual(["run-1/a#1", "run-1/b#1", "run-1/c#1"]);
    const { results } = trial.gateway.calls[2]?.request.delegation ?? {};
    expect(Object.keys(results ?? {})).toEqual(["a"]);
    expect(results?.["a"]?.answer).toBe("do a");
    expect(plans(trial.events()).map(({ steps }) => steps.map(({ id }) => id))).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
    ]);
    expect(plans(trial.events()).at(-1)?.revisions).toEqual([
      { reason: "The figures are missing.", steps: ["c"] },
    ]);
    expect((await trial.engine.get(RUN))?.steps.map(({ id, state }) => [id, state])).toEqual([
      ["a", "completed"],
      ["b", "completed"],
      ["c", "completed"],
    ]);
    expect(textsOf(model, 0).join("\n")).toMatch(/Agents for more steps[^]*"name":"c"/);
    expect(textsOf(model, 0).join("\n")).not.toContain('"name":"down"');
    expect(textsOf(model, 1).join("\n")).toContain("- c: The figures are missing.");
    model.assertDone();
  });

  it("shows the reason of each added step, and is replayed and retried with the added steps", async () => {
    const trial = await begin(scriptedModel([asks(wanted("c")), answers]));
    const outcome = await trial.outcome();
    const [view, recorded] = await Promise.all([trial.engine.get(RUN), trial.engine.recorded(RUN)]);
    if (!view || !recorded) throw new Error("it is not on record");
    const events = await eventsSoFar(trial.engine.events, RUN);
    const detail = describeRun({ view, events, recorded });
    expect(detail.steps.map(({ id, addedFor }) => [id, addedFor])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", "The figures are missing."],
    ]);
    expect(detail.synthesis?.total.modelCalls).toBe(2);
    const file = exportRun({ view, recorded, events }, (text) => text);
    expect(await replayRun(file)).toMatchObject({ result: "same", differences: [] });
    const spec = ranSpec({ spec: recorded.spec, outcome });
    expect(spec.steps.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    const again = retryInput({ spec: recorded.spec, input: { objective: "x" }, outcome }, "c");
    expect(Object.keys(again.kept ?? {})).toEqual(["a", "b"]);
  });

  it("adds steps at most twice, then has the model answer from the findings", async () => {
    const model = scriptedModel([asks(wanted("c")), asks(wanted("d")), answers]);
    const trial = await begin(model);
    expect(await trial.outcome()).toMatchObject({
      outcome: "completed",
      revisions: [{ steps: [{ id: "c" }] }, { steps: [{ id: "d" }] }],
    });
    expect(offered(model)).toEqual([ADD_STEPS, ADD_STEPS, ""]);
    expect(textsOf(model, 2).at(-1)).toContain(NO_MORE_STEPS);
    model.assertDone();
  });

  it("sends a bad request for steps back once with all that is wrong", async () => {
    const bad = asks(
      wanted("c", { agent: "nobody" }),
      wanted("d", { agent: "down" }),
      wanted("a"),
      wanted("e", { agent: "secret", depends_on: ["f"] }),
    );
    const model = scriptedModel([bad, asks(wanted("c")), answers]);
    const trial = await begin(model);
    expect((await trial.outcome()).revisions).toHaveLength(1);
    const error = textsOf(model, 1).at(-1) ?? "";
    expect(error).toContain('agent "down" cannot be used now: it does not answer');
    expect(error).toContain('agent "secret" cannot be used now: it takes the scope');
    expect(error).toContain(`Call ${ADD_STEPS} again without that error, or answer.`);
    model.assertDone();
  });

  it.each([
    ["an agent that is not there", [wanted("c", { agent: "nobody" })], 'there is no agent "nobody"'],
    [
      "an agent with a name like no other",
      [wanted("c", { agent: "xxxx" })],
      'there is no agent "xxxx". Known: a, b, c, d.',
    ],
    ["the id of another step", [wanted("a", { agent: "c" })], 'two steps have the id "a"'],
    [
      "what was asked already",
      [wanted("x", { agent: "b", instruction: "do b", depends_on: [] })],
      "the same",
    ],
    ["no steps", [], '"steps" is empty'],
    [
      "steps that wait for each other",
      [wanted("c", { depends_on: ["d"] }), wanted("d", { depends_on: ["c"] })],
      "wait for each other",
    ],
    [
      "more steps than a run may have",
      Array.from({ length: 99 }, (_, at) => wanted(`c${at}`)),
      "100 entries",
    ],
  ])("refuses %s, and takes the answer after the second such request", async (_, steps, error) => {
    const model = scriptedModel([asks(...steps), asks(...steps), answers]);
    const trial = await begin(model);
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "All of it." } });
    expect(outcome.revisions).toBeUndefined();
    expect(textsOf(model, 1).at(-1)).toContain(error);
    expect(textsOf(model, 2).at(-1)).toContain(error);
    expect(textsOf(model, 2).at(-1)).toContain(NO_MORE_STEPS);
    expect(offered(model)).toEqual([ADD_STEPS, ADD_STEPS, ""]);
    model.assertDone();
  });

  it("runs added steps after a step that stopped the plan, and none that depend on what failed", async () => {
    const script: AgentScript = (_request, agent) =>
      agent === "a"
        ? { result: { outcome: "failed", answer: "", error: { code: "agent.failed", message: "no" } } }
        : { ms: 100 };
    const model = scriptedModel([asks(wanted("c")), asks(wanted("c", { depends_on: ["b"] })), answers]);
    const trial = await begin(model, { script });
    const outcome = await trial.outcome();
    expect(textsOf(model, 1).at(-1)).toContain('step "c" depends on "a", which has no result (failed)');
    expect(outcome.steps.map(({ stepId, state }) => [stepId, state])).toEqual([
      ["a", "failed"],
      ["b", "completed"],
      ["c", "completed"],
    ]);
    expect(outcome).toMatchObject({ outcome: "partial", answerFrom: ["b", "c"] });
  });

  it("keeps the answer of the steps before where an added step fails", async () => {
    const script: AgentScript = (_request, agent) =>
      agent === "c"
        ? { result: { outcome: "failed", answer: "", error: { code: "agent.failed", message: "no luck" } } }
        : { ms: 100 };
    const model = scriptedModel([asks(wanted("c")), { text: "What a and b found.", usage }]);
    const trial = await begin(model, { script });
    expect(await trial.outcome()).toMatchObject({
      outcome: "partial",
      response: { content: "What a and b found." },
      answerFrom: ["a", "b"],
    });
    expect(textsOf(model, 1).join("\n")).toContain("- c (c): failed: no luck");
  });

  it("joins what was found where the model fails after the added steps", async () => {
    const model = scriptedModel([asks(wanted("c")), { fail: new Error("gone") }]);
    const outcome = await (await begin(model)).outcome();
    expect(outcome).toMatchObject({ outcome: "partial", revisions: [{ steps: [{ id: "c" }] }] });
    expect(outcome.response.content).toContain("do c");
  });

  it("takes back the text that was written before the call, and reads a call that was written as text", async () => {
    const { arguments: args } = asks(wanted("c")).calls?.[0] ?? { arguments: null };
    const first = { ...asks(wanted("c")), text: "So far: a." };
    const second = {
      text: JSON.stringify({ name: ADD_STEPS, arguments: { ...(args as object), steps: [wanted("d")] } }),
    };
    const trial = await begin(scriptedModel([first, second, answers]));
    const outcome = await trial.outcome();
    expect(outcome.revisions?.map(({ steps }) => steps.map(({ id }) => id))).toEqual([["c"], ["d"]]);
    expect(outcome.response.content).toBe("All of it.");
    const superseded = trial
      .events()
      .flatMap((event) => (event.type === "attempt-start" ? (event.items ?? []) : []));
    expect(superseded).toEqual(["answer-x", "answer-2-x"]);
  });

  const args = { reason: "The figures are missing.", steps: [wanted("c")] };
  it.each([
    ["the arguments alone", JSON.stringify(args)],
    ["Python", `add_steps(reason="The figures are missing.", steps=${JSON.stringify(args.steps)})`],
  ])("adds steps that a model asks for in text as %s", async (_, text) => {
    const outcome = await (await begin(scriptedModel([{ text }, answers]))).outcome();
    expect(outcome.revisions).toMatchObject([{ steps: [{ id: "c" }] }]);
    expect(outcome.response.content).toBe("All of it.");
  });

  it("sends back a call written as text that cannot be read, and takes task and name of a step", async () => {
    const text = "<tool_call>{'name': 'add_steps', 'arguments': {}}</tool_call>";
    const named = { name: "c", agent: "c", task: "do c", depends_on: ["a"] };
    const model = scriptedModel([{ text }, asks(named), answers]);
    const added = { steps: [{ id: "c", instruction: "do c" }] };
    expect((await (await begin(model)).outcome()).revisions).toMatchObject([added]);
    expect(textsOf(model, 1).at(-1)).toContain("These steps cannot be added:\nit is not JSON");
  });

  it.each([
    ["after two that were refused", [{ agent: "nobody" }, { agent: "nobody" }, {}]],
    ["after the last that may be added", [{}, { id: "d", agent: "d" }, { id: "e", agent: "a" }]],
  ])("never shows a call that a model writes as text %s as the answer", async (_, steps) => {
    const written = steps.map((more) => ({
      text: JSON.stringify({ name: ADD_STEPS, arguments: { ...args, steps: [wanted("c", more)] } }),
    }));
    const outcome = await (await begin(scriptedModel(written))).outcome();
    expect(outcome.outcome).toBe("partial");
    expect(outcome.response.content).toContain("## A\n\ndo a");
    expect(outcome.response.content).not.toContain("steps");
  });

  it("does not take an announcement for the answer after a call in text that was refused", async () => {
    const data = { tables: [{ id: "t", columns: ["n"], rows: [[7]] }] };
    const script: AgentScript = () => ({ result: { answer: "Seven.", data } });
    const refused = JSON.stringify({ ...args, steps: [wanted("c", { agent: "nobody" })] });
    const texts = [refused, "I will now combine everything.", "There are 7."];
    const model = scriptedModel(texts.map((text) => ({ text })));
    const outcome = await (await begin(model, { script })).outcome();
    expect(outcome).toMatchObject({ outcome: "completed", response: { content: "There are 7." } });
    model.assertDone();
  });

  it("bounds what asking and the added steps use by the limit of the run", async () => {
    const script: AgentScript = () => ({ result: { usage: { ...NO_USAGE, outputTokens: 30 } } });
    const model = scriptedModel([{ ...asks(wanted("c")), usage: { ...usage, inputTokens: 900 } }]);
    const trial = await begin(model, { script, workflow: { limits: { max_total_tokens: 1_000 } } });
    const outcome = await trial.outcome();
    expect(trial.gateway.calls[2]?.request.delegation.limits.maxTotalTokens).toBe(39);
    expect(outcome).toMatchObject({ outcome: "partial", error: { code: "workflow.budget" } });
    expect(outcome.response.content).toContain("do c");
  });

  it("gives the added steps up at the deadline of the run, and keeps the rest", async () => {
    const script: AgentScript = (_request, agent) => (agent === "c" ? { never: true } : { ms: 100 });
    const trial = await begin(scriptedModel([asks(wanted("c"))]), {
      script,
      workflow: { deadline_seconds: 60 },
    });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({ outcome: "partial", error: { code: "workflow.deadline" } });
    expect(outcome.response.content).toBe("## A\n\ndo a\n\n## B\n\ndo b");
  });

  it("is canceled while added steps run", async () => {
    const script: AgentScript = (_request, agent) => (agent === "c" ? { never: true } : { ms: 100 });
    const trial = await begin(scriptedModel([asks(wanted("c"))]), { script });
    await trial.clock.advance(1_000);
    await trial.engine.cancel(RUN, "enough");
    const canceled = { outcome: "canceled", revisions: [{ steps: [{ id: "c" }] }] };
    expect(await trial.outcome()).toMatchObject(canceled);
    expect(trial.gateway.canceled).toHaveLength(1);
  });
});

it("offers no steps to the model that writes the answer of a fixed plan, and asks none where a step answers", async () => {
  const model = scriptedModel([answers]);
  const trial = await tryWorkflow({ mode: "parallel", steps: planned.steps }, quick, { model, replan });
  expect((await trial.outcome()).outcome).toBe("completed");
  expect(offered(model)).toEqual([""]);
  expect(model.requests[0]?.system).not.toContain(ADD_STEPS);
  expect(textsOf(model, 0)).toEqual(["the objective", expect.any(String), expect.any(String)]);
  const one = await tryWorkflow({ steps: [step("a")] }, quick, { model: scriptedModel([]), replan });
  expect(await one.outcome()).toMatchObject({ outcome: "completed", response: { content: "do a" } });
});

it("resumes with the same added steps, without asking the model again, wherever it is cut", async () => {
  const script: AgentScript = () => ({ ms: 300 });
  const model = () => scriptedModel([asks(wanted("c")), answers]);
  const whole = await begin(model(), { script });
  const expected = await whole.outcome();
  const entries = whole.journal.names(RUN);
  expect(entries).toContain("synthesize.2");
  for (let cut = 0; cut <= 1_000; cut += 50) {
    const asked = model();
    let trial = await begin(asked, { script });
    await trial.clock.advance(cut);
    trial = await trial.crash();
    await trial.clock.advance(30);
    trial = await trial.crash();
    expect(await trial.outcome()).toEqual({
      ...expected,
      steps: expect.any(Array) as unknown,
      citations: [],
    });
    expect(sent(trial)).toEqual(sent(whole));
    expect(trial.journal.names(RUN).toSorted()).toEqual(entries.toSorted());
    asked.assertDone();
  }
});

describe("where the plan of a run is approved by a person", () => {
  const approval = { workflow: { name: "trial" }, given: true as const };
  const begun = async (model: Model, more: object = {}) => {
    const trial = await begin(model, { input: { approval: { ...approval, ...more } } });
    await trial.clock.advance(1_000);
    return trial;
  };
  const question = async ({ engine }: WorkflowTrial) => {
    const [open, ...others] = (await engine.get(RUN))?.requests ?? [];
    if (open === undefined || others.length > 0) throw new Error("no steps are asked about");
    return open.request;
  };
  const say = async (trial: WorkflowTrial, decision: object, spec?: Parameters<typeof answerValue>[2]) => {
    const request = await question(trial);
    const decisions = [{ callId: planIn(request)?.callId ?? "", ...decision } as Decision];
    const { requestId } = request;
    const value = answerValue({ requestId, decisions }, { at: 5, through: "cli" }, spec);
    await trial.engine.signal(RUN, answerSignal(requestId), value, { idempotencyKey: requestId });
  };

  it("asks about added steps too, over a restart, and runs them once they are approved", async () => {
    const first = await begun(scriptedModel([asks(wanted("c")), answers]));
    expect(sent(first)).toHaveLength(2);
    const trial = await first.crash(86_400_000);
    const request = await question(trial);
    expect(request.requestId).toBe("$plan.2");
    expect(planIn(request)?.arguments).toMatchObject({ steps: [{ id: "c", depends_on: ["a"] }] });
    await say(trial, { type: "approve" });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      revisions: [{ steps: [{ id: "c" }], approved: { requestId: "$plan.2", through: "cli" } }],
    });
    expect(plans(trial.events()).at(-1)?.revisions).toMatchObject([{ approval: { through: "cli" } }]);
    expect((await trial.engine.get(RUN))?.requests).toEqual([]);
  });

  it("answers from the findings if the person rejects them, and asks for no more", async () => {
    const model = scriptedModel([asks(wanted("c")), answers]);
    const trial = await begun(model);
    await say(trial, { type: "reject", reason: "too dear" });
    const outcome = await trial.outcome();
    expect(outcome).toMatchObject({
      outcome: "completed",
      revisions: [{ steps: [], refused: "a person rejected them: too dear" }],
    });
    expect(sent(trial)).toHaveLength(2);
    expect(offered(model)).toEqual([ADD_STEPS, ""]);
    expect(textsOf(model, 1).join("\n")).toContain("not added, a person rejected them: too dear");
  });

  it("runs the steps that the person puts in their place", async () => {
    const trial = await begun(scriptedModel([asks(wanted("c")), answers]));
    const steps = normalizeWorkflow({
      version: 1,
      name: "x",
      mode: "parallel",
      steps: [
        {
          ...step("d"),
          kind: "agent",
          expected_output: "",
          allowed_tools: [],
          limits: {},
          retry: { attempts: 1, backoff_seconds: 1 },
          on_failure: "fail",
        },
      ],
    });
    await say(trial, { type: "edit", arguments: {} }, steps);
    expect((await trial.outcome()).answerFrom).toEqual(["a", "b", "d"]);
  });

  it("answers from the findings if no one answers in time", async () => {
    const trial = await begun(scriptedModel([asks(wanted("c")), answers]), { expiresMs: 60_000 });
    expect(await trial.outcome()).toMatchObject({
      outcome: "completed",
      revisions: [{ steps: [], refused: 'nobody answered "$plan.2" within 1 min' }],
    });
  });

  it("is canceled while the person is asked", async () => {
    const trial = await begun(scriptedModel([asks(wanted("c"))]));
    await trial.engine.cancel(RUN, "enough");
    const outcome = await trial.outcome();
    expect(outcome.outcome).toBe("canceled");
    expect(outcome.revisions).toBeUndefined();
    expect((await trial.engine.get(RUN))?.requests).toEqual([]);
  });
});
